/**
 * Exports what adapters need beside the core: the types of ports, and small helpers. It loads no interpreter.
 */
export { MAX_RESULT_LENGTH } from "./effects/result-length.js";
export type { RunSummary } from "./journals/row-from-journal.js";
export { headerOf, sharedEnd, stillInherits, summaryOf } from "./journals/summary.js";
export type { BlobPort } from "./ports/blobs.js";
export {
  checkAllOptions,
  checkArgument,
  DECISIONS,
  JOURNALS,
  NOW,
  SIGNAL,
  STORE,
} from "./ports/check-options.js";
export { onAbort } from "./ports/on-abort.js";
export * from "./ports/ports.js";
export { LABEL, type RunRow } from "./ports/run-row.js";
export { ROW, storedRow } from "./ports/stored-row.js";
