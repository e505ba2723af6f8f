/**
 * `Work`: a mutable copy of the context of a run of thoughts for one step, with the functions by which
 * operations and policies read and change it. It becomes the next context when the step is done; nothing
 * outside the step sees it.
 */

import {
  isUnawaited,
  pushItem,
  sealOwn,
  type Table,
  tableGet,
  tableSet,
  tableSize,
  tableValues,
  vectorItem,
  vectorItems,
  withParts,
} from "../kernel/values/index.js";
import { type Directive, describeThrown } from "../kernel/vocabulary/index.js";
import type { Ask, Entry, OperationState, ThoughtsContext } from "./context.js";
import { getThought, updateThought } from "./graph/graph.js";
import type { Thought } from "./graph/thought.js";
import type { Problem } from "./operations/functions.js";
import type { Operation } from "./operations/operation.js";
import { PolicyFault } from "./policies/policy-fault.js";
import type { ThoughtsSpec } from "./spec.js";

/** The id of every run's first thought. */
export const ROOT = "root";

/** A context under change, with the configuration it runs on. */
export type Work = {
  -readonly [K in keyof Omit<ThoughtsContext, "outbox">]: ThoughtsContext[K];
} & {
  readonly outbox: Directive[];
  readonly spec: ThoughtsSpec;
  readonly at: number;
  /** Where operations stand that the step has moved; a step moves one several times, and notes it once. */
  readonly moved: Map<string, OperationState>;
};

/** A step's own copy of a context. */
export function workOn(context: ThoughtsContext, spec: ThoughtsSpec, at: number): Work {
  return withParts(context, { outbox: [...context.outbox], spec, at, moved: new Map() });
}

/** The context that a step's work came to. */
export function contextOf(work: Work): ThoughtsContext {
  noteMoved(work);
  const { spec: _spec, at: _at, moved: _moved, ...context } = work;
  return context;
}

function noteMoved(work: Work): void {
  for (const [id, state] of work.moved) {
    work.operations = tableSet(work.operations, id, sealOwn(state));
  }
  work.moved.clear();
}

/** Returns the number of operations that have begun. */
export function begunCount(work: Work): number {
  noteMoved(work);
  return tableSize(work.operations);
}

/** The standing of all operations that have begun. */
export function allStates(work: Work): readonly OperationState[] {
  noteMoved(work);
  return tableValues(work.operations as Table<OperationState>);
}

/** A thought that is known to be there. */
export function thoughtOf(work: Work, id: string): Thought {
  return getThought(work.graph, id) as Thought;
}

/** A thought as an operation hands it on when nothing was said of it yet. */
export function entryOf(id: string): Entry {
  return { id, score: null, valid: null, solved: null };
}

/** A thought as an operation hands it on, with what the graph says of it. */
export function entryOfThought({ id, score, valid, solved }: Thought<object>): Entry {
  return { id, score, valid, solved };
}

/**
 * A thought with the verdicts of an entry's way in place of the graph's: as functions of a task see it,
 * and the step goes on with it.
 */
export function seenAs(work: Work, { id, score, valid, solved }: Entry): Thought {
  return Object.freeze({ ...thoughtOf(work, id), score, valid, solved });
}

/** Returns the problem as functions of a task see it. */
export function problemOf(work: Work): Problem {
  const root = thoughtOf(work, ROOT);
  return { prompt: root.content, problem: root.state };
}

/** The standing of an operation, if it has begun. */
export function findState(work: Work, id: string): OperationState | undefined {
  return work.moved.get(id) ?? tableGet(work.operations, id);
}

/** Returns the state of an operation that is known to be there. */
export function stateOf(work: Work, id: string): OperationState {
  return findState(work, id) as OperationState;
}

/** Returns an operation's output; nothing where it is not done. */
export function outputsOf(work: Work, id: string): readonly Entry[] {
  const state = findState(work, id);
  return state === undefined ? [] : vectorItems(state.output);
}

