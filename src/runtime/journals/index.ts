/** The readers of journals whose reasoner is not at hand. They load nothing that runs, resumes or folds. */
export { linkNotFound, readAround } from "./history.js";
export type { ReadPosition } from "./line-stream.js";
export { decoded, emptyJournal, takeKnowing } from "./read-journal.js";
export { RunView, viewOf } from "./view.js";
