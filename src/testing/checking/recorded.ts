/** Checks laws on recorded runs, by replaying their journals. */
import type { Reasoner } from "../../core/kernel/machine/index.js";
import { type JournalPort, replay } from "../../runtime/index.js";
import type { LawCount } from "./check-report.js";
import type { Law } from "./law.js";
import { type Breach, Monitor } from "./monitor.js";
import { isOver } from "./standstill.js";
import type { HistoryStep } from "./world.js";

/** A law that is broken in a journal, and at which event. */
export interface RecordedBreach extends Breach {
  readonly seq: number;
}

/** The laws' report on a journal. */
export interface RecordedReport {
  readonly events: number;
  /** Each law that is broken, at the first event where it is. */
  readonly breaches: readonly RecordedBreach[];
  readonly laws: readonly LawCount[];
  /**
   * The reason why it was not judged to its end: the reasoner at hand does something else than was
   * recorded.
   */
  readonly diverged?: string;
  /** The other facts to know: a torn last line, segments that other code wrote, missing parts. */
  readonly notices: readonly string[];
}

/**
 * Judges a journal by laws.
 * @throws ReckonerError `journal.*` where the journal cannot be read
 */
export async function checkRecordedRun<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  laws: readonly Law<NoInfer<Context>, never>[],
  journal: string | JournalPort,
): Promise<RecordedReport> {
  const monitor = new Monitor(laws);
  const breaches = new Map<string, RecordedBreach>();
  let memories = monitor.begin;
  let last: HistoryStep<Context> | undefined;
  const note = (found: readonly Breach[], seq: number) => {
    for (const each of found) if (!breaches.has(each.law)) breaches.set(each.law, { ...each, seq });
  };
  const report = await replay(reasoner, journal, {
    onStep(step) {
      if (!step.same) return;
      const looked = monitor.next(memories, step);
      memories = looked.memories;
      last = step;
      note(looked.breaches, step.step.state.seq);
    },
  });
  if (last !== undefined && report.status === "identical") {
    const { state } = last.step;
    if (isOver(state)) note(monitor.end(memories, state), state.seq);
  }
  // A check of only part of a run knows nothing of the events before it, or after it.
  const inPart = report.segments.some(({ checked }) => !checked);
  const unjudged = laws.filter(({ formula }) => inPart && isOfHistories(formula));
  const isJudged = (law: string) => !unjudged.some(({ name }) => name === law);
  return {
    events: report.events,
    breaches: [...breaches.values()].filter(({ law }) => isJudged(law)),
    laws: monitor.counts.filter(({ name }) => isJudged(name)),
    ...(report.status === "diverged"
      ? { diverged: `event ${report.difference.seq}: ${report.difference.path}` }
      : {}),
    notices: [
      ...report.notices,
      ...unjudged.map(
        ({ name }) =>
          `Not judged: ${JSON.stringify(name)} looks at whole runs, and part of this one was not checked.`,
      ),
    ],
  };
}

const isOfHistories = ({ memory, end }: Law<never, never>["formula"]): boolean =>
  memory !== undefined || end !== undefined;