/** The thoughts that an operation takes. */
export function inputsOf(work: Work, id: string): readonly Entry[] {
  return vectorItems(stateOf(work, id).inputs);
}

/** One of the thoughts that an operation takes. */
export function inputOf(work: Work, id: string, source: number): Entry {
  return vectorItem(stateOf(work, id).inputs, source) as Entry;
}

/** Notes where an operation stands. */
export function putState(work: Work, state: OperationState): void {
  work.moved.set(state.id, state);
}

/** The operation and the path in a call's id. */
export function placeOf(id: string): { readonly operation: string; readonly path: string } {
  const from = id.indexOf("/") + 1;
  const middle = id.indexOf("/", from);
  const again = id.indexOf("/again/", middle);
  const path = id.slice(middle + 1, again < 0 ? undefined : again);
  return { operation: id.slice(from, middle), path };
}

/** The question behind a call, where its operation is there and knows it. */
export function findAsk(work: Work, id: string): Ask | undefined {
  const { operation, path } = placeOf(id);
  const state = findState(work, operation);
  return state === undefined ? undefined : tableGet(state.asks, path);
}

/** The question behind a call that is known to be there. */
export function askOf(work: Work, id: string): Ask {
  return findAsk(work, id) as Ask;
}

/** Notes where a question stands. */
export function putAsk(work: Work, operation: string, ask: Ask): void {
  const state = stateOf(work, operation);
  putState(work, withParts(state, { asks: tableSet(state.asks, ask.path, sealOwn<Ask>(ask)) }));
}

/** An operation that has begun: the policy's, under its own id. */
export function operationOf(work: Work, id: string): Operation {
  const { use } = stateOf(work, id);
  const operation = work.spec.policy.operations.get(use);
  if (operation === undefined) throw new PolicyFault(`it has no operation ${use}`);
  return withParts(operation, { id }) as Operation;
}

/** Counts a failure of one thought; the run goes on. */
export function fail(
  work: Work,
  operation: string,
  thought: string,
  code: string,
  message?: string,
): void {
  const detail = message === undefined ? {} : { message };
  work.failures = pushItem(work.failures, { operation, thought, code, ...detail });
  const failures = thoughtOf(work, thought).failures + 1;
  work.graph = updateThought(work.graph, thought, { failures });
}

/** The answer of validators. */
export const A_BOOLEAN = {
  is: (answer: unknown): boolean => typeof answer === "boolean",
  otherwise: "notABoolean",
};

/** Calls a function of a task or of a policy: its result, or how it failed. */
export function trial<T>(
  call: () => T,
): { readonly answer: T } | { readonly how: "threw" | "async"; readonly why: string } {
  try {
    const answer = call();
    if (!isUnawaited(answer)) return { answer };
    return { how: "async", why: "it is async, and the core is synchronous" };
  } catch (thrown) {
    return { how: "threw", why: describeThrown(thrown) };
  }
}

/**
 * Calls a function of the task; `undefined` and a counted failure where it throws, answers with a promise,
 * or with something else than it should.
 * @param must tests the answer, and ends the failure's code: `validator.notABoolean`
 */
export function attempt<T>(
  work: Work,
  { id }: { readonly id: string },
  thought: string,
  what: string,
  call: () => T,
  must?: { readonly is: (answer: unknown) => boolean; readonly otherwise: string },
): { readonly answer: T } | undefined {
  const outcome = trial(call);
  if ("how" in outcome) fail(work, id, thought, `${what}.${outcome.how}`, outcome.why);
  else if (must?.is(outcome.answer) !== false) return outcome;
  else fail(work, id, thought, `${what}.${must.otherwise}`);
  return undefined;
}

/**
 * Notes a verdict on a thought in the graph. Operations are concluded in the order in which they asked, so of
 * several that judge the same thought the one that is concluded last has the last word.
 */
export function judge(
  work: Work,
  id: string,
  verdict: { score: number; scoredBy: string } | { valid: boolean } | { solved: boolean },
): void {
  work.graph = updateThought(work.graph, id, verdict);
}
