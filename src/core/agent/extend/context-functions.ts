/**
 * The functions that read and change an agent's context, for behaviours and for callers who drive
 * an agent themselves. All pure; the names are those of the Nous agent context.
 */

import * as shapes from "../../kernel/shapes.js";
import {
  append,
  emptyList,
  itemAt,
  type JsonObject,
  listOf,
  ownJson,
  toArray,
} from "../../kernel/values/index.js";
import {
  type AssistantMessage,
  addUsage as addUsages,
  type CallOrigin,
  callIdentity,
  checkArgument,
  checkArguments,
  checkDefinition,
  isOurCall,
  type Message,
  noUsage,
  type RunContext,
  toolCallsOf,
  type Usage,
} from "../../kernel/vocabulary/index.js";
import { checkContext, MESSAGE, MESSAGES } from "../context/check-context.js";
import type { AgentContext, ToolCallRecord } from "../context/context.js";
import { withFields } from "../context/copy-context.js";
import { DEFAULT_MAX_ITERATIONS } from "../definition/spec.js";
import { repairContext, withoutBatch } from "../transcript/repair-context.js";

/** The parts of a new context; all else is empty. */
export interface NewContext<Deps> {
  readonly runId?: string | undefined;
  readonly agentName?: string | undefined;
  readonly systemPrompt?: string | null | undefined;
  readonly messages?: readonly Message[] | undefined;
  readonly deps?: Deps | undefined;
  readonly usage?: Usage | undefined;
  readonly maxIterations?: number | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt?: number | undefined;
}

const parts: shapes.Shapes<NewContext<unknown>> = {
  runId: shapes.ANYTHING,
  agentName: shapes.ANYTHING,
  systemPrompt: shapes.ANYTHING,
  messages: shapes.ANYTHING,
  deps: shapes.ANYTHING,
  usage: shapes.ANYTHING,
  maxIterations: shapes.ANYTHING,
  startedAt: shapes.ANYTHING,
};

/** A context as a run begins with it. @throws ReckonerError `agent.invalid` where a part is misspelt */
export function newContext<Deps extends object = JsonObject>(
  options: NewContext<Deps> = {},
): AgentContext<Deps> {
  checkDefinition("agent.invalid", "newContext", options, parts);
  return {
    runId: options.runId ?? "",
    agentName: options.agentName ?? "agent",
    systemPrompt: options.systemPrompt ?? null,
    messages: options.messages === undefined ? emptyList() : listOf(options.messages),
    toolCalls: emptyList(),
    deps: (options.deps ?? {}) as Deps,
    usage: options.usage ?? noUsage,
    needsResponse: true,
    iteration: 0,
    maxIterations: options.maxIterations ?? DEFAULT_MAX_ITERATIONS,
    startedAt: options.startedAt ?? 0,
    queue: emptyList(),
    batch: null,
    pending: null,
    final: null,
    answer: null,
    finishReason: null,
    error: null,
    failure: null,
    modelError: null,
    model: null,
    tokenBudget: null,
    costBudget: null,
    budgets: { tokens: null, cost: null },
    turnSpent: { tokens: 0, cost: 0 },
    cancelReason: null,
    limit: null,
    turn: 0,
    turnIteration: 0,
    deadline: null,
    retry: 0,
    flaw: null,
    answerTries: 0,
    checked: null,
    notices: [],
    request: null,
    plugins: {},
    preparing: null,
    turnMessages: 0,
    instructions: null,
    sent: null,
  };
}

/**
 * The context with a message added. A model's message needs a response where it calls tools; a
 * user's or a tool's always does; a system message changes nothing.
 */
export function addMessage<Deps>(
  context: AgentContext<Deps>,
  message: Message,
): AgentContext<Deps> {
  checkContext("addMessage", context);
  checkArgument("addMessage", "message", message, MESSAGE);
  const messages = append(context.messages, message);
  switch (message.role) {
    case "assistant":
      // Calls that the provider has carried out itself are answered already.
      return {
        ...context,
        messages,
        needsResponse: toolCallsOf(message).some(isOurCall),
      };
    case "system":
      return { ...context, messages };
    default:
      return { ...context, messages, needsResponse: true };
  }
}

