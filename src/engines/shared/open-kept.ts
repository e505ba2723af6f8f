/** Opens the driver of a run on an engine, from the newest snapshot and the lines behind it. */
import { type InFlight, openFold } from "../../core/driver/index.js";
import { decodeLine, hashIn, headerIn } from "../../core/journal/index.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import { LiveRow } from "../../runtime/for-hosts.js";
import {
  type AnyDriver,
  type Opening,
  type OpenRun,
  openHosted,
} from "../../serve/for-adapters.js";
import type { Kept } from "./kept.js";
import { KeptJournal } from "./kept-journal.js";
import { FIRST, linesIn, linesKey } from "./kept-lines.js";
import { type RunRecord, rowKey, SNAPSHOT } from "./record.js";

/** A run that is open. */
export interface KeptOpen extends Pick<OpenRun, "reasoner" | "driver" | "row" | "begun"> {
  /** The last text of its lines, as it was opened. */
  readonly tail?: string | undefined;
}

/**
 * Opens a run under the newest code.
 * @param inFlight the attempts that go on; absent where a crash has cut them off
 * @throws ReckonerError what the fold throws, `run.reasoner`, `upgrade.refused`
 */
export async function openKept(
  kept: Kept,
  id: string,
  record: RunRecord,
  opening: Opening,
  inFlight: InFlight | undefined,
): Promise<KeptOpen> {
  // Of a rewound run others than its own lines are read.
  if (record.fork !== FIRST) {
    return openHosted(new KeptJournal(kept, id), record.row, opening, inFlight);
  }
  const versions = opening.reasoners.filter((each) => each.id === record.row.reasoner);
  const [newest] = versions;
  if (newest === undefined) throw noReasoner(record.row.reasoner);
  const { header, behind, tail, snapshot, rows } = await partsOf(kept, record);
  const fold = openFold(versions, opening.options);
  fold.take(header);
  if (snapshot !== undefined) fold.skipTo(snapshot, rows, behind.shift() ?? "");
  for (const line of behind) fold.take(line);
  fold.upgrade(opening.now);
  const driver = fold.driver(inFlight) as AnyDriver;
  return { reasoner: newest, driver, row: new LiveRow(record.row), begun: begunIn(header), tail };
}

/** Reads the header, and the lines from the snapshot's mark on, or all behind the header. */
async function partsOf(kept: Kept, { fork, texts, snapshot }: RunRecord) {
  const names = snapshot?.rows ?? [];
  const found = await kept.get([
    linesKey(fork, 0),
    ...texts.map((start) => linesKey(fork, start)),
    ...(snapshot === undefined ? [] : [SNAPSHOT, ...names.map(rowKey)]),
  ]);
  const [first = "", ...rest] = found;
  const lines = rest.slice(0, texts.length).flatMap((text = "") => linesIn(text));
  const [stored, ...rows] = rest.slice(texts.length);
  return {
    header: linesIn(first)[0] ?? "",
    behind: snapshot === undefined ? lines : lines.slice(snapshot.line - (texts[0] ?? 0)),
    tail: rest[texts.length - 1],
    snapshot: stored,
    rows: new Map(names.map((name, n) => [name, rows[n] ?? ""])),
  };
}

function begunIn(header: string): OpenRun["begun"] {
  const found = headerIn(decodeLine({ text: header, number: 1, hash: hashIn(header, 1) }));
  if (found === undefined) throw new Error("the first line is no header");
  return { at: found.at, input: found.input };
}

function noReasoner(id: string): ReckonerError {
  const message = `No reasoner ${id} is at hand; pass it in reasoners.`;
  return new ReckonerError("run.reasoner", message, { place: id });
}
