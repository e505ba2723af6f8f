/**
 * A journal as a file: the port's methods put together from lock, writer, reader and snapshot. It
 * must not know what a line means.
 */
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import {
  type ErrorCode,
  isReckonerError,
  messageOf,
  ReckonerError,
} from "../../core/kernel/index.js";
import type { JournalPort, JournalWriter } from "../../runtime/index.js";
import { codeOf, type FileCalls, nodeCalls } from "./file-calls.js";
import { FileWriter } from "./file-writer.js";
import { type Lock, takeLock } from "./lock.js";
import { readText } from "./read-text.js";
import { snapshotFile } from "./snapshot-file.js";

/** What can be chosen about a journal file. */
export interface FileJournalOptions {
  /** System calls to use instead of Node's own, for tests that let them fail. */
  readonly calls?: Partial<FileCalls>;
}

/** What a folder answers to fsync where folders cannot be synced. */
const NOT_SYNCED: ReadonlySet<string | undefined> = new Set([
  "EACCES",
  "EBADF",
  "EINVAL",
  "EISDIR",
  "ENOTSUP",
  "EPERM",
]);

/**
 * A journal in a file of JSON Lines. While it is written there is a `<path>.lock` beside it, and
 * maybe a `<path>.snapshot`, which can be deleted. Lines are on the disk when `append` resolves.
 */
export function fileJournal(path: string, options: FileJournalOptions = {}): JournalPort {
  const calls: FileCalls = { ...nodeCalls, ...options.calls };
  return {
    name: path,
    open: (mode) => openWriter(path, mode, calls),
    read: (from) => readText(path, from?.bytes ?? 0),
    snapshot: snapshotFile(`${path}.snapshot`),
    child: (id) => childJournal(path, id, options),
    // Relative, so that the two can be moved together.
    link: (to) => relative(dirname(resolve(path)), resolve(to.name)),
    follow: (link) => fileJournal(resolve(dirname(resolve(path)), link), options),
  };
}

/** The journal of a child run: `<path without .jsonl>.runs/<id with dots for slashes>.jsonl`. */
function childJournal(path: string, id: string, options: FileJournalOptions): JournalPort {
  const folder = `${path.replace(/\.jsonl$/, "")}.runs`;
  const file = `${id.replace(/[^\w-]/g, (c) => (c === "/" ? "." : `%${c.charCodeAt(0)}`))}.jsonl`;
  const port = fileJournal(join(folder, file), options);
  return {
    ...port,
    async open(mode) {
      if (mode === "create" && (await mkdir(folder, { recursive: true })) !== undefined) {
        // The folder's own name has to be durable, or its journals are not.
        await syncFolder(dirname(resolve(folder)));
      }
      return port.open(mode);
    },
  };
}

async function openWriter(
  path: string,
  mode: "create" | "append",
  calls: FileCalls,
): Promise<JournalWriter> {
  let lock: Lock | undefined;
  let fd: number | undefined;
  try {
    const real = await realPath(path);
    lock = await takeLock(`${real}.lock`, path, calls);
    // Appending alone, whoever else may write: no byte that is there is ever overwritten.
    const flags = constants.O_RDWR | constants.O_APPEND;
    fd = openSync(real, mode === "create" ? flags | constants.O_CREAT : flags);
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw refused("journal.write", path, "is not a regular file");
    if (mode === "create") {
      if (stats.size > 0) {
        throw refused(
          "journal.exists",
          path,
          "holds a journal already: resume it, or choose another name",
        );
      }
      await syncFolder(dirname(real));
    }
    return new FileWriter(path, fd, lock, calls);
  } catch (thrown) {
    if (fd !== undefined) closeSync(fd);
    await lock?.release();
    throw isReckonerError(thrown) ? thrown : explained(thrown, path, mode);
  }
}

/** One file has one lock, by whatever links it is reached. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (thrown) {
    if (codeOf(thrown) !== "ENOENT") throw thrown;
    const absolute = resolve(path);
    return join(await realpath(dirname(absolute)), basename(absolute));
  }
}

/** A new file is durable when its name is. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (thrown) {
    if (!NOT_SYNCED.has(codeOf(thrown))) throw thrown;
  }
}

function explained(thrown: unknown, path: string, mode: "create" | "append"): ReckonerError {
  const code = codeOf(thrown);
  if (code === "ENOENT" || code === "ENOTDIR") {
    return mode === "append"
      ? refused("journal.missing", path, "does not exist", thrown)
      : refused(
          "journal.write",
          path,
          "lies in a folder that does not exist: make it first",
          thrown,
        );
  }
  if (code === "EISDIR")
    return refused("journal.write", path, "is a folder, not a journal", thrown);
  return refused(
    "journal.write",
    path,
    `cannot be opened for writing: ${messageOf(thrown)}`,
    thrown,
  );
}

function refused(code: ErrorCode, path: string, what: string, cause?: unknown): ReckonerError {
  return new ReckonerError(code, `${path} ${what}.`, { place: path, cause });
}
