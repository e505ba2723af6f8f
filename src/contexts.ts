/**
 * `reckoner/contexts`: an agent's context by hand: the functions that behaviours are written with, and
 * contexts as data for a table of one's own. Made to be imported as one: `import * as agentContext`.
 */
export {
  addMessage,
  addMessages,
  addToolCall,
  addUsage,
  assistantMessages,
  type Deserialized,
  deserialize,
  fromRunContext,
  incrementIteration,
  lastMessage,
  maxIterationsReached,
  mergeDeps,
  type NewContext,
  newContext,
  patchContext as patchDanglingToolCalls,
  type SerializedContext,
  serialize,
  setNeedsResponse,
  toRunContext,
} from "./core/agent/index.js";
