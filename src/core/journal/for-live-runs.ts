/**
 * The face of the journal for programs that only run: they write lines and snapshots, and need not load the
 * code that reads them.
 */

export { References } from "./held-values.js";
export { Ledger } from "./ledger.js";
export * from "./line.js";
export {
  type FailedAttempts,
  type Handle,
  type JournalMemory,
  noMemory,
  spentWith,
  Waiting,
} from "./memory.js";
export type { Asked } from "./owed-lines.js";
export { Recorder } from "./recorder.js";
export {
  type CallChange,
  type Cause,
  type CausedDifference,
  type Difference,
  describeDifference,
} from "./replay-difference.js";
export { childPath, idFromRoot, ofChild, parentOf, ROOT_RUN } from "./run-lines.js";
export type { NamedRows } from "./shared-rows.js";
export {
  type EventPlace,
  encodeSnapshot,
  type MarkPlace,
  type Remembered,
  type RunSnapshot,
  type Snapshot,
  type SnapshotClaim,
  stateProof,
  storedSnapshot,
} from "./snapshot.js";
