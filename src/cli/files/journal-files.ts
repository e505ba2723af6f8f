/** Resolves the journals named on the command line: files, and folders of them. */
import { accessSync, constants, type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileJournal } from "../../adapters/file-journal/index.js";
import { messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../../runtime/index.js";
import { isStoreAddress } from "../store/store-address.js";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

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
  // An empty argument, as from an unset shell variable, must not mean the working folder.
  if (path.trim() === "")
    throw usageError("A journal's path is empty; name a journal or a folder.");
  if (isStoreAddress(path)) return journalsOfStore(io, path);
  if (statsOf(io, path)?.isDirectory() !== true) return [path];
  const found = [...journalsIn(io, path)].sort();
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

function* journalsIn(io: Io, folder: string): Generator<string> {
  for (const entry of entriesOf(io, folder)) {
    const path = join(folder, entry.name);
    // Each of thousands of journals may have a folder of snapshots, in which there are none.
    if (entry.name.endsWith(".jsonl.snapshots")) continue;
    // Links to folders may form a cycle, so only links to files are followed.
    if (entry.isDirectory()) yield* isReadable(io, path) ? journalsIn(io, path) : [join(path, ANY)];
    // A dangling link is a journal that cannot be read, not one that is missing.
    else if (entry.name.endsWith(".jsonl") && isFile(io, entry, path)) yield path;
  }
}

function isFile(io: Io, entry: Dirent, path: string): boolean {
  return entry.isFile() || statsOf(io, path)?.isFile() !== false;
}

/** Stands for the journals of a folder that nobody may look into: whoever reads it says why. */
const ANY = "*.jsonl";

function isReadable(io: Io, folder: string): boolean {
  try {
    accessSync(resolve(io.cwd, folder), constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws ReckonerError `journal.unreadable` */
function entriesOf(io: Io, folder: string): readonly Dirent[] {
  try {
    return readdirSync(resolve(io.cwd, folder), { withFileTypes: true });
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
  try {
    return statSync(resolve(cwd, path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
