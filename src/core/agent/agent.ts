/** `agent`: the agent loop as a reasoner, from a name, a system prompt and tools. */
import {
  checkDefinition,
  defineReasoner,
  type InferOutput,
  type Json,
  type JsonObject,
  type LlmSettings,
  type Migrations,
  type OnUnknown,
  type Prices,
  pricesFault,
  type Reasoner,
  ReckonerError,
  registry,
  type Schema,
  type Tool,
  type ToolChoice,
  toJson,
} from "../kernel/index.js";
import { adopt } from "./adopt.js";
import { basicBehaviour } from "./basic-behaviour.js";
import type { AgentContext } from "./context.js";
import { definitionFault } from "./definition-fault.js";
import { prepareInput } from "./input.js";
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
  /** Its identity: a journal is of one agent, and is refused by one of another name. */
  readonly name: string;
  /** A whole number of your own, raised when a recorded run means something else. Default 1. */
  readonly version?: number;
  /**
   * Where a new version needs another context (other `deps`, say): contexts of earlier versions as
   * ones of later, by the version that each leads to. For `resume` with `upgrade`.
   */
  readonly migrations?: Migrations;
  /** The system prompt; or a pure function of the run's `deps`, asked before each request. */
  readonly system?: string | ((deps: Deps) => string);
  readonly tools?: readonly Tool[];
  /** Name of the model port to ask, where the host has several. */
  readonly model?: string;
  readonly settings?: LlmSettings;
  readonly toolChoice?: ToolChoice;
  /** How often the model may be asked in one turn. Default 10. */
  readonly maxIterations?: number;
  /** Tokens the run may spend; checked before each request. */
  readonly tokenBudget?: number;
  /**
   * Money the run may spend, its child runs included, in billionths of the prices' currency: five
   * cents are 50_000_000. What a request may cost at most is set aside before it is sent. It needs
   * `prices` and `settings.maxOutputTokens`.
   */
  readonly costBudget?: number;
  /** What models cost, by name or by its beginning; `usage.cost` then says what was spent. */
  readonly prices?: Prices;
  /** Milliseconds one turn may take. */
  readonly deadlineMs?: number;
  /** At a limit: fail, or ask the model once more, without tools, for its best answer. */
  readonly onLimit?: "error" | "answer";
  /**
   * Some providers check the model's tool calls and refuse the answer whole (`llm.rejectedCall`):
   * fail, or tell the model what was wrong and ask again, which counts as an iteration. Default: fail.
   */
  readonly onRejectedCall?: "error" | "tell";
  /** Tools run one after the other, in call order. Default: side by side. */
  readonly sequential?: boolean;
  /**
   * Behind a call of which nobody knows what came (interrupted by a crash, say): begin nothing, so
   * that the model reads it first, or go on. Calls that run side by side are not behind each other.
   * Default `stop`.
   */
  readonly onUnknown?: OnUnknown;
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
    id: name,
    version: definition.version ?? 1,
    ...(definition.migrations === undefined ? {} : { migrations: definition.migrations }),
    adopt: (context, over) => adopt(spec, context, over),
    machine: agentMachine(spec),
    tools: spec.tools,
    prepare: (input, goesOn) => prepareInput(spec, input, goesOn),
    children: Object.assign({}, ...spec.plugins.map((plugin) => plugin.children)),
    output: (context) => context.answer?.output,
    interim: (context) => context.answer?.output,
    error: (context) => context.error ?? undefined,
    configuration: {
      machine: MACHINE_VERSION,
      name,
      system: typeof system === "function" ? { of: "deps" } : system,
      model,
      settings,
      toolChoice,
      sequential,
      limits,
      conversation,
      ...(spec.onRejectedCall === "error" ? {} : { onRejectedCall: spec.onRejectedCall }),
      onUnknown: spec.onUnknown,
      prices: spec.prices,
      behaviour: spec.behaviour.name,
      plugins: spec.plugins.map((plugin) => plugin.name),
      output: spec.output?.json,
    },
  });
  return Object.freeze({ ...reasoner, spec }) as unknown as Agent<Deps, AgentOutput<S>>;
}

/** The version of the agent's chart and context: raised when a recorded event means something else. */
const MACHINE_VERSION = 1;

/** Whether a reasoner is an agent. */
export function isAgent(reasoner: object): reasoner is Agent {
  return "spec" in reasoner && "machine" in reasoner;
}

function specOf(definition: AgentDefinition): AgentSpec {
  checkDefinition("agent.invalid", "agent", definition);
  const { name, behaviour = basicBehaviour, plugins = [] } = definition;
  const invalid = (what: string) => new ReckonerError("agent.invalid", `Agent ${name}: ${what}.`);
  if (typeof name !== "string" || name === "") {
    throw new ReckonerError("agent.invalid", "An agent needs a name.");
  }
  const fault = definitionFault(definition);
  if (fault !== undefined) throw invalid(fault);
  const { policy = {}, tools: own = [], prices } = definition;
  const pricing = prices === undefined ? undefined : pricesFault(prices);
  if (pricing !== undefined) throw invalid(pricing);
  const given = definition.output as OutputSpec | undefined;
  const json = given === undefined ? undefined : outputSchema(given, name);
  const output = given === undefined || json === undefined ? undefined : { ...given, json };
  const tools = registry([
    ...own,
    ...(behaviour.tools ?? []),
    ...plugins.flatMap((plugin) => plugin.tools ?? []),
    ...(output?.via === "tool" ? [outputTool(output, output.json)] : []),
  ]);
  return {
    name,
    system: definition.system ?? null,
    tools,
    model: definition.model,
    settings: copyOf(definition.settings, "settings"),
    toolChoice: copyOf(definition.toolChoice, "toolChoice"),
    sequential: definition.sequential ?? false,
    onUnknown: definition.onUnknown ?? "stop",
    prices: definition.prices,
    deps: definition.deps,
    behaviour,
    policy,
    plugins,
    output,
    limits: limitsOf(definition, invalid),
    conversation: definition.conversation ?? false,
    onRejectedCall: definition.onRejectedCall ?? "error",
  };
}

/** What the fingerprint is of: later changes of what was given are none of the agent's. */
function copyOf<T>(given: T | undefined, place: string): T | undefined {
  return given === undefined ? undefined : toJson<T>(given, place);
}

function limitsOf(definition: AgentDefinition, invalid: (what: string) => ReckonerError): Limits {
  const {
    maxIterations = DEFAULT_MAX_ITERATIONS,
    tokenBudget,
    costBudget,
    deadlineMs,
  } = definition;
  if (costBudget !== undefined) {
    if (definition.prices === undefined) throw invalid("a costBudget needs prices");
    if (definition.settings?.maxOutputTokens === undefined) {
      throw invalid(
        "a costBudget needs settings.maxOutputTokens, which say what an answer may cost",
      );
    }
  }
  return {
    maxIterations,
    tokenBudget,
    costBudget,
    deadlineMs,
    onLimit: definition.onLimit ?? "error",
  };
}
