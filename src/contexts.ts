/**
 * `reckoner/contexts`: an agent's context by hand: the functions that behaviours are written with, and
 * contexts as data for a table of one's own.
 */
export {
  agentContext,
  type Deserialized,
  deserialize,
  type SerializedContext,
  serialize,
} from "./core/agent/index.js";
