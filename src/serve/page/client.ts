/**
 * Exports the helpers that run in a browser's page: `shown`, which tidies a message, and `sendAgain`, which
 * repeats requests.
 */
export type { PageData, PageTools } from "./page-types.js";
export { type Refusal, refusalIn, type SendAgainOptions, sendAgain } from "./send-again.js";
export { shown } from "./shown.js";
