/** `diff`: compares two journals, without the code of their runs. */

import {
  childPath,
  isEventLine,
  RecordedValues,
  ROOT_RUN,
  type RunLink,
  TreeFold,
} from "../../core/journal/index.js";
import {
  emptyJournal,
  type JournalPort,
  linkNotFound,
  type Origin,
  readableAt,
  type Trail,
  viewOf,
} from "../../runtime/index.js";
import {
  type ChildParting,
  diffRuns,
  type Parting,
  type RunDiff,
  RunRecord,
} from "../pure/index.js";

/**
 * Where two runs part, and what became of each. Of a fork its shared past is compared as well, and so
 * are the runs that they go on from; where a child run is what they part by, so are the two of it.
 * @throws ReckonerError `journal.*` where one of them cannot be read
 */
export async function diff(a: string | JournalPort, b: string | JournalPort): Promise<RunDiff> {
  const [left, right] = [await readableAt(a), await readableAt(b)];
  const trees = [await treeOf(left), await treeOf(right)] as const;
  return diffOf(trees, ROOT_RUN, await fromParting(left, right)) as RunDiff;
}

/** The records of a tree. */
type Tree = TreeFold<RunRecord>;

/** Compares two runs of one path; `undefined` where one of them is not there. */
function diffOf(
  [a, b]: readonly [a: Tree, b: Tree],
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
  trees: readonly [a: Tree, b: Tree],
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

/** The first difference of the runs that two runs go on from; absent where they do not. */
async function fromParting(
  a: JournalPort,
  b: JournalPort,
  trail: Trail = new Set(),
): Promise<Parting | undefined> {
  const [left, right] = [await viewOf(a).origin(), await viewOf(b).origin()];
  const [one, other] = [left.header.from, right.header.from];
  if (one?.hash === other?.hash) return undefined;
  if (trail.has(left.hash)) throw linkNotFound(a.name, "the links form a cycle");
  const [x, y] = [await linkedFrom(left), await linkedFrom(right)];
  const input = { kind: "input", cause: "from" } as const;
  if (one === undefined || other === undefined || x === undefined || y === undefined) {
    const said = (link: RunLink | undefined) => link && { runId: link.runId, seq: link.seq };
    const [was, is] = [said(one), said(other)];
    return { ...input, path: "from", ...(was && { a: was }), ...(is && { b: is }) };
  }
  const records = [(await treeOf(x, one.seq)).root, (await treeOf(y, other.seq)).root] as const;
  const before = await fromParting(x, y, new Set([...trail, left.hash]));
  const { parting } = diffRuns(...records, before);
  if (parting === undefined) return undefined;
  const { path, a: was, b: is } = parting;
  return {
    ...input,
    path: `from.${path}`,
    ...(was === undefined ? {} : { a: was }),
    ...(is === undefined ? {} : { b: is }),
  };
}

/** The journal that a header's link leads to, where it is there. */
async function linkedFrom({ header, port }: Origin): Promise<JournalPort | undefined> {
  const { from } = header;
  const other = from === undefined ? undefined : port.follow?.(from.journal);
  return other === undefined || (await viewOf(other).findHeader()) === undefined
    ? undefined
    : other;
}

/** The place at which a child run parts, by which its parents do; absent where it does not, or is not in both. */
function childParting(
  trees: readonly [a: Tree, b: Tree],
  path: string,
  { kind, cause, seqA, seqB }: Parting,
): ChildParting | undefined {
  if (kind !== "child run" || seqA === undefined || seqB === undefined) return undefined;
  const child = childPath(path, cause);
  const parting = diffOf(trees, child)?.parting;
  if (parting === undefined) return undefined;
  const [a = "", b = ""] = trees.map((tree) => tree.of(child)?.own?.runId);
  return { a, b, parting };
}

/** @internal */
export async function treeOf(
  port: JournalPort,
  until: number = Number.POSITIVE_INFINITY,
): Promise<Tree> {
  const values = new RecordedValues();
  const tree = new TreeFold(() => new RunRecord(values.ofOtherRun()));
  for await (const past of viewOf(port).treeLines()) {
    if (isEventLine(past.line) && past.line.seq > until) break;
    tree.take(past);
  }
  if (tree.root.header === undefined) throw emptyJournal(port);
  return tree;
}
