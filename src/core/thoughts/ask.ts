/** Asking the model, within the budgets, and reading what it says. */
import {
  type Json,
  type LlmDirective,
  type LlmFailed,
  type LlmSucceeded,
  type Message,
  tableGet,
  tableSet,
  textOf,
} from "../kernel/index.js";
import type { Ask, Reason } from "./context.js";
import type { Prompt, PromptView } from "./functions.js";
import type { Operation } from "./operation.js";
import { tracePath } from "./walk.js";
import { attempt, hasRoom, isShallow, problemOf, putState, stateOf, type Work } from "./work.js";

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
  /** Whether its answer makes a thought. */
  readonly makes: boolean;
}

/** What a prompt or a parser sees of a question. */
export function viewOf(
  work: Work,
  question: Omit<Question, "path" | "prompt" | "makes" | "source">,
): PromptView {
  const [thought] = question.thoughts as [PromptView["thought"]];
  const { graph } = work;
  return {
    ...problemOf(work),
    thought,
    thoughts: question.thoughts,
    state: question.state ?? thought.state,
    branches: question.branches ?? 1,
    attempt: question.attempt ?? 0,
    path: () => tracePath(graph, thought.id),
  };
}

/** Asks, unless a budget or a prompt that throws is in the way; whether it was asked. */
export function ask(work: Work, operation: Operation, question: Question): boolean {
  const ids = question.thoughts.map(({ id }) => id);
  const bound =
    question.makes && !isShallow(work, ids) ? "maxDepth" : boundOf(work, question.makes);
  if (bound !== undefined) {
    work.cut ??= bound;
    return false;
  }
  const [thought] = ids as [string];
  const text = attempt(work, operation, thought, "prompt", () =>
    question.prompt(viewOf(work, question)),
  );
  if (text === undefined) return false;
  const { system, user } = typeof text === "string" ? { system: undefined, user: text } : text;
  const messages: Message[] = [{ role: "user", content: user }];
  const { path, source, makes } = question;
  const asked: Ask = { path, source, thought, makes, repeated: 0, open: true, result: null };
  const state = stateOf(work, operation.id);
  putState(work, {
    ...state,
    asks: tableSet(state.asks, path, asked),
    open: state.open + 1,
  });
  if (makes) work.reserved += 1;
  send(work, idOf(operation.id, path, 0), {
    ...(system === undefined ? {} : { system }),
    messages,
  });
  return true;
}

function boundOf(work: Work, makes: boolean): Reason | undefined {
  const { budgets, modelCalls, usage } = work;
  if (budgets.modelCalls !== null && modelCalls >= budgets.modelCalls) return "modelCalls";
  if (budgets.tokens !== null && usage.totalTokens >= budgets.tokens) return "tokens";
  return makes && !hasRoom(work) ? "maxNodes" : undefined;
}

type Request = Pick<LlmDirective, "system" | "messages">;

function send(work: Work, id: string, request: Request): void {
  const { model, settings } = work.spec;
  const seeded = work.seed === null ? settings : { ...settings, seed: seedOf(work.seed, id) };
  const directive: LlmDirective = {
    type: "llm",
    id,
    ...(model === undefined ? {} : { model }),
    ...request,
    ...(seeded === undefined ? {} : { settings: seeded }),
  };
  work.modelCalls += 1;
  work.outbox.push(directive);
}

/** `llm/<operation>/<path>`, and `/again/<n>` where the call is repeated. */
function idOf(operation: string, path: string, repeated: number): string {
  return `llm/${operation}/${path}${repeated === 0 ? "" : `/again/${repeated}`}`;
}

/** The operation and the path in a call's id. */
export function placeOf(id: string): { readonly operation: string; readonly path: string } {
  const [, operation = "", ...path] = id.split("/");
  const again = path.indexOf("again");
  return { operation, path: (again < 0 ? path : path.slice(0, again)).join("/") };
}

/** Asks the same once more where the policy of retries has it; whether it was asked. */
export function askAgain(work: Work, event: LlmFailed & { directive: LlmDirective }): boolean {
  const { operation, path } = placeOf(event.id);
  const state = stateOf(work, operation);
  const asked = tableGet(state.asks, path) as Ask;
  if (asked.repeated >= work.spec.retries || boundOf(work, false) !== undefined) return false;
  const repeated = asked.repeated + 1;
  putState(work, { ...state, asks: tableSet(state.asks, path, { ...asked, repeated }) });
  const { system, messages } = event.directive;
  send(work, idOf(operation, path, repeated), {
    ...(system === undefined ? {} : { system }),
    messages,
  });
  return true;
}

/** Notes that a question is answered; what came of it is noted by {@link resolve}. */
export function closeAsk(work: Work, operation: string, path: string): Ask {
  const state = stateOf(work, operation);
  const asked = tableGet(state.asks, path) as Ask;
  const asks = tableSet(state.asks, path, { ...asked, open: false });
  putState(work, { ...state, asks, open: state.open - 1 });
  if (asked.makes) work.reserved -= 1;
  return asked;
}

/** Notes what came of a question. */
export function resolve(work: Work, operation: string, asked: Ask, result: Json): void {
  const state = stateOf(work, operation);
  const asks = tableSet(state.asks, asked.path, { ...asked, open: false, result });
  putState(work, { ...state, asks });
}

/** What a model said, as text; reasoning and the like left out. */
export function answerText(event: LlmSucceeded): string {
  return textOf({ role: "assistant", content: event.content }).trim();
}

/** A model call's own seed: 31 bits of the run's seed and the call's id. */
function seedOf(seed: string, id: string): number {
  let bits = 0x811c9dc5;
  for (const letter of `${seed}\n${id}`) {
    bits = Math.imul(bits ^ (letter.codePointAt(0) as number), 0x01000193);
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 1;
}
