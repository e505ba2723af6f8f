/**
 * `reckoner/decisions`: the facade over any store, the store in memory, the plug-in for
 * agents, and the building blocks of a store of your own.
 */
export { type DecisionTracking, decisions } from "./capabilities/index.js";
export * from "./core/decisions/index.js";
export type { StorePort, StoreRead, StoreWrite } from "./runtime/for-adapters.js";
export {
  Decisions,
  type DecisionsOptions,
  exportDecisions,
  importDecisions,
  type MemoryDecisionsOptions,
  memoryDecisions,
  type OpenOperation,
  type WriteOptions,
} from "./runtime/stores/index.js";
