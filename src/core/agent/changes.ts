/** How the agent's context changes at the joints of the loop. Pure functions; the statechart calls them. */
import {
  type AssistantMessage,
  type EffectError,
  type LlmSucceeded,
  listOf,
  ReckonerError,
  type SeenEvent,
  type Start,
  type ToolCallPart,
  textOf,
  toolCallsOf,
  type UserMessage,
  type UserPart,
} from "../kernel/index.js";
import { batchIds } from "./batch.js";
import { call } from "./behaviour.js";
import type { AgentContext } from "./context.js";
import {
  addMessage,
  addMessages,
  addUsage,
  lastMessage,
  newContext,
  patchDanglingToolCalls as patchContext,
} from "./context-functions.js";
import { takeAnswer } from "./output.js";
import { initPlugins, pluginRequestId } from "./plugin.js";
import { requestId } from "./request.js";
import { type AgentInput, type AgentSpec, MAX_RETRIES } from "./spec.js";
import { patchDanglingToolCalls } from "./transcript.js";

/** Ends a conversation that rests in `ready`; the run is then done. */
export interface EndConversation {
  readonly type: "conversation.end";
}

/** An event as the agent's machine sees it. */
export type Seen = SeenEvent<EndConversation>;

/** The context that a run begins with. */
export function initialContext(
  spec: AgentSpec,
  { input, at, from }: Start<AgentInput>,
): AgentContext {
  const given = typeof input === "string" ? { prompt: input } : input;
  const earlier = from as AgentContext | undefined;
  const { maxIterations = spec.limits.maxIterations } = given;
  // From a caller in plain JavaScript, or from the command line: without this there were no limit.
  if (!Number.isInteger(maxIterations) || maxIterations < 1) {
    throw new ReckonerError("agent.invalid", "maxIterations must be a whole number of 1 or more.", {
      place: "input.maxIterations",
    });
  }
  let context: AgentContext = {
    ...newContext({
      agentName: spec.name,
      systemPrompt: spec.system,
      deps: given.deps ?? earlier?.deps ?? (spec.deps as AgentContext["deps"] | undefined) ?? {},
      maxIterations,
      startedAt: at,
    }),
    messages: listOf(patchDanglingToolCalls(given.messages ?? [])),
  };
  if (earlier !== undefined) {
    // Shared, not copied: the journal refers to the earlier run for what is in it.
    context = patchContext({ ...context, messages: earlier.messages });
    context = addMessages(context, given.messages ?? []);
  }
  context = call(spec.behaviour, "initContext", [spec, context], context);
  context = initPlugins(spec, context);
  return given.prompt === undefined ? context : addMessage(context, userMessage(given.prompt));
}

function userMessage(content: string | readonly UserPart[]): UserMessage {
  return { role: "user", content };
}

export function queueMessage(context: AgentContext, event: Seen): AgentContext {
  if (event.type !== "message") return context;
  return { ...context, queue: [...context.queue, userMessage(event.content)] };
}

/** The context with what the user said meanwhile in the transcript; it needs an answer. */
export function takeQueue(context: AgentContext): AgentContext {
  if (context.queue.length === 0) return context;
  return { ...addMessages(context, context.queue), queue: [], final: null };
}

/** The context with a model's answer in the transcript. */
export function receive(spec: AgentSpec, context: AgentContext, event: LlmSucceeded): AgentContext {
  const message: AssistantMessage = { role: "assistant", content: event.content };
  const counted = {
    ...addUsage(context, withTotal(event.usage)),
    iteration: context.iteration + 1,
    retry: 0,
    finishReason: event.finishReason,
  };
  return spec.behaviour.processResponse(spec, message, counted);
}

/**
 * The context with the output of the last answer of a run at its limit. Calls in it were never
 * executed; its text is the answer all the same, where it has any.
 */
export function conclude(spec: AgentSpec, context: AgentContext): AgentContext {
  const closed = patchContext(context);
  const said = textOf(lastMessage(context)) !== "";
  const { answer, error } = takeAnswer(spec, said ? context : closed, false);
  return { ...closed, answer, error };
}

/** The calls that are ours to carry out; the provider has carried out its own. */
export function callsIn(event: LlmSucceeded): readonly ToolCallPart[] {
  return toolCallsOf({ role: "assistant", content: event.content }).filter(
    (part) => part.providerExecuted !== true,
  );
}

/** The context after a failed model call: to ask again, to go on, or with the error. */
export function recover(spec: AgentSpec, context: AgentContext, error: EffectError): AgentContext {
  const recovery = call(spec.behaviour, "handleError", [spec, error, context], {
    type: "error",
    error,
  });
  if (recovery.type === "continue") {
    return { ...recovery.context, iteration: context.iteration + 1, retry: 0, error: null };
  }
  if (recovery.type === "retry" && context.retry < MAX_RETRIES) {
    return { ...recovery.context, retry: context.retry + 1, error: null };
  }
  return { ...takeQueue(context), error: recovery.type === "error" ? recovery.error : error };
}

/** What is outstanding, but for timers, in the state that a deadline interrupts. */
export function waitingFor(context: AgentContext): readonly string[] {
  const { batch, preparing } = context;
  if (batch !== null) return batchIds(batch);
  if (preparing === null) return [requestId(context)];
  return preparing.requests
    .map((_, i) => pluginRequestId(context, preparing, i))
    .filter((_, i) => preparing.settlements[i] === undefined);
}

/** The context when a turn of a conversation is over. */
export function nextTurn(context: AgentContext): AgentContext {
  return {
    ...context,
    turn: context.turn + 1,
    turnIteration: context.iteration,
    timed: false,
    limit: null,
    final: null,
    error: null,
    retry: 0,
    outputTries: 0,
  };
}

/** A provider that gives no total has it counted: the budget is of all tokens. */
function withTotal(usage: LlmSucceeded["usage"]): LlmSucceeded["usage"] {
  if (usage.totalTokens !== undefined) return usage;
  return { ...usage, totalTokens: (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) };
}
