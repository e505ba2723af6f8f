/**
 * Decides when a driver takes a snapshot. The number that is kept is for
 * `runtime/journals/snapshot-keeper.ts`.
 */

/** The end of the line of the last snapshot's mark, in bytes, and the size that it says; 0 where there is none. */
export interface MarkedPlace {
  readonly bytes: number;
  readonly size: number;
}

/** Below this many bytes of lines no snapshot on the way is worth its write. */
const FLOOR = 64 * 1024;

/**
 * Returns true if a snapshot is due: at rest with any line since the last, and else where the lines since are
 * larger than it, so that it costs a fixed share of the work.
 * @param bytes of all lines
 */
export function isSnapshotDue(bytes: number, marked: MarkedPlace, isAtRest: boolean): boolean {
  const since = bytes - marked.bytes;
  return isAtRest ? since > 0 : since > Math.max(FLOOR, marked.size);
}
