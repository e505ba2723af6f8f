/** The part of pages that runs in a page. */
export type { PageData, PageTools } from "./page-types.js";
export { type Refusal, refusalIn, type SendAgainOptions, sendAgain } from "./send-again.js";
export { shown } from "./shown.js";
