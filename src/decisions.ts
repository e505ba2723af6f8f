/**
 * `reckoner/decisions`: the facade over any store, the store in memory, the plug-in for
 * agents, and the building blocks of a store of your own.
 */
export { decisions } from "./decisions/agent/index.js";
export type * from "./decisions/pure/index.js";
export { storeRules } from "./decisions/pure/index.js";
export {
  Decisions,
  type DecisionsOptions,
  exportDecisions,
  importDecisions,
  type MemoryDecisionsOptions,
  memoryDecisions,
  type OpenOperation,
  type WriteOptions,
} from "./decisions/stores/index.js";
export type { StorePort, StoreRead, StoreWrite } from "./runtime/for-adapters.js";
