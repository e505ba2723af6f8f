/**
 * Fault plans: what goes wrong around a live run, each fault a property, generated from a seed and
 * shrunk. With the virtual clock the same plan gives the same interleaving, to the byte.
 */
import fc from "fast-check";

/** The part of something that was done when it failed. */
export type Reached = "nothing" | "part" | "all";

/**
 * A crash of the process: in an append, in a call (of a model, a tool, a store, an approver), or at an
 * observation (a step, a repetition of an attempt), whose lines are durable and of which nothing has begun.
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

/** A fault of a call to a model, a tool, a store or an approver. */
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
  /** At this append of the next process another one has resumed the same run. */
  readonly takeover?: number | undefined;
  /** In each process but the last. */
  readonly calls?: readonly CallFault[] | undefined;
  readonly jumps?: readonly Jump[] | undefined;
  /** The clock stands still after an event of the first number, and goes on after one of the second. */
  readonly stands?: readonly [from: number, until: number] | undefined;
  /**
   * Nobody approves in the process: each approval is decided from outside, so many steps of the process after it
   * was asked for, so that some of it arrives as the run comes to wait.
   */
  readonly decisions?: readonly number[] | undefined;
  /** After takes of these numbers the driver is dropped, and another goes on with its lines and what is in flight. */
  readonly handovers?: readonly number[] | undefined;
  /** From this process on, counted from 0, the run goes on under another configuration. */
  readonly upgrade?: number | undefined;
}

const number = fc.nat({ max: 8 });
const reached = fc.constantFrom<Reached>("nothing", "part", "all");

const fields = {
  crashes: fc.array(
    fc.record({
      in: fc.constantFrom("append", "append", "call", "observation"),
      at: number,
      reached,
    }),
    { minLength: 1, maxLength: 3 },
  ),
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
  handovers: fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 4 }),
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
