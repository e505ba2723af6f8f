/** What a search of all runs came to. */
import type { Counterexample } from "./counterexample.js";
import { neverReached, type Reached, unreachedLines } from "./reach.js";
import { counted, type LawCount, lawLines, reachedLines, verdictOf, warningsOf } from "./report.js";

/** What runs beyond the bound came to. */
export interface Scheduled {
  readonly runs: number;
  readonly events: number;
  /** What they promise, as a sentence. */
  readonly guarantee: string;
}

/** What a search came to. */
export interface ExploreReport<Context = unknown> {
  /** No law is broken. */
  readonly ok: boolean;
  /** States that differ. */
  readonly states: number;
  /** Steps that were taken. */
  readonly steps: number;
  /** Steps that were left out, since another order of the same answers leads to the same. */
  readonly saved: number;
  /** Kinds of pairs of answers that commute. */
  readonly commuting: number;
  /** Events of the longest run. */
  readonly depth: number;
  readonly seconds: number;
  /** It went no further behind a law that is broken, or found as many of them as it may. */
  readonly halted: boolean;
  /** What the search was cut off by; absent where these are all the states there are. */
  readonly bounded: "depth" | "states" | "seconds" | undefined;
  readonly laws: readonly LawCount[];
  readonly reached: Reached;
  readonly counterexamples: readonly Counterexample<Context>[];
  readonly warnings: readonly string[];
  /** What was never reached; where nothing was cut off or halted, it never can be. */
  readonly unreached: readonly string[];
  readonly scheduled: Scheduled | undefined;
  /** All of it as text for a person, but for the time that it took. */
  readonly text: string;
}

/** Puts a report together. */
export function exploreReport<Context>(
  of: Omit<ExploreReport<Context>, "ok" | "warnings" | "unreached" | "text">,
): ExploreReport<Context> {
  const {
    states,
    steps,
    saved,
    depth,
    bounded,
    halted,
    laws,
    reached,
    counterexamples,
    scheduled,
  } = of;
  const runs = scheduled === undefined ? "" : ` and ${counted(scheduled.runs, "run")} beyond them`;
  const warnings = warningsOf(laws, `${counted(states, "state")}${runs}`);
  const unreached = neverReached(reached);
  const isAll = bounded === undefined && !halted;
  const extent =
    bounded === undefined
      ? halted
        ? "all up to where a law is broken"
        : "all there are"
      : `cut off by the bound on ${bounded}; there are more`;
  const unseen = isAll
    ? "can never be reached"
    : bounded === undefined
      ? "not reached where no law is broken"
      : `not reached within the bound${scheduled === undefined ? "" : " or beyond it"}`;
  const text = [
    ...counterexamples.map((each) => `${each.text}\n`),
    `${counted(states, "state")} (${extent}), ${counted(steps, "step")}, ${saved} left out, depth ${depth}: ${verdictOf(counterexamples)}`,
    ...(scheduled === undefined
      ? []
      : [
          `beyond it ${counted(scheduled.runs, "run")}, ${counted(scheduled.events, "event")}: ${scheduled.guarantee}`,
        ]),
    ...lawLines(laws),
    ...reachedLines(reached),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...unreachedLines(unseen, reached),
  ].join("\n");
  return { ok: counterexamples.length === 0, ...of, warnings, unreached, text };
}
