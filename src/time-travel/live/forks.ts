/**
 * `forks`: lists what was made of a journal: its checkpoints, its forks and theirs, and its head (where its
 * run continues after a rewind).
 */
import { isReckonerError, messageOf } from "../../core/kernel/values/index.js";
import {
  type Checkpoint,
  type ForkNote,
  type Head,
  headNote,
  type JournalPort,
  journalAt,
  readNotes,
  viewOf,
} from "../../runtime/index.js";

/** A fork of a journal, with its own. */
export interface ForkTree extends ForkNote {
  /** The journal's name, for people. */
  readonly path: string;
  /** The number of its events, those that it shares included; absent where it cannot be read. */
  readonly events?: number;
  /** Its end; absent while it is open. */
  readonly ended?: string;
  /** The reason why it cannot be read, in words. */
  readonly missing?: string;
  readonly forks: readonly ForkTree[];
}

/** The forks of a journal. */
export interface Forks {
  readonly runId: string;
  readonly events: number;
  /** Where the run goes on, where it was rewound. */
  readonly head?: Head;
  readonly checkpoints: readonly Checkpoint[];
  readonly forks: readonly ForkTree[];
  /** The number of notes beside it that are none. */
  readonly malformed: number;
}

/**
 * Lists what was made of a journal.
 * @throws ReckonerError what reading the journal throws
 */
export async function forks(journal: string | JournalPort): Promise<Forks> {
  const port = await journalAt(journal);
  const counted = await countOf(port);
  const [head, checkpoints] = [await headNote(port), await readNotes(port, "checkpoints")];
  const tree = await forksOf(port, new Set());
  return {
    runId: counted.runId,
    events: counted.events,
    ...(head === undefined ? {} : { head: head.note }),
    checkpoints: checkpoints.notes,
    forks: tree.forks,
    malformed: checkpoints.malformed + tree.malformed,
  };
}

type Branches = Pick<Forks, "forks" | "malformed">;

async function forksOf(port: JournalPort, met: ReadonlySet<string>): Promise<Branches> {
  const { notes, malformed } = await readNotes(port, "forks");
  let none = malformed;
  const found: ForkTree[] = [];
  for (const note of notes) {
    const place = port.follow?.(note.journal);
    const path = place?.name ?? note.journal;
    if (place === undefined || met.has(note.runId)) {
      found.push({ ...note, path, missing: "it leads nowhere", forks: [] });
      continue;
    }
    const looked = await triedFork(place, note.runId, met);
    if (typeof looked === "string") {
      found.push({ ...note, path, missing: looked, forks: [] });
      continue;
    }
    const { events, ended, below } = looked;
    none += below.malformed;
    found.push({
      ...note,
      path,
      events,
      ...(ended === undefined ? {} : { ended }),
      forks: below.forks,
    });
  }
  return { forks: found, malformed: none };
}

interface Counted {
  readonly runId: string;
  readonly events: number;
  readonly ended: string | undefined;
}

async function countOf(port: JournalPort): Promise<Counted> {
  let [runId, events, ended] = ["", 0, undefined as string | undefined];
  for await (const each of viewOf(port).lines()) {
    runId = each.runId;
    if (!("event" in each.line)) continue;
    events = each.line.seq + 1;
    ended = each.line.end?.status;
  }
  return { runId, events, ended };
}

/** @returns in words why the fork cannot be read */
async function triedFork(
  port: JournalPort,
  runId: string,
  met: ReadonlySet<string>,
): Promise<(Counted & { readonly below: Branches }) | string> {
  try {
    const header = await viewOf(port).findHeader();
    if (header === undefined) return "it is not there";
    if (header.runId !== runId) return `it is of run ${header.runId}`;
    return { ...(await countOf(port)), below: await forksOf(port, new Set([...met, runId])) };
  } catch (thrown) {
    if (isReckonerError(thrown)) return messageOf(thrown);
    throw thrown;
  }
}
