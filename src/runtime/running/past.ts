/** What a live run needs of journals that are there already; it is loaded when the first one is looked into. */
export { headOf, openHead } from "../journals/head.js";
export { linkTo } from "../journals/link.js";
export { closeOpen, goOn, openRun } from "./go-on.js";
