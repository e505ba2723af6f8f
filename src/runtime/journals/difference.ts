/** Completes a difference with the recorded value, looked up in the journal and its snapshots. */
import {
  type Difference,
  describeDifference,
  firstDifferenceOf,
  type RecordedDirective,
  RecordedValues,
  type ReplayedStep,
} from "../../core/journal/index.js";
import {
  asJson,
  isList,
  type Json,
  type List,
  type Reasoner,
  ReckonerError,
  refOf,
  toArray,
} from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import { readHistory } from "./history.js";
import { readSnapshot, snapshotsOf } from "./snapshots.js";

/**
 * The first difference of a step from its line. The journal is read once more, up to that line.
 * @param linked the context of the run that this one goes on from, or `undefined`
 */
export async function explainDifference<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  { line, step, before, proof }: ReplayedStep<Context>,
  linked: unknown,
): Promise<Difference> {
  const values = RecordedValues.recent();
  inherit(values, linked);
  let recorded: readonly RecordedDirective[] = [];
  for await (const each of readHistory(port)) {
    recorded = values.take(each.line);
    if ("event" in each.line && each.line.seq === line.seq) break;
  }
  return firstDifferenceOf({
    reasoner: reasoner as Reasoner<never, unknown, Context>,
    line,
    step,
    proof,
    before,
    values,
    recorded,
    later: await contextAfter(port, line.seq),
  });
}

/** A difference as the error that refuses to go on. */
export function diverged(difference: Difference): ReckonerError {
  return new ReckonerError(
    "journal.diverged",
    `The given reasoner does not do what the journal recorded; resume with the code that wrote it. ${describeDifference(difference)}`,
    { place: `event ${difference.seq}, ${difference.path}` },
  );
}

/** What the lists of a context that a run goes on from hold. */
export function inherit(values: RecordedValues, context: unknown): void {
  for (const value of Object.values((context ?? {}) as { readonly [field: string]: Json })) {
    if (!isList(value)) continue;
    const list = value as List<Json>;
    values.inherit(refOf(asJson(list)), toArray(list));
  }
}

/** The context of the first snapshot at or behind an event. */
async function contextAfter(port: JournalPort, seq: number): Promise<unknown> {
  const later = (await snapshotsOf(port)).filter((each) => each.seq >= seq);
  const first = later.sort((a, b) => a.seq - b.seq)[0];
  if (first === undefined) return undefined;
  const snapshot = await readSnapshot(port, first.seq);
  return typeof snapshot === "object" ? snapshot.state.context : undefined;
}
