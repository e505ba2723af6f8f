/**
 * Finds what a run and its children did after a cut: the writes to stores, which are not forked, and
 * the tools that began. The caller is told. Children that cannot be read are not counted.
 */
import { isReckonerError, pairKey, type ToolRegistry } from "../../core/kernel/index.js";
import { viewOf } from "../journals/view.js";
import { behindMoment, behindTime, type IsBehind, type Looked, lookThrough } from "./find-cut.js";

/** A tool that began after a cut. */
export interface EffectAfterCut {
  /** Id of its directive; of a child's behind that of the child. */
  readonly id: string;
  readonly tool: string;
  /** True if it may be repeated; absent where the code was not given. */
  readonly idempotent?: boolean;
}

/** The writes and tools after a cut. */
interface AfterCut {
  /** The number of writes, by their stores. */
  readonly writes: Looked["writes"];
  readonly effects: readonly EffectAfterCut[];
}

/** @param time at which the children were cut; absent where that is the cut's next event */
export async function afterCut(
  looked: Looked,
  time: number | undefined,
  tools: ToolRegistry,
  isBehindAbove?: IsBehind,
): Promise<AfterCut> {
  const { cut, behind, runs } = looked;
  const sums = new Map(Object.entries(looked.writes));
  const effects: EffectAfterCut[] = [...looked.effects].map(([id, tool = ""]) => {
    const known = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
    return { id, tool, ...(known === undefined ? {} : { idempotent: known.idempotent }) };
  });
  const isAtEnd = behind === undefined && isBehindAbove === undefined;
  if (isAtEnd && time === undefined) return { writes: looked.writes, effects };
  for (const { id, parent } of runs) {
    const isOpen = cut?.owed.has(id) ?? false;
    const isBehind =
      !isOpen || cut === undefined ? () => true : childIsAfterCut(cut, time, isBehindAbove);
    const child = await lookedAt(isBehind, parent, id);
    if (child === undefined) continue;
    // Of a child's tools the code of its parent says nothing.
    const below = await afterCut(child, time, {}, isBehind);
    for (const [store, count] of Object.entries(below.writes)) {
      sums.set(store, (sums.get(store) ?? 0) + count);
    }
    effects.push(...below.effects.map((each) => ({ ...each, id: pairKey(id, each.id) })));
  }
  return { writes: Object.fromEntries(sums), effects };
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
