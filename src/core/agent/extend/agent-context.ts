/**
 * `agentContext`, a namespace of the root: the functions with which behaviours read and change an agent's
 * context, and serialization of contexts. The names are those of the Nous agent context.
 */
export {
  addMessage,
  addMessages,
  addToolCall,
  addUsage,
  assistantMessages,
  fromRunContext,
  incrementIteration,
  lastMessage,
  maxIterationsReached,
  mergeDeps,
  type NewContext,
  newContext,
  patchDanglingToolCalls,
  setNeedsResponse,
  toRunContext,
} from "./context-functions.js";
export {
  type Deserialized,
  deserialize,
  type SerializedContext,
  serialize,
} from "./serialize.js";
