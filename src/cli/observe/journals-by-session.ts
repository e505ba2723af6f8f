/**
 * Chooses which journals of a folder or a store `observe` reads, by the rows of their runs. The runs of one
 * session (those that continue each other) are read together.
 */
import { groupBy } from "../../core/kernel/values/index.js";
import { escapeId } from "../../core/kernel/vocabulary/index.js";
import { sessionsOf } from "../../trace/pure/index.js";
import { expandJournals } from "../files/journal-files.js";
import { isOfMany, type ListedRun, listedRuns } from "../files/listed-runs.js";
import type { Io } from "../terminal/io.js";

/** Returns the session of each run, by its id: the first of the runs that one goes on from, or was forked from. */
export function sessionsOfRows(runs: readonly ListedRun[]): ReadonlyMap<string, string> {
  return sessionsOf(
    runs.map(({ row: { runId, link } }) => ({
      header: { runId, ...(link === undefined ? {} : { from: link }) },
    })),
  );
}

/**
 * Returns the journals that are to be read, those of one session together, and those that have no row as one more.
 * @param wanted ids of runs, and sessions, of which a session has each; a word that no row has may be anywhere
 * @throws ReckonerError as `listedRuns` does
 */
export async function journalsBySession(
  io: Io,
  path: string,
  wanted: readonly string[],
): Promise<readonly (readonly string[])[]> {
  if (!isOfMany(io, path)) return [expandJournals(io, path)];
  const { runs, unreadable } = await listedRuns(io, path);
  const sessions = sessionsOfRows(runs);
  const groups = [...groupBy(runs, ({ row }) => sessions.get(row.runId))];
  const fitting = groups.filter(([session, ofIt]) =>
    wanted.every((word) => word === session || ofIt.some(({ row }) => isIn(word, row.runId))),
  );
  const chosen: (readonly { readonly journal: string }[])[] = (
    fitting.length === 0 ? groups : fitting
  ).map(([, ofIt]) => ofIt);
  const without = unreadable.length === 0 ? [] : [unreadable];
  return [...chosen, ...without].map((each) => each.map(({ journal }) => journal).sort());
}

/** Returns true for the id of a run, and for those of its children. */
function isIn(word: string, runId: string): boolean {
  return word === runId || word.startsWith(`${escapeId(runId)}:`);
}
