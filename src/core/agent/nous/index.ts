/**
 * What is here for people who come from the Nous agent: its callbacks, derived from our observations,
 * and readers of the contexts that it stored. Nothing of the loop depends on it.
 */
export {
  type AgentCallbacks,
  type AgentObservation,
  agentCallbacks,
  type CalledTool,
} from "./callbacks.js";
export { field, type Loose, readMessage, readRecord } from "./read.js";
