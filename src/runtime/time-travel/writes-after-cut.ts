/**
 * Counts the writes that a run and its children made to stores after a cut: stores are not forked,
 * so the caller is told. Children that cannot be read are not counted.
 */
import { isReckonerError } from "../../core/kernel/index.js";
import { viewOf } from "../journals/view.js";
import { behindMoment, behindTime, type IsBehind, type Looked, lookThrough } from "./find-cut.js";

/** How many writes there were, by their stores. */
export type Writes = Looked["writes"];

/** @param time at which the children were cut; absent where that is the cut's next event */
export async function writesAfterCut(
  looked: Looked,
  time: number | undefined,
  isBehindAbove?: IsBehind,
): Promise<Writes> {
  const { cut, behind, runs } = looked;
  const sums = new Map(Object.entries(looked.writes));
  const isAtEnd = behind === undefined && isBehindAbove === undefined;
  if (isAtEnd && time === undefined) return looked.writes;
  for (const { id, parent } of runs) {
    const isOpen = cut?.owed.has(id) ?? false;
    const isBehind =
      !isOpen || cut === undefined ? () => true : childIsAfterCut(cut, time, isBehindAbove);
    const child = await lookedAt(isBehind, parent, id);
    if (child === undefined) continue;
    for (const [store, count] of Object.entries(await writesAfterCut(child, time, isBehind))) {
      sums.set(store, (sums.get(store) ?? 0) + count);
    }
  }
  return Object.fromEntries(sums);
}

/**
 * What of an open child is behind a cut of its parent.
 * @param isBehindAbove the same of the parent, where it is a child itself: one that waits for its own
 * child has no event of its own behind the cut above it
 */
export function childIsAfterCut(
  cut: NonNullable<Looked["cut"]>,
  time: number | undefined,
  isBehindAbove: IsBehind = () => false,
): IsBehind {
  if (time !== undefined) return behindTime(time);
  const isBehind = behindMoment(cut);
  return (passed) => isBehindAbove(passed) || isBehind(passed);
}

/** A child's journal, looked through; nothing where it is not there, is another run's, or is damaged. */
async function lookedAt(
  isBehind: IsBehind,
  parent: Looked["runs"][number]["parent"],
  id: string,
): Promise<Looked | undefined> {
  try {
    const child = await viewOf(parent.port).child(id, parent);
    return child === undefined ? undefined : await lookThrough(child.view.port, isBehind);
  } catch (thrown) {
    if (isReckonerError(thrown)) return undefined;
    throw thrown;
  }
}
