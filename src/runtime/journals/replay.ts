/** `replay` and `fold`: a journal through a reasoner, without the world. */
import { type HeaderLine, isHeaderLine } from "../../core/journal/index.js";
import type { RunState } from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import { type ReplayReport, StretchChecker } from "./check-stretches.js";
import { journalAt } from "./journal-place.js";
import { loadRun } from "./load.js";
import { readLines, tornNotice } from "./read-journal.js";
import { type ReasonerVersions, reasonersOf } from "./upgrade.js";

/**
 * Checks that a reasoner does exactly what a journal recorded: every line is verified, every event
 * folded, every directive and the whole state compared. Nothing is run and nothing is written. The
 * stretches of a run that was upgraded are each compared with the reasoner whose configuration they
 * have; one that nobody has is reported as not checked. The last one (or the only one) is compared
 * with the first reasoner, where none has its configuration: what would this code have done?
 * @returns `identical`, or `diverged` with the first difference and both its values
 * @throws ReckonerError `journal.*` where the journal cannot be read
 */
export async function replay<Input, Output, Context>(
  reasoner: ReasonerVersions<Input, Output, Context>,
  journal: string | JournalPort,
): Promise<ReplayReport> {
  const port = await journalAt(journal);
  const checker = new StretchChecker<Input, Output, Context>(reasonersOf(reasoner), port);
  const torn: string[] = [];
  for await (const line of readLines(port, (bytes) => torn.push(tornNotice(bytes)))) {
    if (isHeaderLine(line.line)) await checker.begin(line.line);
    else if (!checker.take(line)) break;
  }
  const report = await checker.report();
  return { ...report, notices: [...torn, ...report.notices] };
}

/** A folded journal. */
export interface Folded<Context> {
  readonly header: HeaderLine;
  /** The state after the last event folded; absent where the journal holds no event. */
  readonly state: RunState<Context> | undefined;
  /** How many events were folded. */
  readonly events: number;
  /** An unterminated last line was dropped. */
  readonly torn: boolean;
}

/**
 * Folds a journal to the state after its last event, or after the event `until`, whatever else the
 * reasoner at hand does than was recorded.
 * @throws ReckonerError `journal.*` where the journal cannot be read
 */
export async function fold<Input, Output, Context>(
  reasoner: ReasonerVersions<Input, Output, Context>,
  journal: string | JournalPort,
  until?: number,
): Promise<Folded<Context>> {
  const port = await journalAt(journal);
  const options = { lenient: true, ...(until === undefined ? {} : { until }) };
  const { header, state, notices } = await loadRun(reasonersOf(reasoner), port, options);
  return {
    header,
    state,
    events: state === undefined ? 0 : state.seq + 1,
    torn: notices.some(({ code }) => code === "journal.torn"),
  };
}
