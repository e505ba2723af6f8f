/** Traces: their sources and their queries. */
export {
  type JournalSource,
  type JournalTracesOptions,
  journalTraces,
} from "./journal-traces.js";
export { sourceLines } from "./source-lines.js";
export { memoryTextStore, type TextStore } from "./text-store.js";
export type {
  TraceCall,
  TraceContents,
  TracedRunInfo,
  TraceStore,
  Unread,
} from "./trace-store.js";
export { traceStorePort } from "./trace-store-port.js";
export { Traces } from "./traces.js";
