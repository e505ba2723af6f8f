/**
 * `rewind`: takes a run back to an event, a checkpoint or a time. It makes a fork that ends there, and notes
 * it as the journal's head, from which `resume` continues. The original lines are not changed.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import { parseIsoTime } from "../../core/kernel/vocabulary/index.js";
import {
  type Checkpoint,
  checkAllOptions,
  checkArgument,
  headNote,
  type JournalPort,
  journalAt,
  readNotes,
  timeOfNote,
  withHead,
  writeNote,
} from "../../runtime/index.js";
import { behindLine, lookThrough, noSuchPoint } from "./find-cut.js";
import { FORK, type Fork, type ForkOptions, findPoint, forkFrom, type Point } from "./fork.js";

/** Where a run is rewound to: an event, a checkpoint, or a time. */
export type RewindTo =
  | { readonly at: number }
  | { readonly checkpoint: string }
  /** ISO 8601 (UTC where it names no zone), or milliseconds since 1970: what came strictly later is taken back. */
  | { readonly time: string | number };

const TO: shapes.Shape = [
  (value) => {
    if (!shapes.OBJECT[0](value)) return false;
    const entries = Object.entries(value as object).filter(([, each]) => each !== undefined);
    return entries.length === 1 && /^(?:at|checkpoint|time)$/.test(entries[0]?.[0] as string);
  },
  "one of { at }, { checkpoint } and { time }",
];

/** The result of a rewind. */
export type Rewound = Fork;

/**
 * Rewinds a run: `resume` of its journal goes on behind the event. The journal itself stays as it is;
 * its head leads to a fork.
 * @returns how many events were taken back (`removed`) and how many are left (`retained`)
 * @throws ReckonerError `fork.point`, `fork.limit`, `journal.locked` where the run is live,
 * `journal.conflict` where somebody else moved the head, and what reading a journal throws
 */
export async function rewind(
  journal: string | JournalPort,
  to: RewindTo,
  options: Omit<ForkOptions, "at" | "set"> = {},
): Promise<Rewound> {
  checkAllOptions("rewind", options, FORK);
  checkArgument("Where to rewind", to, TO);
  const port = await journalAt(journal);
  return withHead(port, (head) => rewindFrom(port, head, to, options, port.notes));
}

/**
 * The same, for whoever keeps others away by a way of its own.
 * @param head where the run goes on
 * @param notes keeps the head
 */
export async function rewindFrom(
  port: JournalPort,
  head: JournalPort,
  to: RewindTo,
  options: Omit<ForkOptions, "at" | "set">,
  notes: JournalPort["notes"],
): Promise<Rewound> {
  const before = await headNote(port);
  const { from: place, point } = await pointOf(port, head, to);
  const over = before && { over: before.note.runId };
  const forked = await forkFrom(port, place, point, options, { rewind: true, ...over });
  const { retained, removed, runId, from } = forked;
  const at = timeOfNote(options.clock);
  const link = port.link?.(forked.journal) ?? forked.journal.name;
  const note = { journal: link, runId, seq: from.seq, removed, retained, at };
  const { name } = port;
  if (await writeNote({ name, notes }, "head", "head", note, before?.text)) return forked;
  throw new ReckonerError(
    "journal.conflict",
    `The head of the journal ${name} was moved by somebody else; the fork ${forked.name} stays, and nothing leads to it.`,
    { place: name },
  );
}

/** The options that name a place: one of them is given. */
interface RewindPoint {
  readonly at?: number;
  readonly time?: string | number;
  readonly checkpoint?: string;
}

/** The event, and the journal that is cut behind it: the head's, or the one that a checkpoint is of. */
async function pointOf(
  port: JournalPort,
  head: JournalPort,
  to: RewindTo,
): Promise<{ readonly from: JournalPort; readonly point: Point }> {
  const { at, time: moment, checkpoint }: RewindPoint = to;
  if (at !== undefined) return { from: head, point: await findPoint(head, { at }) };
  if (moment !== undefined) {
    const time = typeof moment === "number" ? moment : parseIsoTime(moment);
    if (time !== undefined && Number.isFinite(time))
      return { from: head, point: await findPoint(head, { time }) };
    const message = `${moment} is not a time; write it as 2026-01-31T12:00:00Z.`;
    throw new ReckonerError("fork.point", message);
  }
  const { notes } = await readNotes(port, "checkpoints");
  const found = notes.find(({ name }) => name === checkpoint);
  if (found !== undefined) return checkpointed(port, head, found);
  const names = notes.map(({ name }) => name).join(", ");
  throw noSuchPoint(
    port,
    `has no checkpoint ${JSON.stringify(checkpoint)}${names === "" ? "" : `; it has ${names}`}`,
  );
}

/** The event that a checkpoint is of: where the head leads another one may have its number. */
async function checkpointed(
  port: JournalPort,
  head: JournalPort,
  { name, runId, hash }: Checkpoint,
): Promise<{ readonly from: JournalPort; readonly point: Point }> {
  const { notes } = await readNotes(port, "forks");
  const noted = notes.find((fork) => fork.runId === runId);
  const own = noted === undefined ? port : port.follow?.(noted.journal);
  for (const from of [head, ...(own === undefined ? [] : [own])]) {
    const { cut } = await lookThrough(from, behindLine(hash));
    if (cut?.hash === hash) return { from, point: await findPoint(from, { hash }) };
  }
  throw noSuchPoint(port, `no longer has the event of its checkpoint ${JSON.stringify(name)}`);
}
