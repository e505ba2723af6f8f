/** The trace: what happened in runs, and its causes, derived from their journals. */

export * from "./printing/format.js";
export * as format from "./printing/format-namespace.js";
export * from "./printing/summary.js";
export { assemble, sessionsOf, type TracedRun } from "./queries/assemble.js";
export * from "./queries/critical-path.js";
export * from "./queries/explain.js";
export * from "./queries/query.js";
export * from "./queries/session.js";
export { Trace, type TraceDefect, type TracedRunInfo } from "./queries/trace.js";
export { RunTrace, type RunTraceOptions } from "./reading/run-trace.js";
export { TreeTrace } from "./reading/tree-trace.js";
export {
  callSources,
  requestSources,
  type SeenBlock,
  type Source,
  type TracedArgument,
} from "./sources/find-sources.js";
export type { RecordedValue, RecordPlace } from "./sources/record-index.js";
export type { SourceLines } from "./sources/recorded-request.js";
export { leavesOf } from "./sources/walk-json.js";
export * from "./trace-event.js";
export * from "./trace-id.js";
