/** The agent loop: a model, its tools, and the transcript. */
export {
  type Agent,
  type AgentOutput,
  agent,
  agentChart,
  isAgent,
  type ServicesOf,
} from "./agent.js";
export * as agentContext from "./agent-context.js";
export { type AgentToolOptions, agentTool, type ToolChild } from "./agent-tool.js";
export { basicBehaviour } from "./basic-behaviour.js";
export {
  type AgentCallbacks,
  type AgentObservation,
  agentCallbacks,
  type CalledTool,
} from "./callbacks.js";
export type { EndConversation } from "./changes.js";
export type {
  AgentContext,
  Batch,
  BuiltRequest,
  Call,
  CallOutcome,
  Limit,
  PendingCalls,
  PluginState,
  Preparing,
  ToolCallRecord,
} from "./context.js";
export type { AgentDefinition } from "./definition.js";
export { type Field, type FieldsOf, fields } from "./fields.js";
export { type PlanItem, type ReactState, reactBehaviour } from "./react-behaviour.js";
export {
  patchDanglingToolCalls,
  type RepairedTranscript,
  repairTranscript,
  type TranscriptRepair,
} from "./repair-transcript.js";
export {
  type AgentInput,
  type AgentSpec,
  type Behaviour,
  DEFAULT_MAX_ITERATIONS,
  type Extracted,
  type JudgedCall,
  type Limits,
  type OutputSpec,
  type Plugin,
  type PluginResult,
  type Policy,
  type Recovery,
  type Request,
  type Verdict,
} from "./spec.js";
