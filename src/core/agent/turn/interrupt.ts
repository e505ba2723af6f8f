/**
 * Interrupts a turn. The streamed part of the model's answer stays in the transcript, its tool calls are
 * answered as not executed, and the outcome of tools that had begun is unknown. So the transcript is
 * valid (P3), and the conversation can continue.
 */
import {
  type AssistantPart,
  type InterruptEvent,
  type PartialAnswer,
  spentByCall,
  type ToolCallPart,
} from "../../kernel/vocabulary/index.js";
import { priced } from "../budget/cost-budget.js";
import { closeBatch, isMalformed } from "../calls/batch.js";
import { newStep } from "../calls/pipeline-step.js";
import { writeOutcome } from "../calls/write-call.js";
import type { AgentContext, Call, CallOutcome } from "../context/context.js";
import type { AgentSpec } from "../definition/spec.js";
import { processed } from "../extend/behaviour.js";
import { keepTranscript } from "../extend/check-transcript.js";
import { addUsage } from "../extend/context-functions.js";
import { requestId } from "../request/request.js";
import * as texts from "../transcript/texts.js";
import { openCalls, takenContent } from "../transcript/transcript.js";
import { countCancelled } from "./turn-changes.js";

/** The context when a turn is stopped while tools, approvals, children or plug-ins are at work. */
export function stopTurn(
  spec: AgentSpec,
  context: AgentContext,
  event: InterruptEvent,
): AgentContext {
  const closed = closeBatch(context, newStep(spec, event.at));
  // Later directives must not have the ids of cancelled ones.
  return stopped({ ...closed, preparing: null, iteration: context.iteration + 1 }, event);
}

/** The context when a turn is stopped while the model answers. */
export function stopAnswer(
  spec: AgentSpec,
  context: AgentContext,
  event: InterruptEvent,
): AgentContext {
  const { partial } = event;
  const id = requestId(context);
  const had = Object.hasOwn(partial, id) ? partial[id] : undefined;
  const counted: AgentContext = {
    ...countPartial(spec, context, had),
    iteration: context.iteration + 1,
    retry: 0,
  };
  const content = keptOf(had?.content ?? []);
  if (content.length === 0) return stopped(counted, event);
  const withAnswer = processed(spec, { role: "assistant", content }, counted);
  const kept = keepTranscript(spec, withAnswer, true);
  const calls = openCalls(kept.messages).map((part, i) => notExecuted(part, context.iteration, i));
  const closed = calls.reduce(
    (next, call) => writeOutcome(next, call, call.outcome as CallOutcome),
    kept,
  );
  return stopped({ ...keepTranscript(spec, closed), finishReason: "other" }, event);
}

function stopped(context: AgentContext, { reason }: InterruptEvent): AgentContext {
  return { ...context, answer: null, error: null, cancelReason: reason ?? null };
}

function countPartial(
  spec: AgentSpec,
  context: AgentContext,
  had: PartialAnswer | undefined,
): AgentContext {
  if (had === undefined) return countCancelled(context);
  // None where it was held back and never asked.
  const spent = spentByCall(had.usage === undefined ? {} : { usage: had.usage });
  return addUsage(context, priced(spec, context, {}, spent));
}

/**
 * The streamed text, as far as it can be sent back to the model: without unfinished calls, calls of
 * the provider's tools without results, and empty texts. Reasoning alone is not an answer.
 */
function keptOf(streamed: readonly AssistantPart[]): readonly AssistantPart[] {
  const results = new Set(
    streamed.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])),
  );
  const kept = streamed.filter((part) => {
    if (part.type === "text") return part.text !== "";
    if (part.type !== "tool-call") return true;
    return part.providerExecuted === true ? results.has(part.toolCallId) : !isMalformed(part);
  });
  return kept.some(({ type }) => type !== "reasoning") ? takenContent(kept) : [];
}

function notExecuted(part: ToolCallPart, iteration: number, index: number): Call {
  return {
    id: `tool/${iteration}/${index}`,
    callId: part.toolCallId,
    name: part.toolName,
    input: part.input,
    wave: 0,
    status: "settled",
    outcome: { type: "said", status: "not-executed", text: texts.NOT_EXECUTED },
  };
}
