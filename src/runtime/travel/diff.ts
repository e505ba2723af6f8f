/** `diff`: two journals compared, without any code of their runs. */
import { diffRuns, type RunDiff, RunRecord } from "../../core/journal/index.js";
import { readHistory } from "../journals/history.js";
import { journalAt } from "../journals/journal-place.js";
import { emptyJournal } from "../journals/read-journal.js";
import type { JournalPort } from "../ports.js";

/**
 * Where two runs part, and what became of each. Of a fork its shared past is compared as well.
 * @throws ReckonerError `journal.*` where one of them cannot be read
 */
export async function diff(a: string | JournalPort, b: string | JournalPort): Promise<RunDiff> {
  return diffRuns(await recordOf(await journalAt(a)), await recordOf(await journalAt(b)));
}

/** @internal */
export async function recordOf(port: JournalPort): Promise<RunRecord> {
  const record = new RunRecord();
  for await (const { line } of readHistory(port)) record.take(line);
  if (record.header === undefined) throw emptyJournal(port);
  return record;
}
