/** Loads the traces that `observe` and `graph --view trace` show. */
import { type JournalTraces, journalTraces, type TracedJournals } from "../../trace/live/index.js";
import type { Trace } from "../../trace/pure/index.js";
import { expandJournals, journalFile, statsOf } from "../files/journal-files.js";
import { about, report } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

/** The traces of a journal, or of a folder of them. */
export function observedTraces(io: Io, path: string): JournalTraces {
  return journalTraces(() => expandJournals(io, path).map((each) => journalFile(io, each)));
}

/**
 * Reads; what cannot be read is said.
 * @param follows whether a run may still begin
 * @throws ReckonerError what reading throws, where there is one journal and it cannot be read
 */
export async function observe(
  io: Io,
  traces: JournalTraces,
  follows = false,
): Promise<TracedJournals> {
  const { trace, unread: all } = await traces.read();
  const unread = all.filter(({ error }) => !(follows && error.code === "journal.empty"));
  const [first] = unread;
  if (trace.runs.length === 0 && first !== undefined && unread.length === 1)
    throw about(first.name, first.error);
  for (const { name, error } of unread) report(io, error, name);
  return { trace, unread };
}

/**
 * The id that is meant by a word: the part behind the run's is of the run whose journal is named, where
 * that has such an event, since its children have the same ones.
 */
export function idMeant(io: Io, path: string, trace: Trace, word: string): string {
  const [first] = trace.runs;
  if (first === undefined || statsOf(io, path)?.isDirectory() === true) return word;
  return trace.get(`${first.runId}#${word}`)?.id ?? word;
}
