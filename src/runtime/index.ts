/** The interpreter, the ports, and their defaults in memory. */
export * from "./clock.js";
export * from "./end.js";
export { type OpenPath, journalAt, useJournalPaths } from "./journal-place.js";
export * from "./memory-journal.js";
export { type NoticeCode, type Observation, type Observer } from "./observation.js";
export * from "./options.js";
export * from "./ports.js";
export * from "./replay.js";
export { resume, type Run, run } from "./run.js";
