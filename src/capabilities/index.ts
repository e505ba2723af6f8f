/** Capabilities: tools and plug-ins that can be added to an agent. */
export { type ThinkOptions, type ThinkResult, think } from "./think.js";
export { type TraceToolsOptions, traceTools } from "./trace-tools.js";
