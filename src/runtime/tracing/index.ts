/** Traces: where they are read from, what they are asked, where they are sent. */
export { type Cursor, type Due, dueEvents } from "./cursor.js";
export {
  type JournalSource,
  type JournalTracesOptions,
  journalTraces,
} from "./journal-traces.js";
export {
  type Delivery,
  type ShipOptions,
  type Shipping,
  ship,
  type TraceSink,
} from "./ship.js";
export { type HttpSinkOptions, httpSink, storeSink } from "./sinks.js";
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
