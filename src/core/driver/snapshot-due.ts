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

/** The part of all lines that may stand behind the last snapshot: who opens the run steps through them. */
const BEHIND = 1 / 64;

/**
 * Returns true if a snapshot is due: of a tree that runs where the lines since the last are larger than it and
 * a fixed part of all, so that it costs a fixed share of the work: what it writes is short, but it looks at each
 * row of the state's Lists, of which there are as many as there are lines. Of a tree that waits, has ended or was
 * drained one is due with any line since.
 * @param bytes of all lines
 */
export function isSnapshotDue(bytes: number, marked: MarkedPlace, isRunning: boolean): boolean {
  const since = bytes - marked.bytes;
  return since > (isRunning ? Math.max(FLOOR, marked.size, bytes * BEHIND) : 0);
}
