/**
 * Transitions of the agent's context: start, message, answer, turn end. Pure functions, which the
 * statechart calls (`chart-changes.ts`).
 */

import type { Start } from "../../kernel/machine/index.js";
import { type Json, listOf, ownJson, sizeOf, vectorItems } from "../../kernel/values/index.js";
import {
  type AssistantMessage,
  answerFlaw,
  type EffectError,
  type LlmFailed,
  type LlmSucceeded,
  type SeenEvent,
  spentByCall,
  textOf,
} from "../../kernel/vocabulary/index.js";
import { beginSpending, totalBudgets, withBounds } from "../budget/budgets.js";
import { priced } from "../budget/cost-budget.js";
import { batchIds, closeBatch } from "../calls/batch.js";
import { takeAnswer } from "../calls/output.js";
import { closePending } from "../calls/pending.js";
import { newStep } from "../calls/pipeline-step.js";
import type { AgentContext } from "../context/context.js";
import { checkInput } from "../context/input.js";
import { type AgentInput, type AgentSpec, MAX_RETRIES } from "../definition/spec.js";
import { call, processed } from "../extend/behaviour.js";
import { repairNotices } from "../extend/check-transcript.js";
import {
  addMessage,
  addMessages,
  addUsage,
  lastMessage,
  newContext,
  patchDanglingToolCalls as patchContext,
} from "../extend/context-functions.js";
import { initPlugins, pluginRequestId } from "../request/plugin.js";
import { requestId } from "../request/request.js";
import { repairContext } from "../transcript/repair-context.js";
import { repairTranscript } from "../transcript/repair-transcript.js";
import * as texts from "../transcript/texts.js";
import { callsOurs, takenContent } from "../transcript/transcript.js";
import { takeAtEnd, takeQueue, userMessage } from "./queue.js";

/** Ends a conversation that waits for a message (`ready`); the run is then done. */
export interface EndConversation {
  readonly type: "conversation.end";
}

/** An event as the agent's machine sees it. */
export type Seen = SeenEvent<EndConversation>;

/** The context that a run begins with. */
export function initialContext(
  spec: AgentSpec,
  { input, at, runId, budget, from }: Start<AgentInput>,
): AgentContext {
  const runInput = checkInput(input, from !== undefined, spec.conversation);
  const earlier = from === undefined ? undefined : closedRun(spec, from as AgentContext, at);
  const { maxIterations = spec.limits.maxIterations } = runInput;
  const { messages, repair } = repairTranscript(runInput.messages ?? []);
  let context: AgentContext = {
    ...newContext({
      runId,
      agentName: spec.name,
      systemPrompt: typeof spec.system === "function" ? null : spec.system,
      deps: runInput.deps ?? earlier?.deps ?? {},
      maxIterations,
      startedAt: at,
    }),
    budgets: totalBudgets(spec.limits, budget),
  };
  context = withBounds(spec, context);
  let notices = repairNotices("input", repair);
  if (earlier === undefined) context = { ...context, messages: listOf(messages) };
  else {
    // Shared, not copied: the journal refers to the earlier run for what is in it.
    const shared = repairContext({ ...context, messages: earlier.messages });
    notices = [...repairNotices("from", shared.repair), ...notices];
    context = addMessages(shared.context, messages);
  }
  const before = context.messages;
  context = call(spec.behaviour, "initContext", [spec, context], context);
  if (context.messages !== before) {
    const changed = repairContext(context);
    notices = [...notices, ...repairNotices("behaviour", changed.repair)];
    context = changed.context;
  }
  context = { ...initPlugins(spec, context), notices };
  if (runInput.prompt !== undefined) return addMessage(context, userMessage(runInput.prompt));
  // A conversation in which nothing has been said yet waits.
  return sizeOf(context.messages) === 0 ? { ...context, needsResponse: false } : context;
}

/**
 * The context of a run that a new one goes on from. Where it waits, its calls are closed as in an
 * interrupt: what has settled has its result, and what had begun may have taken effect.
 */
function closedRun(
  spec: AgentSpec,
  { messages, deps, batch = null, pending = null, runId }: AgentContext,
  at: number,
) {
  const left: AgentContext = { ...newContext({ runId, deps }), messages, batch, pending };
  return takeQueue(closePending(spec, closeBatch(left, newStep(spec, at)), at));
}

/** The context with a model's answer in the transcript. */
export function receive(spec: AgentSpec, context: AgentContext, event: LlmSucceeded): AgentContext {
  // The event keeps what the provider said; in the transcript each call has an id of its own.
  const message = ownJson<AssistantMessage>({
    role: "assistant",
    content: takenContent(event.content),
  });
  const { model } = event;
  const counted: AgentContext = {
    ...addUsage(context, priced(spec, context, event, spentByCall(event))),
    iteration: context.iteration + 1,
    retry: 0,
    finishReason: event.finishReason,
    flaw: isPaused(event) ? null : answerFlaw(event),
    modelError: null,
    model: model ?? context.model,
  };
  const next = processed(spec, message, counted);
  return isPaused(event) ? { ...next, needsResponse: true } : next;
}

