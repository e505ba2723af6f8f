/**
 * The face of `core/agent`: the agent loop (a model, its tools, the transcript), and what users extend it
 * with.
 */
export {
  type Agent,
  type AgentCalls,
  type AgentOutput,
  agent,
  agentChart,
  isAgent,
  type ServicesOf,
} from "./agent.js";
export { type AgentToolOptions, agentTool, type ToolChild } from "./calls/agent-tool.js";
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
} from "./context/context.js";
export type { AgentDefinition } from "./definition/definition.js";
export {
  type AgentInput,
  type AgentSpec,
  type Behaviour,
  DEFAULT_MAX_ITERATIONS,
  type Extracted,
  HOOKS,
  type JudgedCall,
  type Limits,
  type OutputSpec,
  type Plugin,
  type PluginResult,
  type Recovery,
  type Request,
  type Verdict,
} from "./definition/spec.js";
export * as agentContext from "./extend/agent-context.js";
export { basicBehaviour } from "./extend/basic-behaviour.js";
export {
  type AgentCallbacks,
  type AgentObservation,
  agentCallbacks,
  type CalledTool,
} from "./extend/callbacks.js";
export { type PlanItem, type ReactState, reactBehaviour } from "./extend/react-behaviour.js";
export { type Field, type FieldsOf, fields } from "./extend/tool-fields.js";
export {
  patchDanglingToolCalls,
  type RepairedTranscript,
  repairTranscript,
  type TranscriptRepair,
} from "./transcript/repair-transcript.js";
export type { EndConversation } from "./turn/turn-changes.js";
