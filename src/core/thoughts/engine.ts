/**
 * The changes of the chart: begin, keep an answer, hear the oldest one, settle operations, ask, leave out,
 * end at the deadline. None of them knows a policy or a kind of operation.
 */
import {
  answerFlaw,
  type LlmDirective,
  type LlmFailed,
  type LlmSucceeded,
  tableSize,
  vectorOf,
} from "../kernel/index.js";
import { account, arrive, send, verdict } from "./budget.js";
import type { Ask, Entry, Reason, ThoughtsAnswer } from "./context.js";
import { end, stop } from "./end.js";
import { answerText, freeRoom, mayAskAgain } from "./operations/ask.js";
import { kindOf, mannerOf } from "./operations/index.js";
import type { Operation } from "./operations/operation.js";
import { formatOf } from "./parsing/format.js";
import { blank, type Decided, decidedAfter, dueAfterUpgrade } from "./policies/decide.js";
import { PolicyFault } from "./policies/policy-fault.js";
import { queueFront, queueItems, queuePush, queueShift } from "./queue.js";
import { reaches } from "./whole.js";
import {
  allStates,
  askOf,
  entryOf,
  fail,
  inputsOf,
  knownAsk,
  operationOf,
  outputsOf,
  placeOf,
  putAsk,
  putState,
  ROOT,
  stateOf,
  type Work,
} from "./work.js";

/** A policy that begins so many operations in one step goes round in a circle. */
const MAX_AT_ONCE = 100_000;

/** Begins a run: the policy says what begins. */
export function begin(work: Work): void {
  const { deadline } = work.budgets;
  if (deadline !== null) work.outbox.push({ type: "timer", id: DEADLINE, until: deadline });
  for (const decided of decidedAfter(work, null)) start(work, decided);
}

/** The id of the one timer. */
export const DEADLINE = "timer/deadline";

/**
 * Settles the operations of which all answers were heard, and begins what the policy decides after each;
 * those that ask nothing are settled where they begin.
 */
export function settle(work: Work): void {
  if (work.replanned) {
    work.replanned = false;
    for (const decided of dueAfterUpgrade(work)) start(work, decided);
  }
  let count = 0;
  for (let id = queueFront(work.heard); id !== undefined; id = queueFront(work.heard)) {
    work.heard = queueShift(work.heard);
    count += 1;
    if (count > MAX_AT_ONCE) {
      throw new PolicyFault(
        `it began ${MAX_AT_ONCE} operations in one step, and none of them asked the model; it goes round in a circle`,
      );
    }
    const operation = operationOf(work, id);
    const { use, with: over } = stateOf(work, id);
    const inputs = inputsOf(work, id);
    const output = outputOf(work, operation);
    work.running -= 1;
    const { until } = work.spec.policy;
    if (until !== undefined && !work.reached) {
      work.reached = output.some((entry) => reaches(work, entry, until));
    }
    for (const decided of decidedAfter(work, { id, use, with: over, inputs, output })) {
      start(work, decided);
    }
  }
}

function start(work: Work, { id, use, over, inputs: given }: Decided): void {
  const operation = operationOf(work, id);
  const inputs = given ?? inputsFor(work, operation);
  const fresh = blank(id, operation.index, use, over);
  putState(work, { ...fresh, manner: mannerOf(operation), inputs: vectorOf(inputs) });
  work.running += 1;
  if (inputs.length > 0 && !isPassed(work, operation)) {
    kindOf(operation.kind).begin(work, operation, inputs);
  }
  if (stateOf(work, id).open === 0) work.heard = queuePush(work.heard, id);
}

/** Returns true when the operation makes no more model calls and passes its thoughts on. */
function isPassed(work: Work, operation: Operation): boolean {
  return work.reached && kindOf(operation.kind).asks(work, operation);
}

/** The thoughts that an operation takes, in the order of the operations it comes after. */
function inputsFor(work: Work, { kind, after }: Operation): readonly Entry[] {
  const inputs = after.flatMap((id) => outputsOf(work, id));
  const fromProblem = after.length === 0 || (kind === "select" && inputs.length === 0);
  return fromProblem ? [entryOf(ROOT)] : inputs;
}

