/**
 * `reckoner/thoughts`: the Graph of Thoughts as a reasoner, and `think`, which runs it as a tool.
 */
export { type ThinkOptions, type ThinkResult, think } from "./capabilities/index.js";
export * from "./core/thoughts/index.js";
