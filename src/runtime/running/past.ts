/** Re-exports the parts of a live run that read journals: loaded when the first one is looked into (`load-past.ts`). */
export { headOf, openHead } from "../journals/head.js";
export { linkTo } from "../journals/link.js";
export { closeOpen, goOn, openRun } from "./go-on.js";
