/** `agent`: the agent loop as a reasoner, from a name, a system prompt and tools. */
import {
  defineReasoner,
  itemAt,
  type Json,
  type JsonObject,
  type LlmSettings,
  type Reasoner,
  ReckonerError,
  registry,
  type Tool,
  type ToolChoice,
  textOf,
} from "../kernel/index.js";
import type { AgentContext } from "./context.js";
import { agentMachine } from "./machine.js";
import type { AgentInput, AgentSpec } from "./spec.js";

/** How often an agent asks the model, where nothing is said. */
export const DEFAULT_MAX_ITERATIONS = 10;

/** What an agent is made of. */
export interface AgentDefinition<Deps extends object = JsonObject> {
  readonly name: string;
  /** The system prompt. */
  readonly system?: string;
  readonly tools?: readonly Tool[];
  /** Name of the model port to ask, where the host has several. */
  readonly model?: string;
  readonly settings?: LlmSettings;
  readonly toolChoice?: ToolChoice;
  /** How often the model may be asked. Default 10. */
  readonly maxIterations?: number;
  /** Tools run one after the other, in call order. Default: side by side. */
  readonly sequential?: boolean;
  /** The run's own data, where the input brings none. */
  readonly deps?: Deps;
}

/** An agent. Its output is the text of the answer, or the result of its `final` tool. */
export type Agent<Deps extends object = JsonObject, Output = Json> = Reasoner<
  AgentInput<Deps>,
  Output,
  AgentContext<Deps>
>;

/**
 * Makes an agent.
 * @throws ReckonerError `agent.invalid`, `tool.invalid` where two tools have the same name
 */
export function agent<Deps extends object = JsonObject, Output = Json>(
  definition: AgentDefinition<Deps>,
): Agent<Deps, Output> {
  const { name, maxIterations = DEFAULT_MAX_ITERATIONS } = definition;
  if (typeof name !== "string" || name === "") {
    throw new ReckonerError("agent.invalid", "An agent needs a name.");
  }
  if (!Number.isInteger(maxIterations) || maxIterations < 1) {
    throw new ReckonerError("agent.invalid", `Agent ${name}: maxIterations must be 1 or more.`);
  }
  const tools = registry(definition.tools ?? []);
  const spec: AgentSpec = {
    name,
    system: definition.system ?? null,
    tools,
    schemas: Object.values(tools).map((tool) => tool.schema),
    model: definition.model,
    settings: definition.settings,
    toolChoice: definition.toolChoice,
    maxIterations,
    sequential: definition.sequential ?? false,
    deps: definition.deps,
  };
  const { system, model, settings, toolChoice, sequential } = spec;
  return defineReasoner<AgentInput<Deps>, Output, AgentContext<Deps>>({
    id: "agent",
    machine: agentMachine<Deps>(spec),
    tools,
    output: (context) => outputOf(context) as Output,
    error: (context) => context.error ?? undefined,
    configuration: { name, system, model, settings, toolChoice, maxIterations, sequential },
  });
}

function outputOf<Deps>(context: AgentContext<Deps>): Json {
  return context.final === null ? textOf(itemAt(context.messages, -1)) : context.final.output;
}
