/** The interpreter, the ports, and their defaults in memory. */
export * from "./clock.js";
export * from "./config.js";
export * from "./end.js";
export { journalAt, type OpenPath, useJournalPaths } from "./journal-place.js";
export type { Run } from "./live-run.js";
export * from "./memory-journal.js";
export type { NoticeCode, Observation, Observer } from "./observation.js";
export * from "./options.js";
export * from "./ports.js";
export * from "./replay.js";
export { resume, run } from "./run.js";
export * from "./scripted-model.js";
