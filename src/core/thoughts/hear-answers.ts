/**
 * Changes the context of a run of thoughts at the transitions of its chart (`machine.ts`): begins operations,
 * keeps an answer until its turn comes, takes in the oldest one, asks what budgets allow, ends at the
 * deadline. It is the same for all policies and kinds of operations.
 */

import { emptyTable, emptyVector, tableSize, vectorOf, withParts } from "../kernel/values/index.js";
import {
  addUsage,
  answerFlaw,
  type LlmDirective,
  type LlmSucceeded,
  type SeenEvent,
} from "../kernel/vocabulary/index.js";
import { account, chargeOf, send, verdict } from "./budget.js";
import type { Ask, Entry, Reason, Version } from "./context.js";
import { end, stop } from "./end.js";
import { queueFront, queueItems, queuePush, queueShift } from "./fifo.js";
import { answerText, mayAskAgain } from "./operations/ask.js";
import { kindOf } from "./operations/index.js";
import type { Operation } from "./operations/operation.js";
import { formatOf } from "./parsing/format.js";
import { decidedAfter } from "./policies/decide.js";
import { PolicyFault } from "./policies/policy-fault.js";
import { reaches } from "./whole-thoughts.js";
import {
  allStates,
  askOf,
  fail,
  findAsk,
  inputsOf,
  operationOf,
  placeOf,
  putAsk,
  putState,
  stateOf,
  type Work,
} from "./work-on-context.js";

/** A policy that begins so many operations in one step goes round in a circle. */
const MAX_AT_ONCE = 100_000;

/** Begins a run: the policy says what begins. */
export function begin(work: Work): void {
  const { deadline } = work.budgets;
  if (deadline !== null) work.outbox.push({ type: "timer", id: DEADLINE, until: deadline });
  for (const id of decidedAfter(work, null)) start(work, id);
}

/** The id of the one timer. */
export const DEADLINE = "timer/deadline";

/**
 * Concludes the operations of which all answers were heard, and begins what the policy decides after each;
 * those that ask nothing are concluded where they begin.
 */
export function concludeAndDecide(work: Work): void {
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
    const { use } = stateOf(work, id);
    const inputs = inputsOf(work, id);
    const output = outputOf(work, operation);
    work.running -= 1;
    const { until } = work.spec.policy;
    if (until !== undefined && !work.reached) {
      work.reached = output.some((entry) => reaches(work, entry, until));
    }
    for (const begun of decidedAfter(work, { id, use, inputs, output })) {
      start(work, begun);
    }
  }
}

function start(work: Work, id: string): void {
  const operation = operationOf(work, id);
  const inputs = inputsOf(work, id);
  work.running += 1;
  if (inputs.length > 0 && !isPassed(work, operation)) {
    kindOf(operation.kind).begin(work, operation, inputs);
  }
  if (stateOf(work, id).open === 0) work.heard = queuePush(work.heard, id);
}

/** Returns true when the operation makes no more model calls and passes its thoughts on. */
function isPassed(work: Work, operation: Operation): boolean {
  return work.reached && kindOf(operation.kind).asks(operation);
}

/** Marks an operation as done; returns what it hands on. */
function outputOf(work: Work, operation: Operation): readonly Entry[] {
  const { id } = operation;
  const state = stateOf(work, id);
  const inputs = inputsOf(work, id);
  const { until } = work.spec.policy;
  const output =
    inputs.length === 0
      ? []
      : isPassed(work, operation) && tableSize(state.asks) === 0
        ? inputs.filter((entry) => until !== undefined && reaches(work, entry, until))
        : kindOf(operation.kind).close(work, operation, inputs);
  // Its questions and inputs are not needed any more; the state need not carry them on.
  const over = {
    inputs: emptyVector<Entry>(),
    asks: emptyTable<Ask>(),
    versions: emptyTable<Version>(),
  };
  putState(work, { ...state, ...over, status: "done", output: vectorOf(output) });
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
  const closed: Ask = withParts(ask, { status: "done" as const, directive: null, answer: null });
  putAsk(work, placeOf(id).operation, closed);
  work.rooms -= ask.rooms;
  return closed;
}

function countDown(work: Work, { id }: Operation): void {
  const state = stateOf(work, id);
  putState(work, withParts(state, { open: state.open - 1 }));
  if (state.open === 1) work.heard = queuePush(work.heard, id);
}

/** An event that settles a call. */
type Settled = Extract<SeenEvent, { readonly type: "llm.succeeded" | "llm.failed" }>;

/** Keeps an answer until it is heard; its usage counts at once. One that nobody waits for is passed over. */
export function keepAnswer(work: Work, event: Settled): void {
  const { operation: id } = placeOf(event.id);
  const ask = findAsk(work, event.id);
  if (ask?.status !== "asked" || ask.directive?.id !== event.id) return;
  const { directive: _asked, ...answer } = event;
  work.usage = addUsage(work.usage, chargeOf(work, operationOf(work, id), answer));
  putAsk(work, id, withParts(ask, { status: "answered" as const, answer }));
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
  const loss = lossOf(ask);
  account(work, operation, ask);
  if (loss !== undefined && mayRepeat && mayAskAgain(work, operation, ask, loss.code)) return;
  // Asked for in a form it failed, and without it did not: this model cannot answer in one.
  const isFormless = (ask.directive as LlmDirective).responseFormat === undefined;
  if (loss === undefined && ask.repeated > 0 && isFormless) {
    if (formatOf(work.spec, operation, ask) !== undefined) work.structured = false;
  }
  const heard = close(work, id);
  const kind = kindOf(operation.kind);
  if (loss === undefined) kind.answer(work, operation, heard, answerText(ask));
  else {
    fail(work, operation.id, ask.thought, loss.code, loss.message);
    kind.lost?.(work, operation, heard);
  }
  countDown(work, operation);
}

/** Returns why there is no answer to believe: the code of the failure, and its words. */
function lossOf({ answer }: Ask): { readonly code: string; readonly message: string } | undefined {
  if (answer?.type === "llm.failed") return { code: "model.failed", message: answer.error.message };
  const { finishReason } = answer as LlmSucceeded;
  const flaw = answerFlaw(answer as LlmSucceeded);
  const message = `The model stopped for this reason: ${finishReason}.`;
  return flaw === null ? undefined : { code: `answer.${flaw}`, message };
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
