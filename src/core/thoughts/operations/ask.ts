/**
 * Makes a model call of a question that an operation of thoughts asks, and holds the call until the budgets
 * allow it. Asks once more after a failure, and reads the text of the answer.
 */

import * as shapes from "../../kernel/shapes.js";
import { withParts } from "../../kernel/values/index.js";
import {
  type LlmDirective,
  type LlmSettings,
  type LlmSucceeded,
  type Message,
  textOf,
} from "../../kernel/vocabulary/index.js";
import { NOTHING, spentBudget } from "../budget.js";
import type { Ask } from "../context.js";
import { queuePush } from "../fifo.js";
import { tracePath } from "../graph/walk.js";
import { formatOf } from "../parsing/format.js";
import { drawnBits } from "../random.js";
import {
  attempt,
  fail,
  problemOf,
  putAsk,
  putState,
  stateOf,
  type Work,
} from "../work-on-context.js";
import type { Prompt, PromptText, PromptView } from "./functions.js";
import { isShallow, roomLeft } from "./grow.js";
import type { Operation } from "./operation.js";

/** The words and the form of a call. */
type Request = Pick<LlmDirective, "system" | "messages" | "responseFormat">;

/** The parameters of an operation that asks. */
interface Asking {
  readonly model?: string;
  readonly settings?: LlmSettings;
}

/** A question to the model. */
export interface Question {
  /** Its path within the operation; the call's id is `llm/<operation>/<path>`. */
  readonly path: string;
  /** The index of the operation's input that it is about. */
  readonly source: number;
  /** The thoughts it is about; the first is the one that a failure is counted at. */
  readonly thoughts: readonly PromptView["thought"][];
  readonly prompt: Prompt;
  readonly state?: PromptView["state"];
  readonly branches?: number;
  readonly attempt?: number;
  /** The number of thoughts that its answer makes, for which there must be room; 0: none. */
  readonly makes: number;
}

/** Makes a prompt's or a parser's view of a question. */
export function viewOf(
  work: Work,
  question: Omit<Question, "path" | "prompt" | "makes" | "source">,
  structured = false,
): PromptView {
  const [thought] = question.thoughts as [PromptView["thought"]];
  const { graph } = work;
  const { prompt, problem } = problemOf(work);
  return {
    prompt,
    problem,
    thought,
    thoughts: Object.freeze(question.thoughts),
    state: question.state ?? thought.state,
    branches: question.branches ?? 1,
    attempt: question.attempt ?? 0,
    structured,
    path: () => tracePath(graph, thought.id),
  };
}

/** Holds a question for {@link send}, unless a budget or a prompt that fails is in the way. */
export function ask(work: Work, operation: Operation, question: Question): void {
  if (work.reached) return;
  const { path, source, makes, thoughts } = question;
  const ids = thoughts.map(({ id }) => id);
  const [thought] = ids as [string];
  const rooms = Math.min(makes, Math.max(1, roomLeft(work)));
  const bound =
    makes > 0 && !isShallow(work, ids)
      ? "maxDepth"
      : (spentBudget(work) ?? (makes > 0 && roomLeft(work) < 1 ? "maxNodes" : undefined));
  if (bound !== undefined) {
    work.cut ??= bound;
    return;
  }
  const format = work.structured ? formatOf(work.spec, operation, question) : undefined;
  const written = writtenBy(work, operation, question, format !== undefined);
  if (written === undefined) return;
  const form = format === undefined ? {} : { responseFormat: format };
  const blank = { repeated: 0, need: NOTHING, answer: null, result: null };
  hold(work, operation, { path, source, thought, rooms, ...blank }, { ...written, ...form });
  const state = stateOf(work, operation.id);
  putState(work, withParts(state, { open: state.open + 1 }));
  work.rooms += rooms;
}

/** The id of a question's call: of the last one, where it was repeated. */
export function callOf(
  operation: Pick<Operation, "id">,
  { path, repeated }: Pick<Ask, "path" | "repeated">,
): string {
  return `llm/${operation.id}/${path}${repeated === 0 ? "" : `/again/${repeated}`}`;
}

/** Lays a question behind those that wait for a budget. */
function hold(
  work: Work,
  operation: Operation,
  ask: Omit<Ask, "status" | "directive">,
  request: Request,
): void {
  const id = callOf(operation, ask);
  const directive = directiveOf(work, operation, id, request);
  putAsk(work, operation.id, withParts(ask, { status: "held" as const, directive }));
  work.held = queuePush(work.held, id);
}

/** Returns a prompt's text; `undefined` and a counted failure where that is not a string. */
function writtenBy(
  work: Work,
  operation: Operation,
  question: Question,
  structured: boolean,
): Pick<LlmDirective, "system" | "messages"> | undefined {
  const [{ id }] = question.thoughts as [PromptView["thought"]];
  const outcome = attempt(work, operation, id, "prompt", () =>
    question.prompt(viewOf(work, question, structured)),
  );
  if (outcome === undefined) return undefined;
  const text: PromptText | null | undefined = outcome.answer;
  const { system, user } = typeof text === "string" ? { user: text } : (text ?? {});
  const isText = typeof user === "string" && (system === undefined || typeof system === "string");
  // A lone surrogate is not JSON text.
  if (!isText || /\p{Surrogate}/u.test(`${system ?? ""}${user}`)) {
    fail(work, operation.id, id, "prompt.notText");
    return undefined;
  }
  const messages: Message[] = [{ role: "user", content: user }];
  return system === undefined ? { messages } : { system, messages };
}

function directiveOf(work: Work, operation: Operation, id: string, request: Request): LlmDirective {
  const asking = operation as Asking;
  const model = asking.model ?? work.spec.model;
  const settings: LlmSettings = {
    ...work.spec.settings,
    ...shapes.defined(asking.settings ?? {}),
    ...(work.seed === null ? {} : { seed: drawnBits(work.seed, id) }),
  };
  return {
    type: "llm",
    id,
    ...(model === undefined ? {} : { model }),
    ...request,
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}

/**
 * Holds the same question once more where the number of retries allows it. It is asked behind those that
 * were held before.
 * @param code the failure's
 */
export function mayAskAgain(work: Work, operation: Operation, ask: Ask, code: string): boolean {
  const passing = ask.answer?.type === "llm.failed" && ask.answer.error.transient === true;
  const { system, messages, responseFormat } = ask.directive as LlmDirective;
  // The form alone may be what the model failed at: it is asked for text once, whatever the retries.
  const forForm = responseFormat !== undefined && !passing && code !== "answer.truncated";
  const most = forForm ? Math.max(1, work.spec.retries) : work.spec.retries;
  if (ask.repeated >= most || work.reached) return false;
  const { modelCalls } = work.budgets;
  if (modelCalls !== null && work.modelCalls >= modelCalls) {
    work.cut ??= "modelCalls";
    return false;
  }
  const again = withParts(ask, { repeated: ask.repeated + 1, need: NOTHING, answer: null });
  const form = forForm ? undefined : responseFormat;
  hold(work, operation, again, shapes.defined({ system, messages, responseFormat: form }));
  return true;
}

/** Returns the model's words as text; reasoning and the like left out. */
export function answerText({ answer }: Ask): string {
  return textOf({ role: "assistant", content: (answer as LlmSucceeded).content }).trim();
}
