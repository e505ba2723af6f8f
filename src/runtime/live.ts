/** The parts that a program needs to run something: the readers of journals are loaded where one is read. */
export { isModels, type ModelOption, type Models, models } from "./effects/models.js";
export * from "./effects/scripted-model.js";
export type { ReplayReport } from "./journals/checker.js";
export { journalAt } from "./journals/journal-place.js";
export * from "./journals/memory-journal.js";
export type { ReasonerVersions } from "./journals/reasoners-of.js";
export { type Folded, fold, type ReplayOptions, replay } from "./journals/replay.js";
export type { JournalSegment } from "./journals/segments.js";
export type { OpenApproval, RunSummary } from "./journals/summarize.js";
export { headerOf, summaryOf } from "./journals/summary.js";
export * from "./ports.js";
export * from "./running/clock.js";
export * from "./running/config.js";
export * from "./running/end.js";
export type { InterruptOptions, Run } from "./running/handle.js";
export type { NoticeCode, Observation, Observer } from "./running/observation.js";
export * from "./running/options.js";
export { resume, run } from "./running/run.js";
