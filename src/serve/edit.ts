/**
 * Carries out an edit of a message that a run of a host has taken already: rewinds the run to before the
 * message, or begins the run anew if it is the first message. A process that no longer owns the run changes
 * nothing.
 */
import { beginRun } from "../core/driver/index.js";
import { type HeaderLine, isEventLine } from "../core/journal/index.js";
import { digestOf, type Json, ReckonerError } from "../core/kernel/values/index.js";
import { type MessageEvent, pairKey, type UserPart } from "../core/kernel/vocabulary/index.js";
import {
  appendLines,
  type Clock,
  type HostOptions,
  headNote,
  headOf,
  type JournalPort,
  type Randomness,
  viewOf,
  withWriter,
  writeNote,
} from "../runtime/for-hosts.js";
import { rewindFrom } from "../time-travel/live/index.js";
import { type Opening, reasonerOf } from "./open-run.js";

/** Forks that a run may have: one for each edit. */
const MAX_FORKS = 10_000;

type Content = string | readonly UserPart[];

/** The words in the place of a message, and its id. */
export interface Replacement {
  readonly id: string | undefined;
  readonly content: Content;
}

/** The parts of an edit. */
export interface Editing {
  /** The run's first journal. */
  readonly journal: JournalPort;
  readonly opening: Opening;
  readonly hidden: Pick<HostOptions, "redact" | "maskCredentials">;
  readonly clock: Clock;
  readonly random: Randomness;
  /** Moves the head, where the run is still this host's. @returns false where something else is there */
  moveHead(text: string, before: string | undefined): Promise<boolean>;
}

/** An edit. */
export interface Edit {
  /** Its sender's name for it: an edit that is asked for again is done once. */
  readonly key: string;
  /** The number of the message's event; 0 for what the run began with. */
  readonly seq: number;
  /** Absent: the same again. */
  readonly content?: Content | undefined;
}

/**
 * Takes back a message with what came of it.
 * @returns what is to be said in its place; `undefined` where the run begins with it
 * @throws ReckonerError `fork.point` where the event is no message, and what reading a journal throws
 */
export async function takenBack(
  { key, seq, content }: Edit,
  editing: Editing,
): Promise<Replacement | undefined> {
  const { journal, hidden, clock, random } = editing;
  // A process that moved the head may have died before its answer was durable.
  const { tenant = "", name: of } = journal;
  const runId = `edit-${digestOf(pairKey(tenant === "" ? of : pairKey(tenant, of), key))}`;
  const head = await headOf(journal);
  const header = await viewOf(head).findHeader();
  const isDone = head !== journal && header?.runId === runId;
  if (isDone && seq === 0) return undefined;
  if (isDone) return replacementOf(await messageAt(await originalOf(head, header), seq), content);
  const notes = journal.notes && {
    ...journal.notes,
    write: (_kind: unknown, _name: string, text: string, before: string | undefined) =>
      editing.moveHead(text, before),
  };
  if (seq === 0) {
    await beginAnew(content, runId, head, { ...editing, notes });
    return undefined;
  }
  const message = await messageAt(head, seq);
  const name = `edit-${random.id()}`;
  const options = { ...hidden, clock, name, runId, limit: MAX_FORKS };
  await rewindFrom(journal, head, { at: seq - 1 }, options, notes);
  return replacementOf(message, content);
}

/** The message keeps its id, by which its sender knows it. */
function replacementOf({ id, content: before }: MessageEvent, content = before): Replacement {
  return { id, content };
}

/** Returns the journal that another was forked from. */
async function originalOf(fork: JournalPort, header: HeaderLine | undefined): Promise<JournalPort> {
  const original = header?.fork && fork.follow?.(header.fork.journal);
  if (original === undefined) throw noMessage(`What ${fork.name} was forked from`);
  return original;
}

/** Returns what a message said. @throws ReckonerError `fork.point` where the event is none */
async function messageAt(journal: JournalPort, seq: number): Promise<MessageEvent> {
  for await (const { line } of viewOf(journal).lines()) {
    if (!isEventLine(line) || line.seq !== seq) continue;
    if (line.event.type === "message") return line.event;
    break;
  }
  throw noMessage(`The event ${seq} of ${journal.name}`);
}

/** Begins the run anew in a journal of its own, under the newest code, and moves the head there. */
async function beginAnew(
  content: Content | undefined,
  runId: string,
  head: JournalPort,
  {
    journal,
    opening: { reasoners, options, now },
    random,
    notes,
  }: Editing & { readonly notes: JournalPort["notes"] },
): Promise<void> {
  const { name } = journal;
  const before = await headNote(journal);
  const header = await viewOf(head).findHeader();
  if (header === undefined) throw noMessage(`The beginning of ${name}`);
  let removed = 0;
  for await (const { line } of viewOf(head).lines()) if (isEventLine(line)) removed += 1;
  const { seed, budget, labels, config, keyId } = header;
  const input = content === undefined ? header.input : withMessage(header.input, content, name);
  const begun = { input: input as never, at: now, runId, seed, budget, labels, config, keyId };
  const reasoner = reasonerOf({ reasoner: header.reasoner.id }, reasoners);
  const { lines } = beginRun(reasoner, begun, options).log.take();
  const fresh = journal.fork?.(`edit-${random.id()}`);
  if (fresh === undefined) throw noMessage(`${name}, which has no place for forks,`);
  await withWriter(fresh, "create", (writer) => appendLines(fresh, writer, lines, START));
  const link = journal.link?.(fresh) ?? fresh.name;
  const note = { journal: link, runId, seq: 0, removed, retained: 0, at: Math.floor(now) };
  if (await writeNote({ name, notes }, "head", "head", note, before?.text)) return;
  const message = `The head of the journal ${name} was moved by somebody else.`;
  throw new ReckonerError("journal.conflict", message, { place: name });
}

const START = { lines: 0, bytes: 0 };

/** Returns an input with another message in the place of the last that a user said in it. */
function withMessage(input: Json, content: Content, name: string): Json {
  const json = content as Json;
  if (typeof input === "string") return typeof content === "string" ? content : { prompt: json };
  const { prompt, messages } = (input ?? {}) as {
    readonly prompt?: Json;
    readonly messages?: readonly { readonly role?: Json }[];
  };
  if (prompt !== undefined) return { ...(input as object), prompt: json } as Json;
  const at = Array.isArray(messages) ? messages.findLastIndex(({ role }) => role === "user") : -1;
  if (at < 0) throw noMessage(`The beginning of ${name}`);
  const changed = messages?.map((each, n) => (n === at ? { ...each, content: json } : each));
  return { ...(input as object), messages: changed } as Json;
}

function noMessage(what: string): ReckonerError {
  return new ReckonerError("fork.point", `${what} is no message.`);
}
