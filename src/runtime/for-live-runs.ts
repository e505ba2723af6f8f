/**
 * Exports what a program needs to start and resume runs: `run`, `resume`, `replay`, the ports and their types.
 * The readers of journals are loaded when one is read.
 */

export * from "./effects/scripted-model.js";
export type { ReplayReport } from "./journals/checker.js";
export { journalAt } from "./journals/journal-place.js";
export * from "./journals/memory-journal.js";
export type { ReasonerVersions } from "./journals/reasoners-of.js";
export { type Folded, fold, type ReplayOptions, replay } from "./journals/replay.js";
export type { RunSummary } from "./journals/row-from-journal.js";
export type { JournalSegment } from "./journals/segments.js";
export { headerOf, summaryOf } from "./journals/summary.js";
export type { BlobPort, RunBlobs } from "./ports/blobs.js";
export * from "./ports/clock.js";
export * from "./ports/config.js";
export { isModels, type ModelOption, type Models, models } from "./ports/models.js";
export type { NoticeCode, Observation, Observer } from "./ports/observation.js";
export * from "./ports/options.js";
export * from "./ports/ports.js";
export type { OpenApproval, RunRow } from "./ports/run-row.js";
export { ask } from "./running/ask.js";
export * from "./running/end.js";
export type { InterruptOptions, Run } from "./running/handle.js";
export { resume, run } from "./running/run.js";
