/** Opens a journal's file for writing, and explains in an error why it cannot be opened. */
import { constants, realpathSync } from "node:fs";
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import {
  type ErrorCode,
  isReckonerError,
  messageOf,
  ReckonerError,
} from "../../core/kernel/values/index.js";
import { codeOf, type FileCalls } from "./file-calls.js";
import { FileWriter } from "./file-writer.js";
import { withFile } from "./open-files.js";

/** The answers to fsync of a folder where folders cannot be synced. */
const NOT_SYNCED: ReadonlySet<string | undefined> = new Set([
  "EACCES",
  "EBADF",
  "EINVAL",
  "EISDIR",
  "ENOTSUP",
  "EPERM",
]);

/** Appending alone, whoever else may write: no byte that is there is ever overwritten. */
const APPENDING = constants.O_RDWR | constants.O_APPEND;

/** The file to open, and how. */
export interface Opening {
  /** As the caller wrote it, for messages. */
  readonly path: string;
  readonly real: string;
  readonly mode: "create" | "append";
  readonly calls: FileCalls;
  /** True where the file stays open from append to append. */
  readonly kept: boolean;
  /** Returns true if the journal is still locked by this writer. */
  isHeld(): boolean;
}

/** Opens a file. @throws ReckonerError `journal.exists`, `journal.missing`, `journal.write` */
export async function openFile(opening: Opening): Promise<FileWriter> {
  const { path, real, mode, calls, kept, isHeld } = opening;
  let fd: number | undefined;
  try {
    return await withFile(async () => {
      fd =
        mode === "create"
          ? await calls.create(real, APPENDING | constants.O_CREAT)
          : calls.open(real, APPENDING);
      const stats = calls.fstat(fd);
      if (!stats.isFile()) throw refused("journal.write", path, "is not a regular file");
      if (mode === "create") {
        if (stats.size > 0 && !isTornHeader(calls, fd, stats.size)) {
          throw refused(
            "journal.exists",
            path,
            "holds a journal already: resume it, or choose another name",
          );
        }
        await syncFolder(dirname(real), calls);
      }
      const own = fd;
      if (kept)
        return new FileWriter(path, { open: () => own, close: () => {}, isHeld }, calls, () =>
          calls.close(own),
        );
      fd = undefined;
      calls.close(own);
      const onDemand = {
        open: () => calls.open(real, APPENDING),
        close: (each: number) => calls.close(each),
        isHeld,
      };
      return new FileWriter(path, onDemand, calls, () => {});
    });
  } catch (thrown) {
    if (fd !== undefined) calls.close(fd);
    throw isReckonerError(thrown) ? thrown : explained(thrown, path, mode);
  }
}

/** The beginning of each journal's header. */
const HEADER = '{"type":"header","format":"reckoner-journal/';
const NEWLINE = 10;
/** So much is read at a time: what is in the way may be a journal of any size. */
const PIECE = 64 * 1024;

/** Returns true if a file holds nothing but the rest of a process that died over its first line. */
function isTornHeader(calls: FileCalls, fd: number, size: number): boolean {
  for (let at = 0; at < size; at += PIECE) {
    const bytes = Buffer.alloc(Math.min(PIECE, size - at));
    if (calls.pread(fd, bytes, at) < bytes.length || bytes.includes(NEWLINE)) return false;
    if (at === 0 && !HEADER.startsWith(bytes.toString("latin1", 0, HEADER.length))) return false;
  }
  return true;
}

/** One file has one lock, by whatever links it is reached. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (thrown) {
    if (codeOf(thrown) !== "ENOENT") throw thrown;
    const absolute = resolve(path);
    const folder = await realpath(dirname(absolute));
    // A file created through a dangling link is created at the link's target.
    const target = await readlink(absolute).catch(() => undefined);
    return target === undefined
      ? join(folder, basename(absolute))
      : realPath(resolve(folder, target));
  }
}

/** The real path of a file; where it is not there that of its folder goes before its name. */
export function realPathNow(path: string): string {
  const absolute = resolve(path);
  for (const base of [absolute, dirname(absolute)]) {
    try {
      return join(realpathSync.native(base), relative(base, absolute));
    } catch {
      // It is not there yet; its folder may be.
    }
  }
  return absolute;
}

/** Makes a folder, and sees to it that its name is durable, or what is in it is not. */
export async function makeFolder(path: string, calls: FileCalls): Promise<void> {
  const first = await calls.mkdir(path);
  if (first !== undefined) await syncFolder(dirname(resolve(first)), calls);
}

/** A new file is durable when its name is. */
export async function syncFolder(path: string, calls: FileCalls): Promise<void> {
  try {
    await calls.syncPath(path);
  } catch (thrown) {
    if (!NOT_SYNCED.has(codeOf(thrown))) throw thrown;
  }
}

/** @internal */
export function explained(thrown: unknown, path: string, mode: "create" | "append"): ReckonerError {
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

/** @internal */
export function refused(
  code: ErrorCode,
  path: string,
  what: string,
  cause?: unknown,
): ReckonerError {
  return new ReckonerError(code, `${path} ${what}.`, { place: path, cause });
}
