/** The face of `capabilities`: `think`, which makes a Graph of Thoughts a tool of an agent. */
export { type ThinkOptions, type ThinkResult, think } from "./thoughts-as-tool.js";
