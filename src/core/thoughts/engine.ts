/**
 * The engine: starts the operations that the policy decided, passes them their answers in the order
 * of asking, and closes them when nothing is outstanding. It knows no policy and no kind of
 * operation.
 */
import {
  answerFlaw,
  type FinishReason,
  type LlmDirective,
  type LlmFailed,
  type LlmSucceeded,
  tableAt,
  tableGet,
  tableSize,
  vectorOf,
} from "../kernel/index.js";
import { answerText, askAgain, close as closeAsk, freeRoom, resolve } from "./ask.js";
import { account, canRelease, forgetHeld, placeOf, release, settle, spend } from "./budget.js";
import type { Activity, Ask, Entry, Reason } from "./context.js";
import { blank, type Decided, decidedAfter, inItsPlace, isReady } from "./decide.js";
import { end } from "./end.js";
import type { Operation, OperationKind } from "./operation.js";
import { kindOf, mannerOf } from "./operations/index.js";
import { formatOf } from "./parsing/format.js";
import { PolicyFault } from "./policy-fault.js";
import { reaches } from "./whole.js";
import {
  allStates,
  entryOf,
  fail,
  inputsOf,
  operationOf,
  outputsOf,
  putState,
  ROOT,
  stateOf,
  type Work,
} from "./work.js";

/** A model's settlement, with the directive that it settles. */
export type Answered = (LlmSucceeded | LlmFailed) & { readonly directive: LlmDirective };

/** A policy that begins so many operations in one step goes round in a circle. */
const MAX_AT_ONCE = 100_000;

/** Begins a run. */
export function begin(work: Work): void {
  startAll(work, decidedAfter(work, null));
  goOn(work);
}

/** Takes a model's answer in, and goes as far as can be gone without the next one. */
export function receive(work: Work, event: Answered): void {
  const { operation: id, path } = placeOf(event.id);
  const operation = operationOf(work, id);
  const asked = tableGet(stateOf(work, id).asks, path) as Ask;
  settle(work, asked);
  const flaw = event.type === "llm.succeeded" ? answerFlaw(event) : null;
  if (event.type === "llm.succeeded") account(work, operation, event);
  else spend(work, operation, event);
  if (event.type === "llm.succeeded" && flaw === null) {
    noteForm(work, operation, asked, event);
    closeAsk(work, id, asked, "answered", answerText(event));
  } else {
    const isPassing = event.type === "llm.failed" && event.error.transient === true;
    if (askAgain(work, event, !isPassing && flaw !== "truncated")) {
      goOn(work);
      return;
    }
    const why = event.type === "llm.failed" ? event.error.message : reasonOf(event.finishReason);
    closeAsk(work, id, asked, "lost", why, flaw);
  }
  takeIn(work, operation, path);
  closeIfDone(work, operation);
  goOn(work);
}

function reasonOf(finishReason: FinishReason): string {
  return `The model stopped for this reason: ${finishReason}.`;
}

/** Ends a run in which calls are under way: what is there is taken in, and nothing is begun. */
export function cutShort(work: Work, reason: Reason): void {
  for (const { id, status } of allStates(work)) {
    if (status !== "running") continue;
    const operation = operationOf(work, id);
    takeIn(work, operation, "", true);
    outputOf(work, operation);
  }
  end(work, reason);
}

/**
 * Begins what an upgrade left due, and what was held back, when all that was under way is in; ends a
 * run with nothing to do.
 */
function goOn(work: Work): void {
  if (work.due.length > 0) {
    const { due } = work;
    work.due = [];
    startAll(work, due.map(inItsPlace));
  }
  while (canRelease(work)) {
    for (const call of work.reached ? forgetHeld(work) : release(work)) {
      const { operation: id, path } = placeOf(call);
      closeAsk(work, id, tableGet(stateOf(work, id).asks, path) as Ask, "left", null);
      const operation = operationOf(work, id);
      takeIn(work, operation, path);
      closeIfDone(work, operation);
    }
  }
  if (Object.values(work.running).every((count) => count === 0)) end(work);
}

/** Asked for in a form it failed, and without it did not: this model cannot answer in one. */
function noteForm(work: Work, operation: Operation, asked: Ask, { directive }: Answered): void {
  if (asked.repeated === 0 || directive.responseFormat !== undefined) return;
  if (formatOf(work.spec, operation, asked) !== undefined) work.structured = false;
}

/**
 * Takes in the answers of an operation that are there, as far as all that were asked for before are.
 * @param path the question that is over; of kinds that go by it alone
 * @param holes whether those that are not over are passed by
 */
