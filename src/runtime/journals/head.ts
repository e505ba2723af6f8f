/**
 * Finds and moves the head of a journal: the journal in which its run continues after a rewind, itself or a
 * fork. Whoever opens or moves it has each journal on the way to it open for writing, so that no two go on with
 * one run in two places.
 */
import { isEventLine } from "../../core/journal/index.js";
import { isReckonerError, ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../ports/ports.js";
import { journalAt } from "./journal-place.js";
import { type ForkNote, type Head, type HeadNote, readHead, readNotes } from "./notes.js";
import { withWriter } from "./port-calls.js";
import { viewOf } from "./view.js";

/**
 * The journal in which a run goes on: its own, or the one that its head leads to.
 * @throws ReckonerError `journal.link` where the head leads nowhere, elsewhere, or round in a circle,
 * or where it is gone or an older one and the run went on elsewhere
 */
export async function headOf(journal: JournalPort): Promise<JournalPort> {
  const trail = await trailOf(journal);
  return trail.at(-1) as JournalPort;
}

/**
 * The journal that readers of a path are shown: the one with which `resume` goes on. A port is itself,
 * so that what a rewind took back can still be read.
 * @throws ReckonerError as `headOf` does, and `journal.noPath`
 */
export async function readableAt(journal: string | JournalPort): Promise<JournalPort> {
  const port = await journalAt(journal);
  return typeof journal === "string" ? headOf(port) : port;
}

/**
 * Opens the journal in which a run goes on.
 * @throws ReckonerError `journal.conflict` where the run was rewound before the journal was locked, and
 * what `headOf` and opening throw
 */
export async function openHead<Opened>(
  journal: JournalPort,
  open: (head: JournalPort) => Promise<Opened>,
  close: (opened: Opened) => Promise<unknown>,
): Promise<Opened> {
  const before = await headsOf(journal);
  const opened = await open(before.head);
  const after = await headsOf(journal).catch((thrown: unknown) => ({ thrown }));
  if ("heads" in after && after.heads === before.heads) return opened;
  await close(opened);
  if ("thrown" in after) throw after.thrown;
  throw new ReckonerError(
    "journal.conflict",
    `The journal ${journal.name} was rewound while it was being opened; resume it again.`,
    { place: journal.name },
  );
}

/**
 * Does something while a journal, and each one on the way to its head, is open for writing.
 * @throws ReckonerError `journal.locked` where one of them is being written, and what `headOf` throws
 */
export function withHead<Result>(
  journal: JournalPort,
  work: (head: JournalPort) => Promise<Result>,
  met: ReadonlySet<string> = new Set(),
): Promise<Result> {
  return withWriter(journal, "append", async () => {
    const next = await nextOf(journal, met);
    return next === undefined
      ? work(journal)
      : withHead(next.port, work, new Set([...met, next.runId]));
  });
}

/**
 * The head of a journal, and the text in which it is noted; absent where it was never rewound.
 * @throws ReckonerError `journal.link`
 */
export async function headNote(port: JournalPort): Promise<HeadNote | undefined> {
  const head = await readHead(port);
  // A head that cannot be read may have led elsewhere: to go on here would undo a rewind.
  if (head === "malformed") throw wrongHead(port, "it is not one");
  const { notes } = await readNotes(port, "forks");
  const rewinds = notes.filter(({ rewind }) => rewind === true);
  for (const note of head === undefined ? rewinds : madeOver(rewinds, head.note.runId)) {
    if (await hasGoneOn(port, note)) throw headLost(port, note, head?.note);
  }
  return head;
}

/** Returns the rewinds that took back the run of a head, and those that took back what these made. */
function madeOver(rewinds: readonly ForkNote[], runId: string): readonly ForkNote[] {
  const taken = new Set([runId]);
  // Each is met after those that it is made over, whatever the clock said when they were noted.
  for (const before of taken) {
    for (const { over, runId: made } of rewinds) if (over === before) taken.add(made);
  }
  return rewinds.filter(({ over }) => over !== undefined && taken.has(over));
}

/** The journals on the way to a head, from the first on. */
async function trailOf(journal: JournalPort): Promise<readonly JournalPort[]> {
  const met = new Set<string>();
  const trail = [journal];
  for (;;) {
    const next = await nextOf(trail.at(-1) as JournalPort, met);
    if (next === undefined) return trail;
    met.add(next.runId);
    trail.push(next.port);
  }
}

/** The journal in which a run goes on, and those through which it was found. */
async function headsOf(journal: JournalPort) {
  const trail = await trailOf(journal);
  return {
    head: trail.at(-1) as JournalPort,
    heads: JSON.stringify(trail.map(({ name }) => name)),
  };
}

/** The journal that the head of one leads to; absent where it has none. @param met runs on the way */
async function nextOf(
  port: JournalPort,
  met: ReadonlySet<string>,
): Promise<{ readonly port: JournalPort; readonly runId: string } | undefined> {
  const head: Head | undefined = (await headNote(port))?.note;
  if (head === undefined) return undefined;
  const next = port.follow?.(head.journal);
  const header = next === undefined ? undefined : await viewOf(next).findHeader();
  if (next === undefined || header?.runId !== head.runId) {
    throw wrongHead(port, `run ${head.runId} is not in ${head.journal}`);
  }
  if (met.has(head.runId)) throw wrongHead(port, "the heads form a cycle");
  return { port: next, runId: head.runId };
}

/** Returns true where what a rewind made of this run has events of its own: effects may have begun. */
async function hasGoneOn(port: JournalPort, { journal, runId, over }: ForkNote): Promise<boolean> {
  const made = port.follow?.(journal);
  if (made === undefined) return false;
  try {
    const own = await viewOf(port).findHeader();
    const header = await viewOf(made).findHeader();
    // Made over another, it may share events that are that one's own.
    const isOfThis = over !== undefined || header?.fork?.runId === own?.runId;
    if (header?.runId !== runId || !isOfThis) return false;
    for await (const { line } of viewOf(made).ownLines()) if (isEventLine(line)) return true;
    return false;
  } catch (thrown) {
    if (isReckonerError(thrown) && thrown.code === "journal.missing") return false;
    throw thrown;
  }
}

function wrongHead({ name }: JournalPort, why: string): ReckonerError {
  return new ReckonerError(
    "journal.link",
    `The head of the journal ${name} cannot be followed: ${why}. Put back what it names, or remove the head and the fork that the rewind made.`,
    { place: name },
  );
}

function headLost(
  { name }: JournalPort,
  { name: fork, journal }: ForkNote,
  head?: Head,
): ReckonerError {
  const found = head === undefined ? "no head any more" : `an older head, to ${head.journal}`;
  return new ReckonerError(
    "journal.link",
    `The journal ${name} was rewound and has ${found}, and its run went on in ${journal}: to go on here could repeat what was done there. Put the head back, or remove the note of the fork ${fork}.`,
    { place: name },
  );
}
