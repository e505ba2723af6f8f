/**
 * Exports what `serve` and the durable engines need of the runtime to keep and drive many runs, beside
 * `perform`.
 */

export { askedLetters } from "./effects/asked-letters.js";
export {
  lostReport,
  type PerformPorts,
  perform,
  type Report,
} from "./effects/perform.js";
export { headNote, headOf } from "./journals/head.js";
export { dueAt, inheritedAnswers } from "./journals/inherited.js";
export { LiveRow } from "./journals/live-row.js";
export { loadRun } from "./journals/load.js";
export type { LoadedRun } from "./journals/loaded-run.js";
export { memoryJournal } from "./journals/memory-journal.js";
export { writeNote } from "./journals/notes.js";
export { appendLines, withWriter } from "./journals/port-calls.js";
export { SnapshotKeeper } from "./journals/snapshot-keeper.js";
export { headerOf, summaryOf } from "./journals/summary.js";
export { viewOf } from "./journals/view.js";
export { type BlobPort, blobsOf } from "./ports/blobs.js";
export { checkEvent, checkGrace, checkReason } from "./ports/check-event.js";
export {
  BLOBS,
  CARRYING,
  CLOCK,
  checkAllOptions,
  checkArgument,
  NOW,
  SIGNAL,
} from "./ports/check-options.js";
export { systemClock, type VirtualClock, virtualClock } from "./ports/clock.js";
export { FileDoor, missingBlob } from "./ports/file-door.js";
export { LazyAbort } from "./ports/lazy-abort.js";
export { memoryBlobs } from "./ports/memory-blobs.js";
export { listsOf, type ModelOption } from "./ports/models.js";
export type { HostOptions } from "./ports/options.js";
export * from "./ports/ports.js";
export {
  isLabel,
  LABEL,
  labelsOf,
  type RunRow,
  rowStart,
  TAGS,
} from "./ports/run-row.js";
export { decided, idOf, openApprovals, staleOf } from "./running/answers.js";
export { checkReady } from "./running/check-ready.js";
export { driverOptions } from "./running/driver-options.js";
export { type Randomness, systemRandomness } from "./running/randomness.js";
export { notSettled, refusedBy, runEnded, staleApproval } from "./running/too-late.js";
