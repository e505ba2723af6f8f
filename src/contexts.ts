/**
 * `reckoner/contexts`: the functions with which behaviours read and change an agent's context, and
 * serialization of contexts. Made to be imported as a namespace: `import * as agentContext`.
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