/**
 * Returns true when the answer ends in the middle of the work of the provider's tools: the model is asked
 * again to continue.
 */
function isPaused(event: LlmSucceeded): boolean {
  if (callsOurs(event.content)) return false;
  if (event.finishReason !== "tool-calls") return event.finishReason === "paused";
  let open = new Set<string>();
  for (const part of event.content) {
    if (part.type === "tool-call") open.add(part.toolCallId);
    if (part.type === "tool-result") open.delete(part.toolCallId);
    // Text after a provider's tool call means that the model is done with it.
    if (part.type === "text" && part.text !== "") open = new Set();
  }
  return open.size > 0;
}

/** The context with a model call counted that failed: each attempt was a request. */
export function countFailed(
  spec: AgentSpec,
  context: AgentContext,
  event: LlmFailed,
): AgentContext {
  const { spent } = event;
  return addUsage(
    context,
    priced(spec, context, spent === undefined ? {} : { spent }, spentByCall(event)),
  );
}

/** The context with a model call counted that was cancelled: what it has spent is not known. */
export function countCancelled(context: AgentContext): AgentContext {
  return addUsage(context, { requests: 1 });
}

/**
 * The context with the output of the last answer of a run at its limit. Calls in it were never
 * executed; its text is the answer all the same, where it has any.
 */
export function conclude(spec: AgentSpec, context: AgentContext): AgentContext {
  const closed = patchContext(context);
  const hasText = textOf(lastMessage(context)) !== "";
  const { answer, error } = takeAnswer(spec, hasText ? context : closed, false);
  return { ...closed, answer, error };
}

/** The context after a failed model call: to ask again, to go on, or with the error. */
export function recover(spec: AgentSpec, before: AgentContext, error: EffectError): AgentContext {
  const context: AgentContext = { ...before, flaw: null };
  if (error.code === "llm.rejectedCall" && spec.onRejectedCall === "tell") {
    const next = addMessage(context, {
      role: "user",
      content: texts.callRejected(error.message, writtenCall(error)),
    });
    return goOn(context, { ...next, flaw: "rejected" }, error);
  }
  const recovery = call(spec.behaviour, "handleError", [spec, error, context], {
    type: "error",
    error,
  });
  if (recovery.type === "continue") {
    return goOn(context, recovery.context, error);
  }
  if (recovery.type === "retry" && context.retry < MAX_RETRIES) {
    return { ...recovery.context, retry: context.retry + 1, error: null };
  }
  const failed = takeAtEnd(spec, context);
  return {
    ...failed,
    error: recovery.type === "error" ? recovery.error : error,
    modelError: error,
  };
}

/** The context as if the call had been answered. The error is kept in case that no call is. */
function goOn(before: AgentContext, next: AgentContext, modelError: EffectError): AgentContext {
  return { ...next, iteration: before.iteration + 1, retry: 0, error: null, modelError };
}

/** Returns the model's own words for its call, where the provider shows them. */
function writtenCall({ detail }: EffectError): string | undefined {
  const { error } = (detail ?? {}) as { readonly error?: Json };
  const { failed_generation: written } = (error ?? {}) as { readonly failed_generation?: Json };
  return typeof written === "string" && written !== "" ? written : undefined;
}

/** Returns the outstanding directives, but for timers, in the state that a deadline interrupts. */
export function waitingFor(context: AgentContext): readonly string[] {
  const { batch, preparing } = context;
  if (batch !== null) return batchIds(batch);
  if (preparing === null) return [requestId(context)];
  return vectorItems(preparing.settlements).flatMap((settled, i) =>
    settled === null ? [pluginRequestId(context, preparing, i)] : [],
  );
}

/**
 * Returns the context of a conversation whose turn has failed: the transcript stays as it is, and what
 * comes next has other ids than what this turn asked for.
 */
export function failTurn(context: AgentContext): AgentContext {
  const { code, message } = context.error ?? { code: "agent.failed", message: "The turn failed." };
  // At a limit no request was sent for this iteration.
  const isRequest = context.modelError !== null && context.limit === null;
  const failure = { code, message, ...(isRequest ? { directive: requestId(context) } : {}) };
  const iteration = context.iteration + 1;
  return { ...context, failure, answer: null, needsResponse: false, request: null, iteration };
}

/** The context when a turn of a conversation is over. */
export function nextTurn(spec: AgentSpec, context: AgentContext): AgentContext {
  return {
    ...beginSpending(spec, context),
    turn: context.turn + 1,
    turnIteration: context.iteration,
    turnMessages: sizeOf(context.messages),
    deadline: null,
    limit: null,
    final: null,
    failure: context.error === null ? null : context.failure,
    error: null,
    modelError: null,
    cancelReason: null,
    retry: 0,
    flaw: null,
    answerTries: 0,
  };
}