function takeIn(work: Work, operation: Operation, path: string, holes = false): void {
  const { id, kind } = operation;
  if (!kindOf(kind).inOrder) {
    const asked = tableGet(stateOf(work, id).asks, path);
    if (asked !== undefined) takeOne(work, operation, asked);
    return;
  }
  for (;;) {
    const { asks, taken } = stateOf(work, id);
    const asked = tableAt(asks, taken);
    if (asked === undefined) return;
    const isOver = asked.status !== "open" && asked.status !== "held";
    if (!isOver && !holes) return;
    if (isOver) takeOne(work, operation, asked);
    putState(work, { ...stateOf(work, id), taken: taken + 1 });
  }
}

function takeOne(work: Work, operation: Operation, asked: Ask): void {
  const { status, text, flaw } = asked;
  const kind = kindOf(operation.kind);
  if (status === "answered" || status === "lost") freeRoom(work, asked);
  if (status !== "done") resolve(work, operation.id, asked, null);
  if (status === "answered") kind.answer(work, operation, asked, text ?? "");
  if (status === "lost") {
    const code = flaw === undefined ? "model.failed" : `answer.${flaw}`;
    fail(work, operation.id, asked.thought, code, text ?? undefined);
  }
  if (status === "lost" || status === "left") kind.lost?.(work, operation, asked);
}

/** Starts what was decided, and whatever is decided by those that have nothing to wait for. */
function startAll(work: Work, first: readonly Decided[]): void {
  const queue = [...first];
  for (let at = 0; at < queue.length; at++) {
    if (at >= MAX_AT_ONCE) {
      throw new PolicyFault(
        `it began ${MAX_AT_ONCE} operations in one step, and none of them asked the model; it goes round in a circle`,
      );
    }
    const decided = queue[at] as Decided;
    if (isReady(work, decided)) for (const next of start(work, decided)) queue.push(next);
  }
}

/** @returns what comes after it, where it is done at once */
function start(work: Work, { id, use, over, inputs: given }: Decided): readonly Decided[] {
  work.begun += 1;
  const operation = operationOf(work, id);
  const inputs = given ?? inputsFor(work, operation);
  const fresh = blank(id, operation.index, use, over);
  const manner = mannerOf(operation);
  putState(work, { ...fresh, status: "running", manner, inputs: vectorOf(inputs) });
  if (inputs.length > 0 && !isPassed(work, operation)) {
    kindOf(operation.kind).begin(work, operation, inputs);
  }
  if (stateOf(work, id).open === 0) return finish(work, operation);
  count(work, operation.kind, 1);
  return [];
}

/** Whether nothing more is asked, so that an operation that would hands its thoughts on. */
function isPassed(work: Work, operation: Operation): boolean {
  return work.reached && kindOf(operation.kind).asks(work, operation);
}

/** The thoughts that an operation takes, in the order of the operations it comes after. */
function inputsFor(work: Work, { kind, after }: Operation): readonly Entry[] {
  const inputs = after.flatMap((id) => outputsOf(work, id));
  const fromProblem = after.length === 0 || (kind === "select" && inputs.length === 0);
  return fromProblem ? [entryOf(ROOT)] : inputs;
}

function closeIfDone(work: Work, operation: Operation): void {
  const { status, open } = stateOf(work, operation.id);
  if (status !== "running" || open > 0) return;
  count(work, operation.kind, -1);
  startAll(work, finish(work, operation));
}

/** @returns what comes after it */
function finish(work: Work, operation: Operation): readonly Decided[] {
  const { id, use, with: over } = stateOf(work, operation.id);
  const inputs = inputsOf(work, id);
  const output = outputOf(work, operation);
  const { policy } = work.spec;
  if (policy.until !== undefined && !work.reached) {
    work.reached = output.some((entry) => reaches(work, entry, policy.until as number));
  }
  return decidedAfter(work, { id, use, with: over, inputs, output });
}

/** What an operation hands on; it is done then. */
function outputOf(work: Work, operation: Operation): readonly Entry[] {
  const { id } = operation;
  const { index, use, with: over, asks } = stateOf(work, id);
  const inputs = inputsOf(work, id);
  const { until } = work.spec.policy;
  const output =
    inputs.length === 0
      ? []
      : isPassed(work, operation) && tableSize(asks) === 0
        ? inputs.filter((entry) => until !== undefined && reaches(work, entry, until))
        : kindOf(operation.kind).close(work, operation, inputs);
  // What it has asked and been given is not needed any more; the state need not carry it on.
  putState(work, { ...blank(id, index, use, over), status: "done", output: vectorOf(output) });
  return output;
}

const activities: { readonly [K in OperationKind]?: Activity } = {
  generate: "generating",
  score: "scoring",
  improve: "refining",
  validate: "validating",
  aggregate: "aggregating",
  connect: "connecting",
};

function count(work: Work, kind: OperationKind, more: 1 | -1): void {
  const activity = activities[kind] as Activity;
  work.running = { ...work.running, [activity]: work.running[activity] + more };
}
