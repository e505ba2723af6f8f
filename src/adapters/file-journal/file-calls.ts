/**
 * Wraps the system calls on which durability depends (write, sync, rename, …) in an interface, so that tests can
 * make them fail. It must not know what the bytes mean.
 *
 * Calls that take a few microseconds are synchronous, since the round trip through the thread pool takes longer:
 * small files, and the sync of a lone run on a fast disk (`sync.ts`). Looking up or creating a name may wait for
 * the syncs of others in the same folder, and goes through the pool.
 */
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  ftruncateSync,
  linkSync,
  open,
  openSync,
  readFile,
  readFileSync,
  readSync,
  type Stats,
  writeFile,
  writeFileSync,
  writeSync,
} from "node:fs";
import { mkdir, readdir, rename, stat, unlink } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** The calls that a journal makes to the file system, named after the system calls. */
export interface FileCalls {
  /** Opens what is there. Flags as in `node:fs`'s constants. */
  open(path: string, flags: number): number;
  /** Opens what may have to be made; it is its owner's alone then. */
  create(path: string, flags: number): Promise<number>;
  /** Closes what was opened. */
  close(fd: number): void;
  /** Size in bytes, how many names the file has, and whether it is one. */
  fstat(fd: number): Pick<Stats, "size" | "nlink" | "isFile">;
  /** Appends; returns how many bytes were written. */
  write(fd: number, data: Uint8Array): number;
  /** Reads at a position; returns how many bytes were read. */
  pread(fd: number, into: Uint8Array, position: number): number;
  /** Cuts the file to so many bytes. */
  ftruncate(fd: number, bytes: number): void;
  /** Returns when what was written lies on the disk. */
  fdatasync(fd: number): Promise<void>;
  /** The same, blocking the process; optional. */
  readonly fdatasyncSync?: ((fd: number) => void) | undefined;
  /** Returns when what was written to a file, or into a folder, lies on the disk, with its length and names. */
  syncPath(path: string): Promise<void>;
  /** Gives a file a second name; fails where that is taken. */
  link(from: string, to: string): void;
  /** Makes a folder and those above it; returns the first that was made. */
  mkdir(path: string): Promise<string | undefined>;
  /** The names in a folder. */
  readdir(path: string): Promise<readonly string[]>;
  /** Size, time of the last change, and whether it is a file. */
  stat(path: string): Promise<Pick<Stats, "size" | "mtimeMs" | "isFile">>;
  /** A regular file's text; `undefined` where it is none, or has more bytes than that. */
  readFile(path: string, most: number): Promise<string | undefined>;
  /** A small file's text, read where it is; `undefined` where there is none, or it has more bytes than that. */
  peek(path: string, most: number): string | undefined;
  /** A new file, its owner's alone. */
  writeFile(path: string, text: string): Promise<void>;
  /** Puts a small text into a file where it is, which a crash may leave empty; makes it where there is none. */
  overwrite(path: string, text: string): Promise<void>;
  /** Gives a file another name, in one step. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, where it is there. */
  rm(path: string): Promise<void>;
  /** Resolves after so many milliseconds. */
  sleep(ms: number): Promise<void>;
  /** Does something every so many milliseconds, for as long as the process has other work. @returns ends that */
  every(ms: number, work: () => void): () => void;
}

/** Files are their owner's alone: they hold what was said. */
export const OWNER_ONLY = 0o600;
export const FOLDER_OWNER_ONLY = 0o700;
/** Without waiting, should there be a pipe; not every platform has the flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Bytes or characters that are read and written where it is. */
const SMALL = 64 * 1024;
const OVER = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
const openLater = promisify(open);
const syncLater = promisify(fsync);
const readWhole = promisify(readFile);
const writeWhole = promisify(writeFile);

/** Node's own. */
export const nodeCalls: FileCalls = {
  open: (path, flags) => openSync(path, flags),
  create: (path, flags) => openLater(path, flags, OWNER_ONLY),
  close: closeSync,
  fstat: (fd) => fstatSync(fd),
  write: (fd, data) => writeSync(fd, data),
  pread: (fd, into, position) => readSync(fd, into, 0, into.length, position),
  ftruncate: (fd, bytes) => ftruncateSync(fd, bytes),
  fdatasync: promisify(fdatasync),
  fdatasyncSync: (fd) => fdatasyncSync(fd),
  async syncPath(path) {
    const fd = openToSync(path);
    try {
      await syncLater(fd);
    } finally {
      closeSync(fd);
    }
  },
  link: (from, to) => linkSync(from, to),
  mkdir: (path) => mkdir(path, { recursive: true, mode: FOLDER_OWNER_ONLY }),
  readdir: (path) => readdir(path),
  stat: (path) => stat(path),
  async readFile(path, most) {
    const fd = await openLater(path, READ);
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile() || stats.size > most) return undefined;
      return stats.size <= SMALL ? readFileSync(fd, "utf8") : await readWhole(fd, "utf8");
    } finally {
      closeSync(fd);
    }
  },
  peek(path, most) {
    let fd: number;
    try {
      fd = openSync(path, READ);
    } catch (thrown) {
      if (codeOf(thrown) === "ENOENT") return undefined;
      throw thrown;
    }
    try {
      const bytes = Buffer.alloc(most + 1);
      const size = readSync(fd, bytes, 0, bytes.length, 0);
      return size > most ? undefined : bytes.toString("utf8", 0, size);
    } finally {
      closeSync(fd);
    }
  },
  async writeFile(path, text) {
    const fd = await openLater(path, "wx", OWNER_ONLY);
    try {
      if (text.length <= SMALL) writeFileSync(fd, text);
      else await writeWhole(fd, text);
    } finally {
      closeSync(fd);
    }
  },
  async overwrite(path, text) {
    const fd = await openLater(path, OVER, OWNER_ONLY);
    try {
      writeSync(fd, text);
    } finally {
      closeSync(fd);
    }
  },
  rename: (from, to) => rename(from, to),
  async rm(path) {
    try {
      await unlink(path);
    } catch (thrown) {
      if (codeOf(thrown) !== "ENOENT") throw thrown;
    }
  },
  sleep: (ms) => sleep(ms),
  every(ms, work) {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
};

/** A file is synced through a descriptor that may write it, a folder through one that may not. */
function openToSync(path: string): number {
  try {
    return openSync(path, constants.O_RDWR);
  } catch (thrown) {
    if (codeOf(thrown) !== "EISDIR") throw thrown;
    return openSync(path, constants.O_RDONLY);
  }
}

/** The code of a system error ("ENOENT"), or `undefined`. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
}
