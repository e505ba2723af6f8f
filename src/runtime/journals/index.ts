/**
 * Exports the readers of journals that need no reasoner, for traces and the command. They load nothing that
 * runs, resumes or folds.
 */
export { linkNotFound, readAround } from "./history.js";
export type { ReadPosition } from "./line-stream.js";
export { decoded, emptyJournal, takeKnowing } from "./read-journal.js";
export { RunView, viewOf } from "./view.js";
