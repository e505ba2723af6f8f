/** Capabilities: tools that can be added to an agent. */
export { type ThinkOptions, type ThinkResult, think } from "./thoughts-as-tool.js";
