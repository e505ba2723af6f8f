/**
 * Fault plans: what goes wrong around a live run, each fault a property, generated from a seed and
 * shrunk. With the virtual clock the same plan gives the same interleaving, to the byte.
 */
import fc from "fast-check";
import type { Reached } from "./text-journal.js";

/**
 * A crash of the process: in an append, in a call (of a model, a tool, a store, an approver, a
 * timer), or at an observation (a step, a start, a notice, a notify).
 */
export interface Crash {
  readonly in: "append" | "call" | "observation";
  /** Its number, from 0 in each process. */
  readonly at: number;
  /**
   * Before it, within it or after it. An append has then reached the disk not at all, in part or
   * whole; a call was not made, was made, or has given what nobody is told any more.
   */
  readonly reached: Reached;
}

/** Codes of system errors. */
export type SystemCode = "EIO" | "ENOSPC" | "EMFILE" | "ECONNRESET";

/** A call of the journal fails with an error. */
export interface StorageFailure {
  readonly in: "append" | "open" | "read" | "snapshot";
  readonly at: number;
  readonly code: SystemCode;
  /**
   * The extent to which it was done all the same. Of an append `part` is a short write and `all` a sync
   * that failed; of a snapshot `nothing` is a rename that failed, and `part` a snapshot that is torn.
   */
  readonly reached: Reached;
}

/** A fault of a call to a model, a tool, a store, an approver or a timer. */
export interface CallFault {
  readonly at: number;
  /**
   * `late`: the answer comes `ms` later than it would, behind others; `twice`: it comes, and then
   * another one; `never`: it does not come, whoever stops it; `refused`: there is no connection;
   * `lost`: what was asked is done, and the connection is lost before the answer.
   */
  readonly how: "late" | "twice" | "never" | "refused" | "lost";
  readonly ms?: number | undefined;
}

/** After an event of this number the clock jumps ahead, or is set back, by so many milliseconds. */
export interface Jump {
  readonly seq: number;
  readonly ms: number;
}

/** A plan of faults. In the last process, which completes the run, only the clock is faulty. */
export interface FaultPlan {
  /** One for each process in turn. */
  readonly crashes?: readonly Crash[] | undefined;
  /** In the process after the crashes. */
  readonly failure?: StorageFailure | undefined;
  /** At this append of the next process another one has resumed the same run. */
  readonly takeover?: number | undefined;
  /** In each process but the last. */
  readonly calls?: readonly CallFault[] | undefined;
  readonly jumps?: readonly Jump[] | undefined;
  /** The clock stands still after an event of the first number, and goes on after one of the second. */
  readonly stands?: readonly [from: number, until: number] | undefined;
  /**
   * Nobody approves in the process: each approval is decided from outside, so many turns of the
   * microtask queue after it was asked for, so that some of it races with the run's rest.
   */
  readonly decisions?: readonly number[] | undefined;
  /** From this process on, counted from 0, the run goes on under another configuration. */
  readonly upgrade?: number | undefined;
}

const number = fc.nat({ max: 8 });
const reached = fc.constantFrom<Reached>("nothing", "part", "all");
const systemCode = fc.constantFrom<SystemCode>("EIO", "ENOSPC", "EMFILE", "ECONNRESET");

const fields = {
  crashes: fc.array(
    fc.record({
      in: fc.constantFrom("append", "append", "call", "observation"),
      at: number,
      reached,
    }),
    { minLength: 1, maxLength: 3 },
  ),
  failure: fc.record({
    in: fc.constantFrom("append", "snapshot", "open", "read"),
    at: number,
    code: systemCode,
    reached,
  }),
  takeover: number,
  calls: fc.array(
    fc.record({
      at: number,
      how: fc.constantFrom("late", "twice", "never", "refused", "lost"),
      ms: fc.constantFrom(1, 60, 1_000_000),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  jumps: fc.array(
    fc.record({ seq: number, ms: fc.constantFrom(1, 1_000, 86_400_000, -1, -86_400_000) }),
    { minLength: 1, maxLength: 2 },
  ),
  stands: fc.tuple(number, fc.constantFrom(1, 4, 1_000)),
  decisions: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 3 }),
  upgrade: fc.nat({ max: 3 }),
} as const;

/** Each fault is there in one plan of three: two or three of them meet. */
function rarely(fault: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const none = { weight: 2, arbitrary: fc.constant(undefined) };
  return fc.oneof({ withCrossShrink: true }, none, { weight: 1, arbitrary: fault });
}

/** Plans of faults; the plainest has none. */
export function faultPlan(): fc.Arbitrary<FaultPlan> {
  const drawn = Object.entries(fields).map(([name, fault]) => [name, rarely(fault)]);
  return fc
    .record(Object.fromEntries(drawn) as { [name: string]: fc.Arbitrary<unknown> })
    .map((plan) =>
      Object.fromEntries(Object.entries(plan).filter(([, fault]) => fault !== undefined)),
    );
}
