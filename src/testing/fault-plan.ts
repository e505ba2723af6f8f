/**
 * Plans of faults: what goes wrong around a live run, each fault a field, drawn by a seed and shrunk to
 * those that matter. With the virtual clock the same plan gives the same interleaving, to the byte.
 */
import fc from "fast-check";

/** How much of an append has reached the disk when the process dies. */
export type Reached = "nothing" | "part" | "all";

/** The process dies in an append: before it, within it, after it. */
export interface Crash {
  /** Number of the append, from 0 in each process. */
  readonly at: number;
  readonly reached: Reached;
}

/** An append that fails: the process is told, and can write no more. */
export interface WriteFailure {
  readonly at: number;
  readonly code: "EIO" | "ENOSPC" | "EMFILE" | "ECONNRESET";
  /** A short write: half of it stands there. */
  readonly short: boolean;
}

/** What goes wrong. */
export interface FaultPlan {
  /** One for each process in turn. */
  readonly crashes: readonly Crash[];
  /** In the process after the crashes. */
  readonly failure?: WriteFailure;
  /** At this append of the next process another one has resumed the same run. */
  readonly takeover?: number;
  /** After these events the clock jumps, in milliseconds. */
  readonly jumps: readonly { readonly seq: number; readonly ms: number }[];
}

const place = fc.nat({ max: 8 });

/** Plans of faults; the plainest has none. */
export function faultPlan(): fc.Arbitrary<FaultPlan> {
  const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  return fc
    .record({
      crashes: fc.array(
        fc.record({ at: place, reached: fc.constantFrom<Reached>("nothing", "part", "all") }),
        { maxLength: 4 },
      ),
      failure: rarely(
        fc.record({
          at: place,
          code: fc.constantFrom("EIO", "ENOSPC", "EMFILE", "ECONNRESET"),
          short: fc.boolean(),
        }),
      ),
      takeover: rarely(place),
      jumps: fc.array(fc.record({ seq: place, ms: fc.constantFrom(1, 1_000, 86_400_000) }), {
        maxLength: 2,
      }),
    })
    .map(({ failure, takeover, ...plan }) => ({
      ...plan,
      ...(failure === undefined ? {} : { failure }),
      ...(takeover === undefined ? {} : { takeover }),
    })) as fc.Arbitrary<FaultPlan>;
}
