/**
 * `CheckReport`: the result of `check`, for programs and as text; with the lines of text that `ExploreReport`
 * has too, and the error that `mustHold` throws.
 */
import type { Counterexample } from "./counterexample.js";
import { NOTHING_LOST } from "./law-names.js";
import { type Count, neverReached, type Reached, unreachedLines } from "./reach.js";

/** A law, and how often it had something to say. */
export interface LawCount {
  readonly name: string;
  /** At how many steps it applied. */
  readonly applied: number;
  readonly broken: number;
}

/** The result of random runs. */
export interface CheckReport<Context = unknown> {
  /** No law is broken. */
  readonly ok: boolean;
  readonly runs: number;
  /** Events of all runs. */
  readonly events: number;
  readonly seed: number;
  readonly laws: readonly LawCount[];
  readonly reached: Reached;
  /** One for each law that is broken, the shortest that was found. */
  readonly counterexamples: readonly Counterexample<Context>[];
  /** Laws that never met what they speak of. */
  readonly warnings: readonly string[];
  /** The parts that were never reached, by name. */
  readonly unreached: readonly string[];
  /** All of it as text for a person. */
  readonly text: string;
}

/** Puts a report together. */
export function reportOf<Context>(
  of: Pick<
    CheckReport<Context>,
    "runs" | "events" | "seed" | "laws" | "reached" | "counterexamples"
  >,
): CheckReport<Context> {
  const { runs, events, seed, laws, reached, counterexamples } = of;
  const warnings = warningsOf(laws, counted(runs, "run"));
  const unreached = neverReached(reached);
  const ok = counterexamples.length === 0;
  const text = [
    ...counterexamples.map((each) => `${each.text}\n`),
    `${counted(runs, "run")}, ${counted(events, "event")}, seed ${seed}: ${runs === 0 ? "nothing was tried" : verdictOf(counterexamples)}`,
    ...lawLines(laws),
    ...reachedLines(reached),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...unreachedLines("never reached", reached),
  ].join("\n");
  return { ok, ...of, warnings, unreached, text };
}

/** Warns of laws that never applied. */
export function warningsOf(laws: readonly LawCount[], where: string): readonly string[] {
  return laws
    .filter(({ applied, name }) => applied === 0 && name !== NOTHING_LOST)
    .map(({ name }) => `"${name}" never met what it speaks of in ${where}`);
}

/** So many of something: one run, two runs. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Says how many laws are broken. */
export function verdictOf(counterexamples: readonly unknown[]): string {
  const { length } = counterexamples;
  return length === 0 ? "every law holds" : `${length} broken`;
}

/** Each law with how often it applied. */
export function lawLines(laws: readonly LawCount[]): readonly string[] {
  return laws.map(({ name, applied, broken }) =>
    broken === 0
      ? `  holds ${counted(applied, "time")}: ${name}`
      : `  BROKEN ${broken} of ${counted(applied, "time")}: ${name}`,
  );
}

/** Lists the reached parts, with counts. */
export function reachedLines({
  states,
  transitions,
  guards,
  directives,
}: Reached): readonly string[] {
  const share = (counts: readonly Count[]) =>
    `${counts.filter(({ count }) => count > 0).length} of ${counts.length}`;
  const words = directives.map(({ name, count }) => `${name} ${count}`).join(", ");
  return [
    `reached: states ${share(states)}, transitions ${share(transitions)}, guards' outcomes ${share(guards)}`,
    ...(words === "" ? [] : [`issued: ${words}`]),
  ];
}

/** Thrown by {@link mustHold}; its message is the report. */
export class LawBroken extends Error {
  readonly report: Pick<CheckReport, "ok" | "text">;
  constructor(report: Pick<CheckReport, "ok" | "text">) {
    super(report.text);
    this.name = "LawBroken";
    this.report = report;
  }
}

/**
 * For tests, in whatever test runner: the report, where every law holds.
 * @throws LawBroken with the counterexamples as its message
 */
export function mustHold<Report extends Pick<CheckReport, "ok" | "text">>(report: Report): Report {
  if (!report.ok) throw new LawBroken(report);
  return report;
}
