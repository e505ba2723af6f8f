/** The driver: what a run decides, as pure functions of what arrived and of the time; and the fold of its lines. */
export { type JournalFold, openFold } from "./fold.js";
export * from "./live.js";
