/**
 * `ExploreReport`: the result of `explore` (states, laws, counterexamples, parts never reached), and its
 * text. The result of `check` is in `check-report.ts`.
 */

import {
  type CheckReport,
  counted,
  lawLines,
  reachedLines,
  verdictOf,
  warningsOf,
} from "./check-report.js";
import { neverReached, unreachedLines } from "./reach.js";

/** The result of the runs beyond the bound. */
export interface Scheduled {
  readonly runs: number;
  readonly events: number;
  /** Their guarantee, as a sentence. */
  readonly guarantee: string;
}

/** The result of a search. */
export interface ExploreReport<Context = unknown>
  extends Omit<CheckReport<Context>, "runs" | "events" | "seed"> {
  /** Distinct states. */
  readonly states: number;
  /** Steps that were taken. */
  readonly steps: number;
  /** Steps that were skipped, since another order of the same settlements gives the same state. */
  readonly saved: number;
  /** Kinds of pairs of answers that commute. */
  readonly commuting: number;
  /** Events of the longest run. */
  readonly depth: number;
  readonly seconds: number;
  /** The search stopped at a broken law, or found the maximal number of counterexamples. */
  readonly halted: boolean;
  /** The bound that cut the search off; absent if these are all states. */
  readonly bounded: "depth" | "states" | "seconds" | "alphabet" | undefined;
  /** The kinds that the alphabet left out: `answers to llm`. */
  readonly cut: readonly string[];
  /** The parts that were never reached; where nothing was cut off or halted, they never can be. */
  readonly unreached: readonly string[];
  /** Those of `unreached` that this search proves to be dead: it saw all runs, and nothing was left untried. */
  readonly dead: readonly string[];
  readonly scheduled: Scheduled | undefined;
  /** All of it as text for a person, but for the time that it took. */
  readonly text: string;
}

/** Puts a report together. */
export function exploreReport<Context>(
  facts: Omit<ExploreReport<Context>, "ok" | "warnings" | "unreached" | "dead" | "text"> & {
    /** The events that users may send and nobody tried. */
    readonly untried: readonly string[];
  },
): ExploreReport<Context> {
  const { untried, ...of } = facts;
  const {
    states,
    steps,
    saved,
    depth,
    bounded,
    cut,
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
  const isTaken = (type: string) =>
    reached.transitions.some(({ name }) => name.split(": ")[1]?.split(" ")[0] === type);
  const without = untried.filter(isTaken).map((type) => `${type}s`);
  const isProof = isAll && without.length === 0;
  const unseen = isAll
    ? isProof
      ? "can never be reached"
      : `never reached without ${without.join(" and ")}`
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
    ...(cut.length === 0
      ? []
      : [`left out, for the alphabet lets in no more of them: ${cut.join(", ")}`]),
    ...lawLines(laws),
    ...reachedLines(reached),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...unreachedLines(unseen, reached),
  ].join("\n");
  return {
    ok: counterexamples.length === 0,
    ...of,
    warnings,
    unreached,
    dead: isProof ? unreached : [],
    text,
  };
}
