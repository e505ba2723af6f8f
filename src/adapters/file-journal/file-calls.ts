/**
 * The system calls on which durability hangs, behind an interface so that a test can let them fail.
 * It must not know what the bytes mean.
 *
 * fstat and write take a microsecond each. The sync of a lone run on a fast disk is quicker than a
 * round trip through the thread pool; see `sync.ts`.
 */
import {
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  readSync,
  type Stats,
  writeSync,
} from "node:fs";

/** What a journal asks of the file system, named after the system calls. */
export interface FileCalls {
  /** Size in bytes, and how many names the file has. */
  fstat(fd: number): Pick<Stats, "size" | "nlink">;
  /** Appends; returns how many bytes were written. */
  write(fd: number, data: Uint8Array): number;
  /** Reads at a position; returns how many bytes were read. */
  pread(fd: number, into: Uint8Array, position: number): number;
  /** Cuts the file to so many bytes. */
  ftruncate(fd: number, bytes: number): void;
  /** Returns when what was written lies on the disk. */
  fdatasync(fd: number): Promise<void>;
  /** The same, with the whole process waiting; without it nobody ever does. */
  readonly fdatasyncSync?: ((fd: number) => void) | undefined;
  /** Gives a file a second name; fails where that is taken. */
  link(from: string, to: string): void;
}

/** Node's own. */
export const nodeCalls: FileCalls = {
  fstat: (fd) => fstatSync(fd),
  write: (fd, data) => writeSync(fd, data),
  pread: (fd, into, position) => readSync(fd, into, 0, into.length, position),
  ftruncate: (fd, bytes) => ftruncateSync(fd, bytes),
  fdatasync: (fd) =>
    new Promise((resolve, reject) => {
      fdatasync(fd, (error) => (error === null ? resolve() : reject(error)));
    }),
  fdatasyncSync: (fd) => fdatasyncSync(fd),
  link: (from, to) => linkSync(from, to),
};

/** The code of a system error ("ENOENT"), or `undefined`. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
}