/** The context with messages added, one after the other. */
export function addMessages<Deps>(
  context: AgentContext<Deps>,
  messages: readonly Message[],
): AgentContext<Deps> {
  checkContext("addMessages", context);
  checkArgument("addMessages", "messages", messages, MESSAGES);
  return messages.reduce<AgentContext<Deps>>(addMessage, context);
}

/** The context with a tool call's record added. */
export function addToolCall<Deps>(
  context: AgentContext<Deps>,
  record: ToolCallRecord,
): AgentContext<Deps> {
  checkContext("addToolCall", context);
  checkArgument("addToolCall", "record", record, shapes.OBJECT);
  return { ...context, toolCalls: append(context.toolCalls, record) };
}

/** The context with more spent. */
export function addUsage<Deps>(
  context: AgentContext<Deps>,
  usage: Partial<Usage>,
): AgentContext<Deps> {
  checkContext("addUsage", context);
  checkArgument("addUsage", "usage", usage, shapes.OBJECT);
  return withFields(context, { usage: ownJson(addUsages(context.usage, usage)) });
}

/** The context with keys of `deps` replaced; shallow. */
export function mergeDeps<Deps>(
  context: AgentContext<Deps>,
  deps: Partial<Deps>,
): AgentContext<Deps> {
  checkContext("mergeDeps", context);
  checkArgument("mergeDeps", "deps", deps, shapes.OBJECT);
  return { ...context, deps: { ...context.deps, ...deps } };
}

/** The context one model call later. */
export function incrementIteration<Deps>(context: AgentContext<Deps>): AgentContext<Deps> {
  checkContext("incrementIteration", context);
  return { ...context, iteration: context.iteration + 1 };
}

/** The context with its wish for a response set. */
export function setNeedsResponse<Deps>(
  context: AgentContext<Deps>,
  needsResponse: boolean,
): AgentContext<Deps> {
  checkContext("setNeedsResponse", context);
  checkArgument("setNeedsResponse", "needsResponse", needsResponse, shapes.FLAG);
  return { ...context, needsResponse };
}

/** Returns true when the model has been asked as often as it may be. */
export function maxIterationsReached<Deps>(context: AgentContext<Deps>): boolean {
  checkContext("maxIterationsReached", context);
  return context.iteration - context.turnIteration >= context.maxIterations;
}

/** The last message, where there is one. */
export function lastMessage<Deps>(context: AgentContext<Deps>): Message | undefined {
  checkContext("lastMessage", context);
  return itemAt(context.messages, -1);
}

/** The model's messages. */
export function assistantMessages<Deps>(context: AgentContext<Deps>): readonly AssistantMessage[] {
  checkContext("assistantMessages", context);
  return toArray(context.messages).filter((message) => message.role === "assistant");
}

const ORIGIN: shapes.Shape = [shapes.hasParts("id", "at"), "an object with an id and a time `at`"];
const RUN_CONTEXT: shapes.Shape = [
  shapes.hasParts("runId", "deps", "usage"),
  "what a tool is given beside its input, with a runId, deps and usage",
];

/** Returns a tool's view of a context: the call's path and the time of the event are the caller's. */
export function toRunContext<Deps>(
  context: AgentContext<Deps>,
  origin: Omit<CallOrigin, "runId">,
): RunContext<Deps> {
  checkContext("toRunContext", context);
  checkArgument("toRunContext", "origin", origin, ORIGIN);
  const { runId, deps, usage } = context;
  const { id, at } = origin;
  return { ...callIdentity(runId, id), at, deps, usage, retry: 0 };
}

/** A context from what tools see. */
export function fromRunContext<Deps extends object>(
  run: RunContext<Deps>,
  options: Omit<NewContext<Deps>, "runId" | "deps" | "usage"> = {},
): AgentContext<Deps> {
  checkArguments("fromRunContext", { run, options }, { run: RUN_CONTEXT, options: shapes.OBJECT });
  return newContext({ ...options, runId: run.runId, deps: run.deps, usage: run.usage });
}

/**
 * The context with exactly one result for every tool call, behind it and in call order. Calls that were
 * being carried out are so no more: what had begun may have taken effect, and reads so. Idempotent.
 */
export function patchDanglingToolCalls<Deps>(context: AgentContext<Deps>): AgentContext<Deps> {
  checkContext("patchDanglingToolCalls", context);
  return repairContext(withoutBatch(context)).context;
}
