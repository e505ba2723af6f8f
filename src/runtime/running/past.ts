/** What a live run needs of journals that are there already; it is loaded when the first one is looked into. */
export { checkChild, closeRun, openRun } from "../children/open-run.js";
export { headOf, openHead } from "../journals/head.js";
export { linkTo } from "../journals/link.js";
export { findHeader } from "../journals/read-journal.js";
export { goOn } from "./go-on.js";
