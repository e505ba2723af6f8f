/**
 * Reads and writes the notes beside a journal: its forks, its checkpoints, and its head, where the run continues
 * after a rewind. They are untrusted files: a malformed note is skipped and reported.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  ReckonerError,
} from "../../core/kernel/values/index.js";
import type { JournalPort, NoteKind } from "../ports/ports.js";
import { callNotes } from "./port-calls.js";

/** A fork, as it is noted beside the journal that it was asked of. */
export interface ForkNote {
  readonly name: string;
  /** Where its journal lies, as the port of the original knows it. */
  readonly journal: string;
  readonly runId: string;
  /** The event that it was cut behind. */
  readonly seq: number;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  /** The ids whose answers it sets. */
  readonly set?: readonly string[];
  /** It was made by a rewind. */
  readonly rewind?: true;
  /** Run of the head that the rewind replaced; absent where there was none. */
  readonly over?: string;
}

/** A named event. */
export interface Checkpoint {
  readonly name: string;
  readonly runId: string;
  readonly seq: number;
  /** Hash of the event's line. */
  readonly hash: string;
  /** How many events there are up to it. */
  readonly events: number;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
}

/** Where a run continues after a rewind. */
export interface Head {
  readonly journal: string;
  readonly runId: string;
  /** The event that it was rewound to. */
  readonly seq: number;
  /** How many events were taken back, in all journals that the head has led to. */
  readonly removed: number;
  readonly retained: number;
  readonly at: number;
}

type Fields = { readonly [field: string]: "string" | "number" };

const fields: Record<NoteKind, Fields> = {
  forks: { name: "string", journal: "string", runId: "string", seq: "number", at: "number" },
  checkpoints: {
    name: "string",
    runId: "string",
    seq: "number",
    hash: "string",
    events: "number",
    at: "number",
  },
  head: {
    journal: "string",
    runId: "string",
    seq: "number",
    removed: "number",
    retained: "number",
    at: "number",
  },
};

/** Notes that were read, in the order in which they were made, and how many are none. */
export interface Notes<Note> {
  readonly notes: readonly Note[];
  readonly malformed: number;
}

type NoteOf = {
  readonly forks: ForkNote;
  readonly checkpoints: Checkpoint;
  readonly head: Head;
};

/** All notes of a kind. @throws ReckonerError `journal.unreadable` */
export async function readNotes<Kind extends NoteKind>(
  port: JournalPort,
  kind: Kind,
): Promise<Notes<NoteOf[Kind]>> {
  const read = (await textsOf(port, kind)).map((text) => noteIn(kind, text));
  const notes = read.filter((each) => each !== undefined);
  notes.sort((a, b) => a.at - b.at || a.seq - b.seq);
  return { notes, malformed: read.length - notes.length };
}

/** The head of a journal, and the text in which it is noted. */
export interface HeadNote {
  readonly note: Head;
  readonly text: string;
}

/** The note of a journal's head; absent where there is none. @throws ReckonerError `journal.unreadable` */
export async function readHead(port: JournalPort): Promise<HeadNote | "malformed" | undefined> {
  const [text] = await textsOf(port, "head");
  if (text === undefined) return undefined;
  const note = noteIn("head", text);
  return note === undefined ? "malformed" : { note, text };
}

async function textsOf(port: JournalPort, kind: NoteKind): Promise<readonly string[]> {
  const what = `cannot be looked through for its ${kind}`;
  const list = () => port.notes?.list(kind);
  return (await callNotes(port, "journal.unreadable", what, list)) ?? [];
}

function noteIn<Kind extends NoteKind>(kind: Kind, text: string): NoteOf[Kind] | undefined {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const fit = Object.entries(fields[kind]).every(([name, type]) => {
    const field = value[name];
    return type === "number" ? Number.isSafeInteger(field) : typeof field === "string";
  });
  return fit && areOptional(value) ? (value as unknown as NoteOf[Kind]) : undefined;
}

/** Whether what only notes of some forks have is what it is there. */
function areOptional({ set = [], rewind = true, over = "" }: JsonObject): boolean {
  const isSet = Array.isArray(set) && set.every((id) => typeof id === "string");
  return isSet && rewind === true && typeof over === "string";
}

/**
 * Keeps a note.
 * @param before the text that it replaces; absent where there must be none of that name
 * @returns false where something else is there
 * @throws ReckonerError `journal.write`; `fork.point` where the port has no notes
 */
export async function writeNote<Kind extends NoteKind>(
  port: { readonly name: string; readonly notes?: JournalPort["notes"] | undefined },
  kind: Kind,
  name: string,
  note: NoteOf[Kind],
  before?: string,
): Promise<boolean> {
  const { notes } = port;
  if (notes === undefined) {
    const message = `Nothing can be noted beside the journal ${port.name}; its port has no notes.`;
    throw new ReckonerError("fork.point", message, { place: port.name });
  }
  const write = () => notes.write(kind, name, `${JSON.stringify(note, null, 2)}\n`, before);
  const what = `cannot have a note of its ${kind} beside it`;
  return (await callNotes(port, "journal.write", what, write)) ?? false;
}

/**
 * Keeps a new note of a checkpoint or a fork, where there may be one more.
 * @throws ReckonerError `fork.limit`, `fork.exists`, `journal.write`
 */
export async function noteNew<Kind extends "checkpoints" | "forks">(
  port: JournalPort,
  kind: Kind,
  note: NoteOf[Kind],
  limit: number,
): Promise<void> {
  const count = async () => (await readNotes(port, kind)).notes.length;
  checkLimit(port, kind, await count(), limit);
  if (!(await writeNote(port, kind, note.name, note))) {
    throw exists(port, kind.slice(0, -1), note.name);
  }
  const have = await count();
  if (have <= limit) return;
  // Others noted theirs at the same time.
  await port.notes?.remove(kind, note.name);
  checkLimit(port, kind, have - 1, limit);
}

/**
 * Notes a fork before it is made, so that no fork is unknown. A port without notes keeps none.
 * @returns takes the note back
 * @throws ReckonerError `fork.limit`, `fork.exists`
 */
export async function noteFork(
  port: JournalPort,
  note: ForkNote,
  limit: number,
): Promise<() => Promise<void>> {
  if (port.notes === undefined) return async () => {};
  await noteNew(port, "forks", note, limit);
  return async () => port.notes?.remove("forks", note.name);
}

/** @throws ReckonerError `fork.limit` */
export function checkLimit(port: JournalPort, what: string, have: number, limit: number): void {
  if (have < limit) return;
  throw new ReckonerError(
    "fork.limit",
    `The journal ${port.name} has ${have} ${what}, and may have ${limit}; remove some, or raise the limit.`,
    { place: port.name },
  );
}

/** @internal */
export function exists(port: JournalPort, what: string, name: string): ReckonerError {
  return new ReckonerError(
    "fork.exists",
    `The journal ${port.name} has a ${what} ${JSON.stringify(name)} already; choose another name.`,
    { place: name },
  );
}

/** A name that nobody has. */
export function freshName(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(4));
  return `fork-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
