/**
 * Reads the traces of journals (the events of their runs, with times and causes) for `observe` and `graph --view
 * trace`, and reports what cannot be read.
 */
import {
  type JournalTraces,
  journalTraces,
  type TracedJournals,
  type Unread,
} from "../../trace/live/index.js";
import { Trace, type TraceEvent } from "../../trace/pure/index.js";
import { expandJournals, journalFile, statsOf } from "../files/journal-files.js";
import { about, report } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { journalsBySession } from "./journals-by-session.js";

/** The traces of journals. */
export function tracesOf(io: Io, journals: readonly string[]): JournalTraces {
  return journalTraces(journals.map((each) => journalFile(io, each)));
}

/** The traces of a journal, or of those of a folder that hold what is wanted, as they are at each reading. */
export function observedTraces(
  io: Io,
  path: string,
  wanted: readonly string[] = [],
): JournalTraces {
  return journalTraces(async () => {
    const journals =
      wanted.length === 0
        ? expandJournals(io, path)
        : (await journalsBySession(io, path, wanted)).flat().sort();
    return journals.map((each) => journalFile(io, each));
  });
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
  reportUnread(io, trace.runs.length, unread);
  return { trace, unread };
}

/** Says what cannot be read. @throws ReckonerError what reading threw, where there is nothing else */
export function reportUnread(io: Io, runs: number, unread: readonly Unread[]): void {
  const [first] = unread;
  if (runs === 0 && first !== undefined && unread.length === 1)
    throw about(first.name, first.error);
  for (const { name, error } of unread) report(io, error, name);
}

/**
 * Reads the events that are asked for, by time: one session after the other, so that of a folder no more is held
 * than these events and a session.
 * @param wanted as `journalsBySession` takes it
 */
export async function observedEvents(
  io: Io,
  path: string,
  wanted: readonly string[],
  asked: (events: readonly TraceEvent[]) => readonly TraceEvent[],
): Promise<{ readonly events: readonly TraceEvent[]; readonly unread: readonly Unread[] }> {
  const sessions = await journalsBySession(io, path, wanted);
  const found: (readonly TraceEvent[])[] = [];
  const unread: Unread[] = [];
  let runs = 0;
  for (const journals of sessions) {
    const read = await tracesOf(io, journals).read();
    found.push(asked(read.trace.events));
    unread.push(...read.unread);
    runs += read.trace.runs.length;
  }
  reportUnread(io, runs, unread);
  const [only = []] = found;
  return { events: found.length === 1 ? only : asked(new Trace(found.flat()).events), unread };
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
