/** `reckoner/thoughts`: the Graph of Thoughts as a reasoner, and `think`, a run of it as a tool. */
export { type ThinkOptions, type ThinkResult, think } from "./capabilities/index.js";
export * from "./core/thoughts/index.js";
