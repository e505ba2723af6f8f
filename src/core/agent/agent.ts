/** `agent`: makes a reasoner, the agent loop, of a name, a system prompt and tools. */
import type { AnyStateMachine } from "xstate";
import { makeReasoner, type Reasoner } from "../kernel/machine/index.js";
import * as shapes from "../kernel/shapes.js";
import { type Json, type JsonObject, ReckonerError, toJson } from "../kernel/values/index.js";
import {
  billionthsOf,
  type CallTypes,
  checkDefinition,
  type InferOutput,
  registry,
  type Schema,
  schemaForm,
  type Tool,
} from "../kernel/vocabulary/index.js";
import { outputSchema, outputTool } from "./calls/output.js";
import type { AgentContext } from "./context/context.js";
import { prepareInput } from "./context/input.js";
import { type AgentDefinition, definitionFault } from "./definition/definition.js";
import {
  type AgentInput,
  type AgentSpec,
  DEFAULT_ANSWER_RETRIES,
  DEFAULT_MAX_ITERATIONS,
  HOOKS,
  type Limits,
  type OutputSpec,
  type Plugin,
  type SpendingLimit,
} from "./definition/spec.js";
import { basicBehaviour } from "./extend/basic-behaviour.js";
import { addedTools } from "./request/offered-tools.js";
import { adopt } from "./turn/adopt.js";
import { agentMachine } from "./turn/machine.js";
import { refusal } from "./turn/refusal.js";
import { chartName, MACHINE_VERSION, shapeNamed, shapeOf } from "./turn/shape.js";

/** An agent. Its output is the text of the answer, or the result of its `final` tool. */
export interface Agent<Deps extends object = JsonObject, Output = Json, Services = never>
  extends Reasoner<AgentInput<Deps>, Output, AgentContext<Deps>> {
  /** Its definition with all defaults. */
  readonly spec: AgentSpec;
  /** Never there: it tells the compiler which services the tools need. */
  readonly needs?: ((services: Services) => void) | undefined;
}

/** The output's type: the schema's, or JSON where there is none. */
export type AgentOutput<S extends Schema | undefined> = S extends Schema ? InferOutput<S> : Json;

/** The types of the calls of an agent's tools. Never there: they are for the compiler, as a page's messages are. */
export interface AgentCalls<Tools extends readonly Tool[]> {
  readonly calls?: CallsOf<Tools[number]> | undefined;
}

type CallsOf<Each> =
  Each extends CallTypes<infer Name, infer Input, infer Output>
    ? { readonly name: Name; readonly input: Input; readonly output: Output }
    : never;

/** The services that tools need, all together. */
export type ServicesOf<Tools extends readonly Tool[]> = (
  Tools[number] extends infer Each
    ? Each extends Tool<infer Services>
      ? (needed: { readonly of: Services }) => void
      : never
    : never
) extends (needed: infer All extends { readonly of: unknown }) => void
  ? All["of"]
  : never;

/**
 * Makes an agent. With explicit type arguments, name both: `agent<Deps, typeof schema>({ … })`.
 * @throws ReckonerError `agent.invalid`, `tool.invalid` where two tools have the same name
 */
export function agent<
  Deps extends object = JsonObject,
  const S extends Schema | undefined = undefined,
  Tools extends readonly Tool[] = readonly Tool[],
>(
  definition: AgentDefinition<Deps, S, Tools>,
): Agent<Deps, AgentOutput<S>, ServicesOf<Tools>> & AgentCalls<Tools> {
  const spec = specOf(definition as unknown as AgentDefinition);
  const { name, system, model, settings, toolChoice, sequential, limits, conversation } = spec;
  const shape = shapeOf(spec);
  const hooks = spec.plugins.flatMap(hooksOf);
  return makeReasoner<AgentInput, Json, AgentContext>({
    id: name,
    version: definition.version ?? 1,
    ...(definition.migrations === undefined ? {} : { migrations: definition.migrations }),
    adopt: (context, over) => adopt(spec, context, over),
    machine: () => agentMachine(spec, shape),
    chart: chartName(shape),
    tools: spec.tools,
    prepare: (input, goesOn) => prepareInput(spec, input, goesOn),
    children: Object.assign({}, ...spec.plugins.map((plugin) => plugin.children)),
    output: (context) => context.answer?.output,
    interim: (context) => context.answer?.output,
    error: (context) => context.error ?? undefined,
    failure: ({ value, context }) =>
      value === "ready" ? (context.failure ?? undefined) : undefined,
    ...(spec.publicDeps.length === 0
      ? {}
      : { describe: ({ context }) => ({ data: publicDepsOf(spec, context) }) }),
    refusal: (state, event) => refusal(spec, state, event),
    finishReason: (context) => context.finishReason ?? undefined,
    configuration: {
      machine: MACHINE_VERSION,
      name,
      system: typeof system === "function" ? { of: "deps" } : system,
      model,
      settings,
      toolChoice,
      sequential,
      limits,
      conversation: conversation && spec.queue === "each" ? { queue: "each" } : conversation,
      ...(spec.stopWhen === undefined ? {} : { stopWhen: true }),
      ...(spec.onRejectedCall === "error" ? {} : { onRejectedCall: spec.onRejectedCall }),
      onUnknown: spec.onUnknown,
      ...(spec.publicDeps.length === 0 ? {} : { publicDeps: spec.publicDeps }),
      prices: spec.prices,
      behaviour: spec.behaviour.name,
      plugins: spec.plugins.map((plugin) => plugin.name),
      ...pluginSettings(spec),
      ...(hooks.length === 0 ? {} : { hooks }),
      output: spec.output && schemaForm(spec.output.json),
    },
    more: { spec },
  }) as Agent<Deps, AgentOutput<S>, ServicesOf<Tools>> & AgentCalls<Tools>;
}

