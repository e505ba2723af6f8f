/** Opens the journals that are named on the command line, and finds those of a folder or a store. */
import { accessSync, constants, type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileJournal } from "../../adapters/file-journal/index.js";
import { messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../../runtime/index.js";
import { isStoreAddress } from "../store/store-address.js";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import type { FoundJournal } from "./run-folder.js";

/** The port of a journal that the caller named; that of a file has the name that the caller wrote. */
export function journalFile(io: Io, path: string): JournalPort {
  if (isStoreAddress(path)) return storeJournal(io, path);
  return { ...fileJournal(resolve(io.cwd, path)), name: path };
}

/** @throws ReckonerError `cli.usage` where it is a store */
function storeJournal({ stores }: Io, path: string): JournalPort {
  const port = stores?.journals.get(path);
  if (port !== undefined) return port;
  throw usageError(`${path} is a store; name a journal in it: ${path.replace(/#.*/s, "")}#RUN.`);
}

/**
 * The same with the whole path as its name: notes name other journals by their place.
 */
export function journalPlace(io: Io, path: string): JournalPort {
  return isStoreAddress(path) ? storeJournal(io, path) : fileJournal(resolve(io.cwd, path));
}

/**
 * The journals that paths name: files as they are, folders with all their `*.jsonl`, in order.
 * @throws ReckonerError `journal.missing` where a folder holds none, `cli.usage` where a path is empty
 */
export function expandJournals(io: Io, path: string): readonly string[] {
  const found = folderJournals(io, path);
  if (found !== undefined) return found.map(({ name }) => join(path, name));
  return isStoreAddress(path) ? journalsOfStore(io, path) : [path];
}

/**
 * The journals of a folder and of those in it, in order; `undefined` where the path names no folder.
 * @throws ReckonerError as `expandJournals` does
 */
export function folderJournals(io: Io, path: string): readonly FoundJournal[] | undefined {
  // An empty argument, as from an unset shell variable, must not mean the working folder.
  if (path.trim() === "")
    throw usageError("A journal's path is empty; name a journal or a folder.");
  if (isStoreAddress(path) || statsOf(io, path)?.isDirectory() !== true) return undefined;
  const found = [...journalsIn(path, resolve(io.cwd, path))];
  found.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (found.length > 0) return found;
  throw new ReckonerError("journal.missing", `The folder ${path} holds no journal (*.jsonl).`, {
    place: path,
  });
}

/** @throws ReckonerError `journal.missing` where the store holds none */
function journalsOfStore({ stores }: Io, path: string): readonly string[] {
  const names = stores?.names.get(path) ?? [path];
  if (names.length > 0) return names;
  throw new ReckonerError("journal.missing", `The store ${path} holds no journal.`, {
    place: path,
  });
}

/** @param folder as the caller wrote it @param root the same from the root of all files on */
function* journalsIn(folder: string, root: string, above = ""): Generator<FoundJournal> {
  for (const entry of entriesOf(join(folder, above), `${root}/${above}`)) {
    const name = `${above}${entry.name}`;
    const path = `${root}/${name}`;
    // Each of thousands of journals may have a folder of snapshots, in which there are none.
    if (name.endsWith(".jsonl.snapshots")) continue;
    // Links to folders may form a cycle, so only links to files are followed.
    if (entry.isDirectory()) {
      if (isReadable(path)) yield* journalsIn(folder, root, `${name}/`);
      else yield { name: `${name}/${ANY}`, stats: undefined };
    } else if (name.endsWith(".jsonl")) {
      const stats = statsAt(path);
      // A dangling link is a journal that cannot be read, not one that is missing.
      if (stats?.isFile() !== false) yield { name, stats: stats && sizeAndTime(stats) };
    }
  }
}

/** The rest of a file's stats takes more memory than its row. */
function sizeAndTime({ size, mtimeMs }: Stats): FoundJournal["stats"] {
  return { size, mtimeMs };
}

/** Stands for the journals of a folder that nobody may look into: whoever reads it says why. */
const ANY = "*.jsonl";

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws ReckonerError `journal.unreadable` */
function entriesOf(folder: string, path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (cause) {
    throw new ReckonerError(
      "journal.unreadable",
      `The folder ${folder} cannot be read: ${messageOf(cause)}.`,
      { place: folder, cause },
    );
  }
}

/** Returns the stats of a path; nothing where a link leads round in a circle, or nobody may look. */
export function statsOf({ cwd }: Io, path: string): Stats | undefined {
  return statsAt(resolve(cwd, path));
}

function statsAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
