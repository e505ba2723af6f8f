/**
 * Re-exports the parts of a live run that read journals. `load-past.ts` loads it when the first journal is
 * read.
 */
export { headOf, openHead } from "../journals/head.js";
export { linkTo } from "../journals/link.js";
export { closeOpen, goOn, openRun } from "./go-on.js";