/** Returns the machine of which a journal has the chart's name; nothing where that is none of this version's. */
export function agentChart(name: string): AnyStateMachine | undefined {
  const shape = shapeNamed(name);
  return shape === undefined ? undefined : agentMachine(specOf({ name: "agent" }), shape);
}

/** Returns the part of `deps` that the row of a run shows. */
function publicDepsOf({ publicDeps }: AgentSpec, { deps }: AgentContext): JsonObject {
  const shown = publicDeps.filter((key) => Object.hasOwn(deps, key));
  return Object.fromEntries(shown.map((key) => [key, deps[key] as Json]));
}

/** Returns true when a reasoner is an agent. */
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
  const { tools: own = [] } = definition;
  const format = definition.output as OutputSpec | undefined;
  const json = format === undefined ? undefined : outputSchema(format, name);
  const output = format === undefined || json === undefined ? undefined : { ...format, json };
  const tools = registry([
    ...own,
    ...(behaviour.tools ?? []),
    ...plugins.flatMap((plugin) => plugin.tools ?? []),
    ...(output?.via === "tool" ? [outputTool(output, output.json)] : []),
  ]);
  const spec: AgentSpec = {
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
    publicDeps: [...(definition.publicDeps ?? [])],
    behaviour,
    plugins,
    output,
    limits: limitsOf(definition, invalid),
    ...turnsOf(definition.conversation),
    stopWhen: definition.stopWhen,
    onRejectedCall: definition.onRejectedCall ?? "error",
  };
  const added = addedTools(spec);
  const all = added.length === 0 ? tools : registry([...Object.values(tools), ...added]);
  const { toolChoice } = spec;
  if (typeof toolChoice === "object" && !Object.hasOwn(all, toolChoice.tool)) {
    throw invalid(`toolChoice names the tool ${toolChoice.tool}, which is none of its tools`);
  }
  return { ...spec, tools: all };
}

/** Reads what a definition says of its turns. */
function turnsOf(
  conversation: AgentDefinition["conversation"] = false,
): Pick<AgentSpec, "conversation" | "queue"> {
  if (typeof conversation === "boolean") return { conversation, queue: "all" };
  return { conversation: true, queue: conversation.queue ?? "all" };
}

/** The hooks of a plug-in by their names: a run that was judged by one is not resumed by mistake without it. */
function hooksOf(plugin: Plugin): string[] {
  return HOOKS.flatMap((hook) => (plugin[hook] === undefined ? [] : [`${plugin.name}.${hook}`]));
}

/** Returns the settings of plug-ins, each under a name that says whose it is. */
function pluginSettings({ plugins }: AgentSpec): JsonObject {
  const entries = plugins.flatMap(({ name, settings }) => {
    const part = `plugins.${name}`;
    return settings === undefined ? [] : [[part, toJson(settings, `${part}.settings`)] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * The parts of the fingerprint, copied: later changes of the caller's objects do not change the
 * agent.
 */
function copyOf<T>(value: T | undefined, place: string): T | undefined {
  return value === undefined ? undefined : toJson<T>(value, place);
}

function inBillionths(limit: SpendingLimit | undefined): SpendingLimit | undefined {
  if (typeof limit !== "object") return limit === undefined ? undefined : billionthsOf(limit);
  const amounts = Object.entries(shapes.defined(limit)).map(([of, most]) => [
    of,
    billionthsOf(most),
  ]);
  return Object.fromEntries(amounts);
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
    costBudget: inBillionths(costBudget),
    deadlineMs,
    onLimit: definition.onLimit ?? "error",
    answerRetries: definition.answerRetries ?? DEFAULT_ANSWER_RETRIES,
  };
}
