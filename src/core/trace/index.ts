/** The trace: what happened in runs and what it came from, derived from their journals. */
export { RunTrace, type RunTraceOptions } from "./reading/run-trace.js";
export * from "./trace-event.js";
export * from "./trace-id.js";
