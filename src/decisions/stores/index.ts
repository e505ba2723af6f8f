/** Stores of decisions: the facade over them, one in memory, their transfer. */
export {
  Decisions,
  type DecisionsOptions,
  type OpenOperation,
  type WriteOptions,
} from "./decisions.js";
export { type MemoryDecisionsOptions, memoryDecisions } from "./memory-decisions.js";
export { exportDecisions, importDecisions } from "./transfer.js";
