/**
 * `reckoner/trace`: what happened in runs and why, derived from their journals; questions to it, its
 * texts, its shipping elsewhere, and tools by which an agent asks for its own.
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
