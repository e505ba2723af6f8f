/** An agent that asks for the trace of its own run. */
export { type TraceToolsOptions, traceTools } from "./trace-tools.js";
