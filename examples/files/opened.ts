/**
 * Opening what a model named, inside a folder. Between a look at a path and its use somebody else may
 * put a link in its place, so it is the other way round here: a thing is opened first, and what was
 * opened is looked at, by its identity. A pipe does not make it wait, and a file that has another name
 * as well, a hard link, may be one from outside: it is refused.
 */
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { ToolError } from "reckoner";

const { O_APPEND, O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** How a file is opened. Nothing is cut off before it is known which file it is. */
export const reading: number = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
export const writing: number = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
export const appending: number = writing | O_APPEND;

/** Opens a file at its real place, and gives it to `use` where it is one, and lies within `top`. */
export function withFile<T>(
  top: string,
  place: string,
  flags: number,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  return withOpened(top, place, place, flags, isOwnFile, use);
}

/**
 * Opens a folder at its real place, and gives `use` a way to it that nobody can turn elsewhere: on
 * Linux through the folder that is open, elsewhere its path.
 */
export function withFolder<T>(
  top: string,
  place: string,
  use: (way: string) => Promise<T>,
): Promise<T> {
  const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
  return withOpened(
    top,
    place,
    place,
    flags,
    (stats) => stats.isDirectory(),
    (folder) => use(process.platform === "linux" ? `/proc/self/fd/${folder.fd}` : place),
  );
}

/** Opens a file in a folder that is open. */
export function withFileIn<T>(
  top: string,
  [way, folder]: readonly [way: string, folder: string],
  name: string,
  flags: number,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  return withOpened(top, join(way, name), join(folder, name), flags, isOwnFile, use);
}

async function withOpened<T>(
  top: string,
  way: string,
  place: string,
  flags: number,
  fits: (stats: Stats) => boolean,
  use: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await openAt(way, place, top, flags);
  try {
    const opened = await handle.stat();
    if (!fits(opened)) throw leaves(place, top);
    // Whatever stands there by now: what was opened has to be what lies inside.
    const real = await realpath(place);
    const there = await lstat(real);
    const same = there.dev === opened.dev && there.ino === opened.ino;
    if (!holds(top, real) || !same) throw leaves(place, top);
    return await use(handle);
  } finally {
    await handle.close();
  }
}

async function openAt(way: string, place: string, top: string, flags: number): Promise<FileHandle> {
  try {
    return await open(way, flags, 0o666);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    // A link in its place, a pipe that nobody reads, a file where a folder was.
    if (["ELOOP", "EMLINK", "ENXIO", "ENOTDIR"].includes(code ?? "")) throw leaves(place, top);
    throw thrown;
  }
}

function isOwnFile(stats: Stats): boolean {
  return stats.isFile() && stats.nlink === 1;
}

/** Whether a place is a folder or lies within it. */
export function holds(top: string, place: string): boolean {
  const way = relative(top, place);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** What is said of a path that leads out, or to what is no file of the folder's own. */
export function leaves(place: string, top?: string): Error {
  const shown = top === undefined ? place : relative(top, place);
  return new ToolError(
    `${shown} lies outside the folder, or is no plain file or folder of its own`,
  );
}
