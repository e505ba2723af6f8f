/**
 * `reckoner/trace`: what happened in runs and why, derived from their journals: queries, printers,
 * shipping, and tools for agents.
 */
export { type TraceToolsOptions, traceTools } from "./capabilities/index.js";
export * from "./core/trace/index.js";
export {
  type Delivery,
  type HttpSinkOptions,
  httpSink,
  type JournalSource,
  type JournalTracesOptions,
  journalTraces,
  type KeptText,
  memoryText,
  type ShipOptions,
  type Shipping,
  ship,
  sourceLines,
  storeSink,
  type TraceCall,
  type TraceContents,
  type TracedRunInfo,
  type TraceSink,
  type TraceStore,
  Traces,
  traceStorePort,
  type Unread,
} from "./runtime/index.js";
