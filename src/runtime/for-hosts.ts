/** The parts of the runtime that a host of many runs is made of, beside `perform`. */

export { type PerformPorts, perform } from "./effects/perform.js";
export { headOf } from "./journals/head.js";
export { givenAt, inheritedAnswers } from "./journals/inherited.js";
export { LiveRow } from "./journals/live-row.js";
export { loadRun } from "./journals/load.js";
export type { LoadedRun } from "./journals/loaded-run.js";
export { memoryJournal } from "./journals/memory-journal.js";
export { SnapshotKeeper } from "./journals/snapshot-keeper.js";
export { summaryOf } from "./journals/summary.js";
export { viewOf } from "./journals/view.js";
export { checkEvent, checkGrace, checkReason } from "./ports/check-event.js";
export { CLOCK, checkAllOptions, checkGiven, MODEL } from "./ports/check-options.js";
export { systemClock, type VirtualClock, virtualClock } from "./ports/clock.js";
export { LazyAbort } from "./ports/lazy-abort.js";
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
export { notSettled, refusedBy, runEnded, staleApproval } from "./running/refusals.js";
export { Slots } from "./running/slots.js";
