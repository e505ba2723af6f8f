/**
 * Counts the writes that a run and its children made to stores after a cut: stores are not forked,
 * so the caller is told. Children that cannot be read are not counted.
 */
import { isReckonerError } from "../../core/kernel/index.js";
import { isChildOf } from "../journals/child-journal.js";
import { findHeader } from "../journals/read-journal.js";
import type { JournalPort } from "../ports.js";
import { behindMoment, behindTime, type IsBehind, type Looked, lookThrough } from "./find-cut.js";

/** How many writes there were, by their stores. */
export type Writes = Looked["writes"];

/** @param time at which the children were cut; absent where that is the cut's next event */
export async function writesAfterCut(looked: Looked, time: number | undefined): Promise<Writes> {
  const { cut, behind, runs } = looked;
  const sums = new Map(Object.entries(looked.writes));
  if (behind === undefined && time === undefined) return looked.writes;
  for (const { id, parent } of runs) {
    const port = parent.port.child?.(id);
    const isOpen = cut?.owed.has(id) ?? false;
    const isBehind = !isOpen || cut === undefined ? () => true : childIsAfterCut(cut, time);
    const child = port === undefined ? undefined : await lookedAt(port, isBehind, parent, id);
    if (child === undefined) continue;
    for (const [store, count] of Object.entries(await writesAfterCut(child, time))) {
      sums.set(store, (sums.get(store) ?? 0) + count);
    }
  }
  return Object.fromEntries(sums);
}

/** What of an open child is behind a cut of its parent. */
export function childIsAfterCut(
  cut: NonNullable<Looked["cut"]>,
  time: number | undefined,
): IsBehind {
  return time === undefined ? behindMoment(cut) : behindTime(time);
}

/** A child's journal, looked through; nothing where it is not there, is another run's, or is damaged. */
async function lookedAt(
  port: JournalPort,
  isBehind: IsBehind,
  parent: Looked["runs"][number]["parent"],
  id: string,
): Promise<Looked | undefined> {
  try {
    const header = await findHeader(port);
    if (header === undefined || !isChildOf(header, parent, id)) return undefined;
    return await lookThrough(port, isBehind);
  } catch (thrown) {
    if (isReckonerError(thrown)) return undefined;
    throw thrown;
  }
}