/** Marks an operation as done; returns what it hands on. */
function outputOf(work: Work, operation: Operation): readonly Entry[] {
  const { id } = operation;
  const { index, use, with: over, manner, asks } = stateOf(work, id);
  const inputs = inputsOf(work, id);
  const { until } = work.spec.policy;
  const output =
    inputs.length === 0
      ? []
      : isPassed(work, operation) && tableSize(asks) === 0
        ? inputs.filter((entry) => until !== undefined && reaches(work, entry, until))
        : kindOf(operation.kind).close(work, operation, inputs);
  // Its questions and inputs are not needed any more; the state need not carry them on.
  const done = { ...blank(id, index, use, over), manner, status: "done" as const };
  putState(work, { ...done, output: vectorOf(output) });
  return output;
}

/** Asks the held calls that may be asked now, in order. */
export function askWhatFits(work: Work): void {
  while (verdict(work) === "now") send(work);
}

/** Leaves out the held calls for which no budget is left, or that nobody needs any more. */
export function leaveOut(work: Work): void {
  for (let why = verdict(work); isLeftOut(why); why = verdict(work)) {
    if (why !== "reached") work.cut ??= why;
    const id = queueFront(work.held) as string;
    work.held = queueShift(work.held);
    const operation = operationOf(work, placeOf(id).operation);
    const closed = close(work, id);
    kindOf(operation.kind).lost?.(work, operation, closed);
    countDown(work, operation);
  }
}

/** Returns true when a held call is to be left out. */
export function isLeftOut(why: ReturnType<typeof verdict>): why is Reason | "reached" {
  return why !== undefined && why !== "now" && why !== "later";
}

/** Marks a question as over, with no result yet, and frees the room that it kept. */
function close(work: Work, id: string): Ask {
  const ask = askOf(work, id);
  const closed: Ask = { ...ask, status: "done", directive: null, answer: null };
  putAsk(work, placeOf(id).operation, closed);
  freeRoom(work, ask);
  return closed;
}

function countDown(work: Work, { id }: Operation): void {
  const state = stateOf(work, id);
  putState(work, { ...state, open: state.open - 1 });
  if (state.open === 1) work.heard = queuePush(work.heard, id);
}

/** Keeps an answer until it is heard; its usage counts at once. One that nobody waits for is passed over. */
export function keepAnswer(work: Work, event: LlmSucceeded | LlmFailed): void {
  const { operation: id } = placeOf(event.id);
  const ask = knownAsk(work, event.id);
  if (ask?.status !== "asked" || ask.directive?.id !== event.id) return;
  const operation = operationOf(work, id);
  const spent = arrive(work, operation, event);
  const flaw = event.type === "llm.succeeded" ? answerFlaw(event) : null;
  const failed = event.type === "llm.failed";
  const answer: ThoughtsAnswer = {
    text: failed
      ? event.error.message
      : flaw === null
        ? answerText(event)
        : `The model stopped for this reason: ${event.finishReason}.`,
    lost: failed || flaw !== null,
    flaw,
    passing: failed && event.error.transient === true,
    ...spent,
  };
  putAsk(work, id, { ...ask, status: "answered", answer });
}

/** Takes in the oldest answer: what its operation makes of it, or a further try, or a failure. */
export function hearOldest(work: Work): void {
  const id = queueFront(work.asked) as string;
  work.asked = queueShift(work.asked);
  hear(work, id, true);
}

function hear(work: Work, id: string, mayRepeat: boolean): void {
  const ask = askOf(work, id);
  const operation = operationOf(work, placeOf(id).operation);
  const answer = ask.answer as ThoughtsAnswer;
  account(work, operation, ask);
  if (answer.lost && mayRepeat && mayAskAgain(work, operation, ask)) return;
  // Asked for in a form it failed, and without it did not: this model cannot answer in one.
  const isFormless = (ask.directive as LlmDirective).responseFormat === undefined;
  if (!answer.lost && ask.repeated > 0 && isFormless) {
    if (formatOf(work.spec, operation, ask) !== undefined) work.structured = false;
  }
  const heard = close(work, id);
  const kind = kindOf(operation.kind);
  if (!answer.lost) kind.answer(work, operation, heard, answer.text);
  else {
    const code = answer.flaw === null ? "model.failed" : `answer.${answer.flaw}`;
    fail(work, operation.id, ask.thought, code, answer.text);
    kind.lost?.(work, operation, heard);
  }
  countDown(work, operation);
}

/** Ends a run in the middle: the answers that are there are heard, and nothing further is begun. */
export function cutShort(work: Work, reason: Reason): void {
  for (const id of queueItems(work.asked)) {
    if (askOf(work, id).status === "answered") hear(work, id, false);
  }
  stop(work);
  for (const { id, status } of allStates(work)) {
    if (status === "running") outputOf(work, operationOf(work, id));
  }
  end(work, reason);
}
