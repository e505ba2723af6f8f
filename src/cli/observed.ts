/** Loads the traces that `observe` and `graph --view trace` show. */
import { join, resolve } from "node:path";
import type { JournalPort } from "../runtime/index.js";
import { fileTextStore } from "../trace/files/index.js";
import { journalTraces, type TraceContents, type TraceStore } from "../trace/live/index.js";
import { Trace } from "../trace/pure/index.js";
import { about, report, usageError } from "./failure.js";
import type { Io } from "./io.js";
import { expandJournals, journalFile, statsOf } from "./journal-files.js";

/** Name of the index in a folder that is observed; it can be deleted. */
const INDEX = ".reckoner-trace";

/** The traces of a journal, or of a folder of them. */
export function observedTraces(io: Io, path: string): TraceStore {
  const folder = resolve(io.cwd, path);
  const isFolder = statsOf(io, path)?.isDirectory() === true;
  return journalTraces(() => expandJournals(io, path).map((each) => journalFile(io, each)), {
    name: path,
    ...(isFolder ? { index: fileTextStore(join(folder, INDEX)) } : {}),
  });
}

/** The traces of one journal, and of the runs that it leads to. */
export function tracesOf(path: string, journal: JournalPort): TraceStore {
  return journalTraces(journal, { name: path });
}

/** Traces as they were read, and the run that is meant where nobody says which. */
export interface Observed {
  readonly contents: TraceContents;
  readonly trace: Trace;
  /** Something could not be read; it was said. */
  readonly incomplete: boolean;
}

/**
 * Reads; what cannot be read is said.
 * @throws ReckonerError what reading throws, where there is one journal and it cannot be read
 */
export async function observe(
  io: Io,
  store: TraceStore,
  { follows = false }: { readonly follows?: boolean } = {},
): Promise<Observed> {
  const contents = await store.read({}, {});
  const { runs } = contents;
  // A follower of a run may be there before it has begun.
  const isDue = (code: string) => follows && code === "journal.empty";
  const unread = contents.unread.filter(({ error }) => !isDue(error.code));
  if (runs.length === 0 && unread.length === 1)
    throw about(unread[0]?.name ?? "", unread[0]?.error);
  for (const { name, error } of unread) report(io, error, name);
  const trace = new Trace(contents.events);
  return { contents, trace, incomplete: unread.length > 0 };
}

/** A word of a list. @throws ReckonerError `cli.usage` */
export function oneOf<Word extends string>(
  flag: string,
  word: string | undefined,
  words: readonly Word[],
): Word {
  const found = words.find((each) => each === (word ?? words[0]));
  if (found !== undefined) return found;
  throw usageError(`${flag} ${word} is not one of ${words.join(", ")}.`);
}

/**
 * The id that is meant by a word: the part behind the run's is of the run whose journal is named, where
 * that has such an event, since its children have the same ones.
 */
export function idMeant(io: Io, path: string, { contents, trace }: Observed, word: string): string {
  const [first] = contents.runs;
  if (first === undefined || statsOf(io, path)?.isDirectory() === true) return word;
  return trace.get(`${first.runId}#${word}`)?.id ?? word;
}
