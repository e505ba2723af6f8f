/** `diff`: two journals compared, without any code of their runs. */
import {
  type ChildParting,
  diffRuns,
  isEventLine,
  type Parting,
  type RunDiff,
  RunRecord,
} from "../../core/journal/index.js";
import { isSettlement } from "../../core/kernel/index.js";
import { readHistory } from "../journals/history.js";
import { journalAt } from "../journals/journal-place.js";
import { emptyJournal, findHeader } from "../journals/read-journal.js";
import type { JournalPort } from "../ports.js";

/**
 * Where two runs part, and what became of each. Of a fork its shared past is compared as well; where a
 * child run is what they part by, so are its journals.
 * @throws ReckonerError `journal.*` where one of them cannot be read
 */
export async function diff(a: string | JournalPort, b: string | JournalPort): Promise<RunDiff> {
  return diffOf(await journalAt(a), await journalAt(b));
}

async function diffOf(a: JournalPort, b: JournalPort): Promise<RunDiff> {
  const found = diffRuns(await recordOf(a), await recordOf(b));
  const { parting } = found;
  if (parting === undefined) return found;
  const child = await childParting(a, b, parting);
  return child === undefined ? found : { ...found, parting: { ...parting, child } };
}

/** Where a child run parts by which its parents do; absent where one has no journal of it. */
async function childParting(
  a: JournalPort,
  b: JournalPort,
  { kind, cause, seqA, seqB }: Parting,
): Promise<ChildParting | undefined> {
  if (kind !== "child run" || seqA === undefined || seqB === undefined) return undefined;
  const [left, right] = [await childOf(a, cause), await childOf(b, cause)];
  if (left === undefined || right === undefined) return undefined;
  const { parting } = await diffOf(left, right);
  return parting === undefined ? undefined : { a: left.name, b: right.name, parting };
}

/** The journal of a child run: beside that of its parent in which it settled. */
async function childOf(port: JournalPort, id: string): Promise<JournalPort | undefined> {
  for await (const { line, port: at } of readHistory(port)) {
    if (!isEventLine(line) || !isSettlement(line.event) || line.event.id !== id) continue;
    const child = at.child?.(id);
    const header = child === undefined ? undefined : await findHeader(child);
    return header === undefined ? undefined : child;
  }
  return undefined;
}

/** @internal */
export async function recordOf(port: JournalPort): Promise<RunRecord> {
  const record = new RunRecord();
  for await (const { line } of readHistory(port)) record.take(line);
  if (record.header === undefined) throw emptyJournal(port);
  return record;
}
