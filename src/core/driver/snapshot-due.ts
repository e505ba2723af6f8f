/**
 * Decides when a driver takes a snapshot; `runtime/journals/snapshot-keeper.ts` decides how many are kept.
 */

/** The end of the line of the last snapshot's mark, in bytes, and the size that it says; 0 where there is none. */
export interface MarkedPlace {
  readonly bytes: number;
  readonly size: number;
}

/** Below this many bytes of lines no snapshot on the way is worth its write. */
const FLOOR = 64 * 1024;

/**
 * Returns true if a snapshot is due: of a tree that runs where the lines since the last are larger than it, so
 * that it costs a fixed share of the work; of one that waits, has ended or was drained with any line since.
 * @param bytes of all lines
 */
export function isSnapshotDue(bytes: number, marked: MarkedPlace, isRunning: boolean): boolean {
  const since = bytes - marked.bytes;
  return since > (isRunning ? Math.max(FLOOR, marked.size) : 0);
}
