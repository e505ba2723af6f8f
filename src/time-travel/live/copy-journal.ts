/**
 * `copyJournal`: copies a journal with its notes and snapshots to another place, of whatever kind. Until the
 * copy is complete, its head (the note that says where its run continues) leads nowhere, so that nobody
 * continues a part of a run.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { isJsonObject, type Json, ReckonerError } from "../../core/kernel/values/index.js";
import {
  appendLines,
  BLOBS,
  type BlobPort,
  callNotes,
  checkAllOptions,
  checkTenant,
  emptyJournal,
  type JournalPort,
  type JournalPosition,
  type JournalWriter,
  journalAt,
  type NoteKind,
  readBytes,
  viewOf,
  withWriter,
} from "../../runtime/index.js";
import { namedFiles } from "./copy-files.js";

/** Options of a copy. */
export interface CopyOptions {
  /** The stores of files of the journal and of its copy: the files that it names are copied, before its lines. */
  readonly blobs?: { readonly from: BlobPort; readonly to: BlobPort } | undefined;
}

/** The text in place of the head of a copy that is not whole. */
const UNFINISHED = "This copy of a journal is not whole: copy it once more.\n";
const NEWLINE = 10;
/** Bytes; a line of a journal never has so many. */
const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * Copies a journal: its bytes, its notes and its snapshots; a torn last line is left out. A copy that
 * was broken off is gone on with. Journals that it links to are not copied: they have to be found from
 * the new place by the same words.
 * @throws ReckonerError `journal.exists` where something else is there, `journal.tenant`, `journal.missing`,
 * `journal.empty`, `blob.missing` where a file is not there that it names, `option.invalid`, and what reading and
 * writing journals throw
 */
export async function copyJournal(
  from: string | JournalPort,
  to: string | JournalPort,
  options: CopyOptions = {},
): Promise<void> {
  const { blobs } = checkAllOptions("copyJournal", options, COPY);
  const source = await journalAt(from);
  const target = await journalAt(to);
  if (target.tenant !== undefined) {
    const { labels } = await viewOf(source).header();
    checkTenant(target, labels?.tenant ?? "");
  }
  const keepFiles = blobs && (await namedFiles(source, blobs));
  const begun = (await notesOf(target, "head"))[0] === UNFINISHED;
  await withWriter(target, begun ? "append" : "create", async (writer) => {
    if (!begun) await writeHead(target, UNFINISHED, undefined);
    await keepFiles?.(target);
    const end = await copyLines(source, target, writer, begun ? await endOf(target) : START);
    if (end.lines === 0) throw emptyJournal(source);
    for (const kind of ["checkpoints", "forks"] as const) await copyNotes(source, target, kind);
    // The first that is written takes the rows of all along.
    let rows = (await source.snapshots?.rows()) ?? new Map<string, string>();
    for (const { seq } of (await source.snapshots?.list()) ?? []) {
      const text = await source.snapshots?.read(seq);
      if (text === undefined) continue;
      await target.snapshots?.write(seq, text, rows);
      rows = new Map();
    }
    // A copy is as long as the original has to be.
    const noted = await source.endNote?.read().catch(() => undefined);
    if (noted !== undefined) await target.endNote?.write(noted).catch(() => {});
    // Last of all, and read last: whatever it says, the copy goes on where the original does.
    const [head] = await notesOf(source, "head");
    if (head !== undefined) await writeHead(target, head, UNFINISHED);
    else await callNotes(target, "journal.write", HEAD, () => target.notes?.remove("head", "head"));
  });
}

const COPY: shapes.Shapes<CopyOptions> = {
  blobs: /* @__PURE__ */ shapes.optionsOf({ from: BLOBS, to: BLOBS }),
};
const START: JournalPosition = { lines: 0, bytes: 0 };
const HEAD = "cannot have a head beside it";

async function notesOf(port: JournalPort, kind: NoteKind): Promise<readonly string[]> {
  const what = `cannot be looked through for its ${kind}`;
  return (await callNotes(port, "journal.unreadable", what, () => port.notes?.list(kind))) ?? [];
}

async function writeHead(
  port: JournalPort,
  text: string,
  before: string | undefined,
): Promise<void> {
  const write = () => port.notes?.write("head", "head", text, before);
  // A port without notes has no heads either.
  if ((await callNotes(port, "journal.write", HEAD, write)) !== false) return;
  const message = `${port.name} has the head of another run beside it: remove that, or choose another name.`;
  throw new ReckonerError("journal.exists", message, { place: port.name });
}

async function copyNotes(
  source: JournalPort,
  target: JournalPort,
  kind: "checkpoints" | "forks",
): Promise<void> {
  for (const text of await notesOf(source, kind)) {
    const name = nameIn(text);
    // One that is malformed says nothing, here as there.
    if (name === undefined) continue;
    const write = () => target.notes?.write(kind, name, text, undefined);
    await callNotes(target, "journal.write", `cannot have a note of its ${kind} beside it`, write);
  }
}

function nameIn(note: string): string | undefined {
  try {
    const value = JSON.parse(note) as Json;
    return isJsonObject(value) && typeof value.name === "string" ? value.name : undefined;
  } catch {
    return undefined;
  }
}

/** Appends what stands behind a position. @returns the end of the copy */
async function copyLines(
  source: JournalPort,
  target: JournalPort,
  writer: JournalWriter,
  from: JournalPosition,
): Promise<JournalPosition> {
  let end = from;
  for await (const bytes of wholeLines(source, from.bytes)) {
    const lines = textIn(source, bytes.subarray(0, -1)).split("\n");
    await appendLines(target, writer, lines, end);
    end = { lines: end.lines + lines.length, bytes: end.bytes + bytes.length };
  }
  return end;
}

function textIn(port: JournalPort, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const message = `The journal ${port.name} holds bytes that are no UTF-8.`;
    throw new ReckonerError("journal.unreadable", message, { place: port.name, cause });
  }
}

/** The place behind the last whole line. */
async function endOf(port: JournalPort): Promise<JournalPosition> {
  let [lines, bytes] = [0, 0];
  for await (const piece of wholeLines(port, 0)) {
    for (const byte of piece) if (byte === NEWLINE) lines += 1;
    bytes += piece.length;
  }
  return { lines, bytes };
}

/** The bytes of whole lines, several at a time. */
async function* wholeLines(port: JournalPort, from: number): AsyncGenerator<Uint8Array> {
  let rest = new Uint8Array(0);
  for await (const bytes of readBytes(port, from)) {
    const all = new Uint8Array(rest.length + bytes.length);
    all.set(rest);
    all.set(bytes, rest.length);
    const end = all.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield all.subarray(0, end);
    rest = all.slice(end);
    if (rest.length <= LONGEST_LINE) continue;
    const message = `The journal ${port.name} has a line that is longer than any line of a journal.`;
    throw new ReckonerError("journal.hostile", message, { place: port.name });
  }
}
