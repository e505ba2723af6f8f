/** `diff`: compares two journals, without the code of their runs. */
import {
  type ChildParting,
  diffRuns,
  isEventLine,
  isHeaderLine,
  type Parting,
  type RunDiff,
  type RunLink,
  RunRecord,
} from "../../core/journal/index.js";
import { isSettlement } from "../../core/kernel/index.js";
import type { RunName } from "../journals/child-journal.js";
import { readableAt } from "../journals/head.js";
import { linkNotFound, type Origin, type Trail } from "../journals/history.js";
import { emptyJournal } from "../journals/read-journal.js";
import { viewOf } from "../journals/view.js";
import type { JournalPort } from "../ports.js";

/**
 * Where two runs part, and what became of each. Of a fork its shared past is compared as well, and so
 * are the runs that they go on from; where a child run is what they part by, so are its journals.
 * @throws ReckonerError `journal.*` where one of them cannot be read, or a child's is another run's
 */
export async function diff(a: string | JournalPort, b: string | JournalPort): Promise<RunDiff> {
  return diffOf(await readableAt(a), await readableAt(b));
}

async function diffOf(a: JournalPort, b: JournalPort): Promise<RunDiff> {
  const found = diffRuns(await recordOf(a), await recordOf(b), await fromParting(a, b));
  const { parting } = found;
  if (parting === undefined) return found;
  const child = await childParting(a, b, parting);
  return child === undefined ? found : { ...found, parting: { ...parting, child } };
}

/** Where the runs part that two runs go on from; absent where they do not. */
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
  const records = [await recordOf(x, one.seq), await recordOf(y, other.seq)] as const;
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

/**
 * The journal of a child run: beside that of its parent in which it settled.
 * @throws ReckonerError `journal.child` where another run's stands there
 */
async function childOf(port: JournalPort, id: string): Promise<JournalPort | undefined> {
  let parent: RunName | undefined;
  for await (const { line, hash, runId, port: at } of viewOf(port).lines()) {
    if (isHeaderLine(line)) parent = { runId, hash };
    if (!isEventLine(line) || !isSettlement(line.event) || line.event.id !== id) continue;
    return (await viewOf(at).child(id, parent as RunName))?.view.port;
  }
  return undefined;
}

/** @internal */
export async function recordOf(
  port: JournalPort,
  until: number = Number.POSITIVE_INFINITY,
): Promise<RunRecord> {
  const record = new RunRecord();
  for await (const past of viewOf(port).lines()) {
    if (isEventLine(past.line) && past.line.seq > until) break;
    record.take(past);
  }
  if (record.header === undefined) throw emptyJournal(port);
  return record;
}
