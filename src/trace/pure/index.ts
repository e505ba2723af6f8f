/** The trace: what happened in runs, and its causes, derived from their journals. */

export {
  detailOf,
  formatChain,
  formatDefect,
  formatEvent,
  formatEvents,
  formatStats,
  formatTree,
  type TraceFormat,
} from "./printing/format.js";
export { type Summarised, summaryOf } from "./printing/summary.js";
export { assemble, type TracedRun } from "./queries/assemble.js";
export * from "./queries/critical-path.js";
export {
  type CausalChain,
  type CausalChainLink,
  type Explanation,
  explain,
  explainAction,
  linkOf,
} from "./queries/explain.js";
export {
  type ErrorGroup,
  findErrors,
  findSlowOps,
  queryEvents,
  statsOf,
  type TraceFilter,
  type TraceStats,
} from "./queries/query.js";
export {
  buildFromSession,
  type DecisionTree,
  type TraceEventNode,
  walkTree,
} from "./queries/session.js";
export { groupBy, Trace, type TraceDefect, type TracedRunInfo } from "./queries/trace.js";
export { RunTrace, type RunTraceOptions } from "./reading/run-trace.js";
export { TreeTrace } from "./reading/tree-trace.js";
export type { SourceLines } from "./sources/recorded-request.js";
export type { RecordedValue, RecordPlace } from "./sources/records.js";
export {
  callSources,
  requestSources,
  type SeenBlock,
  type Source,
  type TracedArgument,
} from "./sources/sources.js";
export * from "./trace-event.js";
export * from "./trace-id.js";
