/**
 * Compatibility with the Nous agent: its callbacks, and readers of its stored contexts. Nothing of
 * the loop depends on it.
 */
export {
  type AgentCallbacks,
  type AgentObservation,
  agentCallbacks,
  type CalledTool,
} from "./callbacks.js";
export { field, type Loose, readMessage, readRecord } from "./read.js";
