/**
 * Exports the tools with which an agent queries the trace of its own run, and the store that these tools
 * read.
 */
export { traceStorePort } from "./trace-store-port.js";
export { type TraceToolsOptions, traceTools } from "./trace-tools.js";
