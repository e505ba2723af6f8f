/** Asks the model, within the budgets, and records its answers. */
import {
  type AnswerFlaw,
  type Json,
  type LlmDirective,
  type LlmSettings,
  type LlmSucceeded,
  type Message,
  sealOwn,
  tableGet,
  tableSet,
  textOf,
  toJson,
} from "../kernel/index.js";
import * as shapes from "../kernel/shapes.js";
import { placeOf, repeat, request, spentBudget } from "./budget.js";
import type { Ask } from "./context.js";
import type { Prompt, PromptText, PromptView } from "./functions.js";
import { isShallow, roomLeft } from "./grow.js";
import type { Operation } from "./operation.js";
import { formatOf } from "./parsing/format.js";
import { drawnBits } from "./random.js";
import { tracePath } from "./walk.js";
import { attempt, fail, operationOf, problemOf, putState, stateOf, type Work } from "./work.js";

/** How an operation asks, where it does. */
interface Asking {
  readonly model?: string;
  readonly temperature?: number;
  readonly settings?: LlmSettings;
}

/** What is to be asked. */
export interface Question {
  /** Its path within the operation; the call's id is `llm/<operation>/<path>`. */
  readonly path: string;
  /** Which of the operation's inputs it is about. */
  readonly source: number;
  /** The thoughts it is about; the first is the one that a failure is counted at. */
  readonly thoughts: readonly PromptView["thought"][];
  readonly prompt: Prompt;
  readonly state?: PromptView["state"];
  readonly branches?: number;
  readonly attempt?: number;
  /** How many thoughts its answer makes, for which there must be room; 0: none. */
  readonly makes: number;
}

/** What a prompt or a parser sees of a question. */
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

/** Asks, unless a budget or a prompt that fails is in the way. */
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
  const directive = directiveOf(work, operation, `llm/${operation.id}/${path}`, {
    ...written,
    ...(format === undefined ? {} : { responseFormat: format }),
  });
  const state = stateOf(work, operation.id);
  const asked = sealOwn<Ask>({
    path,
    source,
    thought,
    rooms,
    repeated: 0,
    status: "held",
    tokens: 0,
    cost: 0,
    text: null,
    result: null,
  });
  putState(work, { ...state, asks: tableSet(state.asks, path, asked), open: state.open + 1 });
  work.reserved = { ...work.reserved, rooms: work.reserved.rooms + rooms };
  const left = request(work, directive);
  if (left !== undefined) {
    work.cut ??= left;
    close(work, operation.id, asked, "left", null);
  }
}

/** What a prompt writes; `undefined` and a counted failure where that is not a string. */
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
  const text: PromptText | null | undefined = outcome.said;
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

function directiveOf(
  work: Work,
  operation: Operation,
  id: string,
  request: Pick<LlmDirective, "system" | "messages" | "responseFormat">,
): LlmDirective {
  const asking = operation as Asking;
  const model = asking.model ?? work.spec.model;
  const settings: LlmSettings = {
    ...work.spec.settings,
    ...shapes.given(asking.settings ?? {}),
    ...(asking.temperature === undefined ? {} : { temperature: asking.temperature }),
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
 * Asks the same once more where the policy of retries has it; whether it will be asked.
 * @param mayBeForm whether the model may only have failed because of the response format
 */
export function askAgain(
  work: Work,
  event: { readonly id: string; readonly directive: LlmDirective },
  mayBeForm: boolean,
): boolean {
  const { operation: id, path } = placeOf(event.id);
  const state = stateOf(work, id);
  const asked = tableGet(state.asks, path) as Ask;
  const { system, messages, responseFormat } = event.directive;
  // It is asked for text once, whether or not there are retries.
  const forForm = responseFormat !== undefined && mayBeForm;
  const most = forForm ? Math.max(1, work.spec.retries) : work.spec.retries;
  if (asked.repeated >= most || work.reached) return false;
  // Of tokens and money only what has come in is known by now, which depends on the order of arrival:
  // whether they suffice is asked when all that is under way is in.
  const { modelCalls } = work.budgets;
  if (modelCalls !== null && work.modelCalls >= modelCalls) return false;
  const repeated = asked.repeated + 1;
  const held = sealOwn<Ask>({ ...asked, repeated, status: "held" });
  const asks = tableSet(state.asks, path, held);
  putState(work, { ...state, asks });
  const request = {
    ...(system === undefined ? {} : { system }),
    messages,
    ...(responseFormat === undefined || forForm ? {} : { responseFormat }),
  };
  const again = `llm/${id}/${path}/again/${repeated}`;
  repeat(work, directiveOf(work, operationOf(work, id), again, request));
  return true;
}

/** Marks a question as answered; its result is recorded by {@link resolve}. */
export function close(
  work: Work,
  operation: string,
  asked: Ask,
  status: "answered" | "lost" | "left",
  text: string | null,
  flaw: AnswerFlaw | null = null,
): void {
  const state = stateOf(work, operation);
  const known = tableGet(state.asks, asked.path) as Ask;
  const flawed = flaw === null ? {} : { flaw };
  const closed = sealOwn<Ask>({ ...known, status, text, ...flawed });
  const asks = tableSet(state.asks, asked.path, closed);
  putState(work, { ...state, asks, open: state.open - 1 });
  // An answer keeps its room until it is taken in.
  if (status === "left") freeRoom(work, known);
}

/** Releases the room that was reserved for a question's thoughts. */
export function freeRoom(work: Work, { rooms }: Ask): void {
  work.reserved = { ...work.reserved, rooms: work.reserved.rooms - rooms };
}

/** Records the result of a question. */
export function resolve(work: Work, operation: string, asked: Ask, result: Json): void {
  const state = stateOf(work, operation);
  const done = sealOwn<Ask>({ ...asked, status: "done", text: null, result: toJson(result) });
  putState(work, { ...state, asks: tableSet(state.asks, asked.path, done) });
}

/** What a model said, as text; reasoning and the like left out. */
export function answerText(event: LlmSucceeded): string {
  return textOf({ role: "assistant", content: event.content }).trim();
}
