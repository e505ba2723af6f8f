/** `agent`: the agent loop as a reasoner, from a name, a system prompt and tools. */
import {
  defineReasoner,
  type InferOutput,
  type Json,
  type JsonObject,
  type LlmSettings,
  type Reasoner,
  ReckonerError,
  registry,
  type Schema,
  type Tool,
  type ToolChoice,
} from "../kernel/index.js";
import { defaultBehaviour } from "./basic-behaviour.js";
import type { AgentContext } from "./context.js";
import { agentMachine } from "./machine.js";
import { outputSchema, outputTool } from "./output.js";
import {
  type AgentInput,
  type AgentSpec,
  type Behaviour,
  DEFAULT_MAX_ITERATIONS,
  type Limits,
  type OutputSpec,
  type Plugin,
  type Policy,
} from "./spec.js";

/** What an agent is made of. */
export interface AgentDefinition<
  Deps extends object = JsonObject,
  S extends Schema | undefined = undefined,
> {
  readonly name: string;
  /** The system prompt. */
  readonly system?: string;
  readonly tools?: readonly Tool[];
  /** Name of the model port to ask, where the host has several. */
  readonly model?: string;
  readonly settings?: LlmSettings;
  readonly toolChoice?: ToolChoice;
  /** How often the model may be asked in one turn. Default 10. */
  readonly maxIterations?: number;
  /** Tokens the run may spend; checked before each request. */
  readonly tokenBudget?: number;
  /** Milliseconds one turn may take. */
  readonly deadlineMs?: number;
  /** At a limit: fail, or ask the model once more, without tools, for its best answer. */
  readonly onLimit?: "error" | "answer";
  /** Tools run one after the other, in call order. Default: side by side. */
  readonly sequential?: boolean;
  /** The run's own data, where the input brings none. */
  readonly deps?: Deps;
  /** What the loop does at its joints. Default: the basic behaviour. */
  readonly behaviour?: Behaviour;
  readonly policy?: Policy;
  /** In the order in which they run. */
  readonly plugins?: readonly Plugin[];
  /** What the output has to look like; its type is the output's type. */
  readonly output?: S extends Schema ? OutputSpec<S> : undefined;
  /** The run rests after an answer and takes the next message. */
  readonly conversation?: boolean;
}

/** An agent. Its output is the text of the answer, or the result of its `final` tool. */
export interface Agent<Deps extends object = JsonObject, Output = Json>
  extends Reasoner<AgentInput<Deps>, Output, AgentContext<Deps>> {
  /** Its definition with all defaults. */
  readonly spec: AgentSpec;
}

/** The output's type: the schema's, or JSON where there is none. */
export type AgentOutput<S extends Schema | undefined> = S extends Schema ? InferOutput<S> : Json;

/**
 * Makes an agent.
 * @throws ReckonerError `agent.invalid`, `tool.invalid` where two tools have the same name
 */
export function agent<
  Deps extends object = JsonObject,
  const S extends Schema | undefined = undefined,
>(definition: AgentDefinition<Deps, S>): Agent<Deps, AgentOutput<S>> {
  const spec = specOf(definition as unknown as AgentDefinition);
  const { name, system, model, settings, toolChoice, sequential, limits, conversation } = spec;
  const reasoner = defineReasoner<AgentInput, Json, AgentContext>({
    id: "agent",
    machine: agentMachine(spec),
    tools: spec.tools,
    children: Object.assign({}, ...spec.plugins.map((plugin) => plugin.children)),
    output: (context) => context.answer?.output,
    interim: (context) => context.answer?.output,
    error: (context) => context.error ?? undefined,
    configuration: {
      name,
      system,
      model,
      settings,
      toolChoice,
      sequential,
      limits,
      conversation,
      behaviour: spec.behaviour.name,
      plugins: spec.plugins.map((plugin) => plugin.name),
      output: spec.output?.json,
    },
  });
  return Object.freeze({ ...reasoner, spec }) as unknown as Agent<Deps, AgentOutput<S>>;
}

/** The behaviour of an agent. */
export function behaviourOf(agent: { readonly spec: AgentSpec }): Behaviour {
  return agent.spec.behaviour;
}

function specOf(definition: AgentDefinition): AgentSpec {
  const { name, behaviour = defaultBehaviour, plugins = [] } = definition;
  const invalid = (what: string) => new ReckonerError("agent.invalid", `Agent ${name}: ${what}.`);
  if (typeof name !== "string" || name === "") {
    throw new ReckonerError("agent.invalid", "An agent needs a name.");
  }
  const twice = plugins.find((plugin, i) => plugins.findIndex((p) => p.name === plugin.name) < i);
  if (twice !== undefined) throw invalid(`two plug-ins are named ${twice.name}; rename one`);
  const given = definition.output as OutputSpec | undefined;
  const json = given === undefined ? undefined : outputSchema(given, name);
  const output = given === undefined || json === undefined ? undefined : { ...given, json };
  const tools = registry([
    ...(definition.tools ?? []),
    ...(behaviour.tools ?? []),
    ...plugins.flatMap((plugin) => plugin.tools ?? []),
    ...(output?.via === "tool" ? [outputTool(output, output.json)] : []),
  ]);
  return {
    name,
    system: definition.system ?? null,
    tools,
    model: definition.model,
    settings: definition.settings,
    toolChoice: definition.toolChoice,
    sequential: definition.sequential ?? false,
    deps: definition.deps,
    behaviour,
    policy: definition.policy ?? {},
    plugins,
    output,
    limits: limitsOf(definition, invalid),
    conversation: definition.conversation ?? false,
  };
}

function limitsOf(definition: AgentDefinition, invalid: (what: string) => ReckonerError): Limits {
  const { maxIterations = DEFAULT_MAX_ITERATIONS, tokenBudget, deadlineMs } = definition;
  if (!Number.isInteger(maxIterations) || maxIterations < 1) {
    throw invalid("maxIterations must be a whole number of 1 or more");
  }
  if (tokenBudget !== undefined && !(tokenBudget > 0)) throw invalid("tokenBudget must be above 0");
  if (deadlineMs !== undefined && !(deadlineMs > 0)) throw invalid("deadlineMs must be above 0");
  return { maxIterations, tokenBudget, deadlineMs, onLimit: definition.onLimit ?? "error" };
}
