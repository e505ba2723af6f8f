/**
 * Finds the first difference between a step of the present code and its journal line, with the recorded values
 * looked up in the lines and snapshots. Loading and checking a journal use it.
 */
import {
  type Compared,
  type Difference,
  describeDifference,
  firstDifferenceOf,
  type ReplayedStep,
  ROOT_RUN,
} from "../../core/journal/index.js";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../ports/ports.js";
import { LateValues } from "./late-values.js";
import { snapshotsOf, verifiedSnapshot } from "./snapshots.js";

/**
 * Finds the first difference of a step from its line; the journal is read up to that line.
 * @param linked the context of the run that this one goes on from, or `undefined`
 * @param run the path of the run whose step it is
 */
export async function explainDifference<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  replayed: ReplayedStep<Context>,
  linked: unknown,
  run: string,
): Promise<Difference> {
  const { seq } = replayed.line;
  const isRoot = run === ROOT_RUN;
  const recorded = await new LateValues(port, run).upTo(seq, isRoot ? linked : undefined);
  const later = isRoot ? await contextAfter(port, seq) : undefined;
  const found = firstDifferenceOf(comparedWith(reasoner, replayed, { ...recorded, later }));
  return isRoot ? found : { ...found, run };
}

/** Puts together what a step of a reasoner is compared with. */
export function comparedWith<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  { line, step, before, proof }: ReplayedStep<Context>,
  recorded: Pick<Compared<Context>, "values" | "recorded" | "later">,
): Compared<Context> {
  const own = reasoner as Reasoner<never, unknown, Context>;
  return { reasoner: own, line, step, proof, before, ...recorded };
}

/** A difference as the error that refuses to go on. */
export function diverged(difference: Difference): ReckonerError {
  return new ReckonerError(
    "journal.diverged",
    `The given reasoner does not do what the journal recorded; resume with the code that wrote it. ${describeDifference(difference)}`,
    { place: `event ${difference.seq}, ${difference.path}` },
  );
}

/** The context of the root in the first snapshot at or behind an event. */
export async function contextAfter(port: JournalPort, seq: number): Promise<unknown> {
  const later = (await snapshotsOf(port)).filter((each) => each.seq >= seq);
  const first = later.sort((a, b) => a.seq - b.seq)[0];
  if (first === undefined) return undefined;
  return (await verifiedSnapshot(port, first.seq))?.runs[0]?.state.context;
}
