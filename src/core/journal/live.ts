/** What a live run needs of the journal: its writing. The face of whatever must not load its reading. */
export { type Cause, type Difference, describeDifference } from "./difference.js";
export * from "./line.js";
export { type FailedAttempts, type JournalMemory, noMemory } from "./memory.js";
export { Recorder } from "./recorder.js";
export { childPath, idFromRoot, ofChild, parentOf, ROOT_RUN } from "./run-lines.js";
export {
  encodeSnapshot,
  type Remembered,
  type Snapshot,
  type SnapshotPlace,
  snapshotDigest,
} from "./snapshot.js";
