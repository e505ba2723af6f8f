/** An agent that asks for the trace of its own run: its tools, and the store that they read from. */
export { traceStorePort } from "./trace-store-port.js";
export { type TraceToolsOptions, traceTools } from "./trace-tools.js";
