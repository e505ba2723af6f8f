/**
 * Compares two runs together with their child runs, for `diff` and the studio. Each pair of runs is compared
 * by `diffRuns`; where two runs first differ in a child run, the difference within that child is reported
 * too.
 */
import { childPath } from "../../core/journal/index.js";
import { type ChildParting, diffRuns, type Parting, type RunDiff } from "./diff.js";
import type { RunRecord } from "./run-record.js";

/** The records of a tree's runs, by their paths. */
export interface RecordedRuns {
  of(path: string): RunRecord | undefined;
}

/**
 * Compares two runs of one path, and those below them; `undefined` where one of them is not there.
 * @param began the place where the runs part that they go on from
 */
export function diffTrees(
  [a, b]: readonly [a: RecordedRuns, b: RecordedRuns],
  path: string,
  began?: Parting,
): RunDiff | undefined {
  const [left, right] = [a.of(path), b.of(path)];
  if (left === undefined || right === undefined) return undefined;
  const found = diffRuns(left, right, began);
  const parting = found.parting ?? partingBelow([a, b], path, found);
  if (parting === undefined) return found;
  if (found.parting === undefined) return { ...found, same: false, parting };
  const child = childParting([a, b], path, parting);
  return child === undefined ? found : { ...found, parting: { ...parting, child } };
}

/** Returns the first child run that parts though it came to the same; absent where none does. */
function partingBelow(
  trees: readonly [a: RecordedRuns, b: RecordedRuns],
  path: string,
  { rows }: RunDiff,
): Parting | undefined {
  for (const { what, type, cause, seqA, seqB } of rows) {
    if (what !== "request" || type !== "run") continue;
    if (seqA === undefined || seqB === undefined) continue;
    const parting = { kind: "child run", cause, path: cause, seqA, seqB } as const;
    const child = childParting(trees, path, parting);
    if (child !== undefined) return { ...parting, child };
  }
  return undefined;
}

/** The place at which a child run parts, by which its parents do; absent where it does not, or is not in both. */
function childParting(
  trees: readonly [a: RecordedRuns, b: RecordedRuns],
  path: string,
  { kind, cause, seqA, seqB }: Parting,
): ChildParting | undefined {
  if (kind !== "child run" || seqA === undefined || seqB === undefined) return undefined;
  const child = childPath(path, cause);
  const parting = diffTrees(trees, child)?.parting;
  if (parting === undefined) return undefined;
  const [a = "", b = ""] = trees.map((tree) => tree.of(child)?.own?.runId);
  return { a, b, parting };
}
