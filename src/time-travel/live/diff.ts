/** `diff`: compares two journals, without the code of their runs. */

import {
  isEventLine,
  RecordedValues,
  ROOT_RUN,
  type RunLink,
  TreeFold,
} from "../../core/journal/index.js";
import { type ErrorCode, isReckonerError, ReckonerError } from "../../core/kernel/values/index.js";
import {
  emptyJournal,
  type HeadedJournal,
  type JournalPort,
  linkNotFound,
  readableAt,
  type Trail,
  viewOf,
} from "../../runtime/index.js";
import {
  diffRuns,
  diffTrees,
  type Parting,
  type RecordedRuns,
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
  const trees = [await namedTree(left), await namedTree(right)] as const;
  return diffTrees(trees, ROOT_RUN, await fromParting(left, right)) as RunDiff;
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
    const placeOf = (link: RunLink | undefined) => link && { runId: link.runId, seq: link.seq };
    const [was, is] = [placeOf(one), placeOf(other)];
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
async function linkedFrom({ header, port }: HeadedJournal): Promise<JournalPort | undefined> {
  const { from } = header;
  const other = from === undefined ? undefined : port.follow?.(from.journal);
  return other === undefined || (await viewOf(other).findHeader()) === undefined
    ? undefined
    : other;
}

/** A tree; an error of reading it says which of the two journals it is about. */
async function namedTree(port: JournalPort): ReturnType<typeof treeOf> {
  try {
    return await treeOf(port);
  } catch (thrown) {
    if (!isReckonerError(thrown) || thrown.message.includes(port.name)) throw thrown;
    const { code, message, place = port.name } = thrown;
    throw new ReckonerError(code as ErrorCode, `${port.name}: ${message}`, {
      place,
      cause: thrown,
    });
  }
}

/** @internal */
export async function treeOf(
  port: JournalPort,
  until: number = Number.POSITIVE_INFINITY,
): Promise<TreeFold<RunRecord> & RecordedRuns> {
  const values = new RecordedValues();
  const tree = new TreeFold(() => new RunRecord(values.ofOtherRun()));
  reading: for await (const lines of viewOf(port).treePieces("whole")) {
    for (const past of lines) {
      if (isEventLine(past.line) && past.line.seq > until) break reading;
      tree.take(past);
    }
  }
  if (tree.root.header === undefined) throw emptyJournal(port);
  return tree;
}
