/** The interpreter, the ports, and their defaults in memory. */

export * from "./effects/scripted-model.js";
export type { ReplayReport, Stretch } from "./journals/check-stretches.js";
export { journalAt, type OpenPath, useJournalPaths } from "./journals/journal-place.js";
export { contextOfLink } from "./journals/load.js";
export * from "./journals/memory-journal.js";
export { findHeader, readHeader, readLines } from "./journals/read-journal.js";
export * from "./journals/replay.js";
export { verifiedSnapshot } from "./journals/snapshots.js";
export type { ReasonerVersions } from "./journals/upgrade.js";
export * from "./ports.js";
export * from "./running/clock.js";
export * from "./running/config.js";
export * from "./running/end.js";
export type { Run } from "./running/live-run.js";
export type { NoticeCode, Observation, Observer } from "./running/observation.js";
export * from "./running/options.js";
export { Places } from "./running/places.js";
export { resume, run } from "./running/run.js";
export {
  Decisions,
  type DecisionsOptions,
  type OpenOperation,
  type WriteOptions,
} from "./stores/decisions.js";
export { DecisionsView } from "./stores/decisions-view.js";
export { type MemoryDecisionsOptions, memoryDecisions } from "./stores/memory-decisions.js";
export { exportDecisions, importDecisions } from "./stores/transfer.js";
