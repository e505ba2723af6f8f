/**
 * The engine: it starts operations when all they come after are done, gives them answers, and closes
 * them when nothing is open. It knows no policy and no kind of operation.
 */
import {
  emptyTable,
  type LlmDirective,
  type LlmFailed,
  type LlmSucceeded,
  tableGet,
} from "../kernel/index.js";
import { answerText, askAgain, closeAsk, placeOf } from "./ask.js";
import type { Entry, OperationState, Phase } from "./context.js";
import { end } from "./end.js";
import { kindOf } from "./kinds/index.js";
import type { Operation, OperationKind } from "./operation.js";
import { entryOf, fail, progressOf, putState, ROOT, stateOf, type Work } from "./work.js";

/** A model's settlement, with the directive that it settles. */
export type Answered = (LlmSucceeded | LlmFailed) & { readonly directive: LlmDirective };

/** Begins a run. */
export function begin(work: Work): void {
  startAll(work, work.spec.policy.first);
}

/** Takes a model's answer in, and goes as far as can be gone without the next one. */
export function receive(work: Work, event: Answered): void {
  const { operation: id, path } = placeOf(event.id);
  const operation = work.spec.policy.operation(id);
  if (event.type === "llm.failed" && askAgain(work, event)) return;
  const asked = closeAsk(work, id, path);
  const kind = kindOf(operation.kind);
  if (event.type === "llm.succeeded") kind.answer(work, operation, asked, answerText(event));
  else {
    fail(work, id, asked.thought, "model.failed", event.error.message);
    kind.lost?.(work, operation, asked);
  }
  if (stateOf(work, id).open === 0) startAll(work, close(work, operation));
  settlePhase(work);
}

/** Starts operations, and whatever becomes ready by those that have nothing to wait for. */
function startAll(work: Work, first: readonly string[]): void {
  const queue = [...first];
  for (let at = 0; at < queue.length; at++) {
    const operation = work.spec.policy.operation(queue[at] as string);
    if (isReady(work, operation)) queue.push(...start(work, operation));
  }
  settlePhase(work);
}

/** Counts down what an operation waits for; whether it is nothing any more. */
function isReady(work: Work, { id, after }: Operation): boolean {
  const known = tableGet(work.operations, id);
  const missing = (known?.missing ?? after.length) - 1;
  if (missing > 0) putState(work, { ...(known ?? blank(id)), missing });
  return missing <= 0;
}

function blank(id: string): OperationState {
  return { id, status: "waiting", missing: 0, inputs: [], asks: emptyTable(), open: 0, output: [] };
}

/** @returns what comes after it, where it is done at once */
function start(work: Work, operation: Operation): readonly string[] {
  const inputs = inputsOf(work, operation);
  putState(work, { ...blank(operation.id), status: "running", inputs });
  if (inputs.length > 0) kindOf(operation.kind).begin(work, operation, inputs);
  if (stateOf(work, operation.id).open === 0) return close(work, operation);
  work.running = [...work.running, operation.id];
  return [];
}

/** The thoughts that an operation takes, in the order of the operations it comes after. */
function inputsOf(work: Work, { kind, after }: Operation): readonly Entry[] {
  const { output } = progressOf(work);
  const inputs = after.flatMap(output);
  const fromProblem = after.length === 0 || (kind === "select" && inputs.length === 0);
  return fromProblem ? [entryOf(ROOT)] : inputs;
}

/** @returns what comes after it */
function close(work: Work, operation: Operation): readonly string[] {
  const { id, kind } = operation;
  const { inputs } = stateOf(work, id);
  const output = inputs.length === 0 ? [] : kindOf(kind).close(work, operation, inputs);
  // What it has asked and been given is not needed any more; the state need not carry it on.
  putState(work, { ...blank(id), status: "done", output });
  work.running = work.running.filter((each) => each !== id);
  return work.spec.policy.next(id, progressOf(work));
}

const phases: { readonly [K in OperationKind]?: Phase } = {
  generate: "generating",
  score: "scoring",
  improve: "refining",
  validate: "validating",
  aggregate: "aggregating",
  connect: "connecting",
};

/** The phase is that of the operation that has been running longest; none is running in the end. */
function settlePhase(work: Work): void {
  const [id] = work.running;
  if (id === undefined) end(work);
  else work.phase = phases[work.spec.policy.operation(id).kind] as Phase;
}
