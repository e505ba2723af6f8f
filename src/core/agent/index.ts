/** The agent loop: a model, its tools, and the transcript between them. */
export {
  type Agent,
  type AgentDefinition,
  agent,
  DEFAULT_MAX_ITERATIONS,
} from "./agent.js";
export type { AgentContext, Batch, Call, CallOutcome, ToolCallRecord } from "./context.js";
export type { AgentInput } from "./spec.js";
export { patchDanglingToolCalls } from "./transcript.js";
