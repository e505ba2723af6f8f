/**
 * `reckoner/trace`: what happened in runs and why, derived from their journals: queries, printers, and
 * tools for agents.
 */
export { type TraceToolsOptions, traceStorePort, traceTools } from "./trace/agent/index.js";
export type * from "./trace/live/index.js";
export { journalTraces, sourceLines } from "./trace/live/index.js";
export {
  buildFromSession,
  type CausalChain,
  type CausalChainLink,
  type CriticalPath,
  callSources,
  criticalPath,
  type DecisionTree,
  type ErrorGroup,
  type Explanation,
  explain,
  explainAction,
  findErrors,
  findSlowOps,
  format,
  type PathSegment,
  queryEvents,
  type RecordPlace,
  type RunTraceOptions,
  requestSources,
  type SeenBlock,
  type Source,
  type SourceLines,
  statsOf,
  Trace,
  type TraceDefect,
  type TracedArgument,
  type TracedRun,
  type TracedRunInfo,
  type TraceEvent,
  type TraceEventNode,
  type TraceEventType,
  type TraceFilter,
  type TraceFormat,
  type TraceStats,
  type TraceStatus,
  type WaitKind,
} from "./trace/pure/index.js";
