/**
 * Lists the runs that a word of the command line names, each with its row: those of a folder (by its index), of
 * a store (by its table of runs), or of one journal (by reading it).
 */
import { join, resolve } from "node:path";
import type { JournalStore, ListOptions } from "../../adapters/journal-tables/index.js";
import { isReckonerError } from "../../core/kernel/values/index.js";
import { type RunRow, summaryOf } from "../../runtime/index.js";
import { addressOf, storeAddress } from "../store/store-address.js";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { folderJournals, journalFile, statsOf } from "./journal-files.js";
import { RunFolder } from "./run-folder.js";

/** A journal that cannot be read, and why. */
export interface Unreadable {
  readonly journal: string;
  readonly code: string;
  readonly message: string;
}

/** A run, and the word that names its journal. */
export interface ListedRun {
  readonly journal: string;
  readonly row: RunRow;
}

/** The runs that were found. */
export interface ListedRuns {
  readonly runs: readonly ListedRun[];
  readonly unreadable: readonly Unreadable[];
}

/** Flags that choose runs of a store. */
export interface RunFlags extends Pick<ListOptions, "person" | "tag" | "search"> {
  readonly status?: readonly string[];
}

/** Returns true for a run that has ended. */
export function isOver({ status }: Pick<RunRow, "status">): boolean {
  return status === "done" || status === "failed" || status === "cancelled";
}

/** Returns true for a word that names a folder, or a store as a whole. */
export function isOfMany(io: Io, word: string): boolean {
  return io.stores?.names.has(word) === true || statsOf(io, word)?.isDirectory() === true;
}

/** The folder of a path, whose journals are opened by the paths that a caller would write. */
export function runFolder(io: Io, path: string): RunFolder {
  return new RunFolder(resolve(io.cwd, path), (name) => journalFile(io, join(path, name)));
}

/**
 * Lists runs.
 * @throws ReckonerError what reading says of a journal that is named by itself, `cli.usage`
 */
export async function listedRuns(io: Io, word: string, flags: RunFlags = {}): Promise<ListedRuns> {
  const store = io.stores?.stores.get(word);
  if (store !== undefined && storeAddress(word).run === undefined) {
    return runsOfStore(store, word, flags);
  }
  const ofStore = (["status", "person", "tag", "search"] as const).find((flag) => flags[flag]);
  if (ofStore !== undefined) throw usageError(`--${ofStore} needs a store; ${word} is none.`);
  const found = folderJournals(io, word);
  if (found === undefined) {
    const row = await summaryOf(journalFile(io, word));
    return { runs: [{ journal: word, row }], unreadable: [] };
  }
  const { rows, unreadable } = await runFolder(io, word).list(found);
  // Names in the folder are normal already.
  const above = join(word, "-").slice(0, -1);
  return {
    runs: rows.map(({ journal, row }) => ({ journal: `${above}${journal}`, row })),
    unreadable: unreadable.map(({ name, error }) => {
      if (!isReckonerError(error)) throw error;
      return { journal: `${above}${name}`, code: error.code, message: error.message };
    }),
  };
}

async function runsOfStore(
  store: JournalStore,
  word: string,
  { status, person, tag, search }: RunFlags,
): Promise<ListedRuns> {
  const wanted = { status: status as ListOptions["status"], person, tag, search };
  const named = (id: string) => addressOf(storeAddress(word), id);
  const runs: ListedRun[] = [];
  const unreadable: Unreadable[] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.list({ ...wanted, after, limit: 1_000 });
    for (const { id, ...row } of page.runs) runs.push({ journal: named(id), row });
    for (const { id, ...why } of page.unreadable) unreadable.push({ journal: named(id), ...why });
    after = page.next;
    if (after === undefined) return { runs, unreadable };
  }
}
