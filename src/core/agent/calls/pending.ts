/**
 * Keeps tool calls whose approval does not block the turn (`approvalBlocks: false`): the model has read
 * that a person was asked, and goes on. A yes runs the call beside whatever is under way; its result
 * reaches the model as a message in the queue.
 */
import { append, type Json, sealOwn, toJson } from "../../kernel/values/index.js";
import type { UserMessage, UserPart } from "../../kernel/vocabulary/index.js";
import { shareWithCall } from "../budget/shares.js";
import type { AgentContext, Call, CallOutcome, PendingCalls } from "../context/context.js";
import type { AgentSpec } from "../definition/spec.js";
import { call as invoke } from "../extend/behaviour.js";
import { addToolCall, addUsage } from "../extend/context-functions.js";
import * as texts from "../transcript/texts.js";
import { approvalId, renewedNotice } from "./call-directives.js";
import { concludeCall, cutOff } from "./one-call.js";
import { say } from "./outcome.js";
import { type AgentStep, newStep } from "./pipeline-step.js";
import { type SettledCall, settleOne } from "./settle-call.js";
import { newWave } from "./wave.js";
import { childrenUsage, noticesOf, recordOf } from "./write-call.js";

const NONE: readonly number[] = /* @__PURE__ */ toJson([]);

/** The call that an approval, or what runs of it, belongs to, where its approval did not block. */
export function pendingCall({ pending }: AgentContext, id: string): Call | undefined {
  return pending?.calls.find((call) => isOf(call, id));
}

function isOf(call: Call, id: string): boolean {
  return id === call.id || id === approvalId(call) || id.startsWith(`${call.id}/`);
}

/** The context with calls that a person is asked about while the turn goes on. */
export function addPending(context: AgentContext, asked: readonly Call[]): AgentContext {
  if (asked.length === 0) return context;
  const { calls, due } = context.pending ?? { calls: [], due: NONE };
  const added = asked.map(
    ({ outcome: _outcome, ...call }): Call => ({ ...call, status: "asking" }),
  );
  const pending: PendingCalls = {
    calls: [...calls, ...added],
    due: [...due, ...added.map((_, i) => calls.length + i)],
  };
  return { ...context, pending: sealOwn(pending) };
}

/**
 * Returns true when calls or plug-ins wait for something: a step that goes on to an end of the run asks
 * nobody any more.
 */
export function isAtWork({ batch, preparing }: AgentContext): boolean {
  return batch !== null || preparing !== null;
}

/** The context once what is due of pending calls is issued. */
export function noneDue(context: AgentContext): AgentContext {
  const { pending } = context;
  if (pending === null || pending.due.length === 0) return context;
  return { ...context, pending: { ...pending, due: NONE } };
}

/** The context after something settled a directive of a pending call. */
export function settlePending(
  context: AgentContext,
  event: SettledCall,
  spec: AgentSpec,
): AgentContext {
  const { pending, batch } = context;
  const at = pending?.calls.findIndex((call) => isOf(call, event.id)) ?? -1;
  const before = pending?.calls[at];
  if (pending === null || before === undefined) return context;
  const step = newStep(spec, event.at);
  const after = settleOne(before, event, step, context);
  // The directives of the step before, for the calls of an answer, are not issued again.
  const next: AgentContext = { ...context, batch: batch && { ...batch, due: NONE } };
  if (after.status !== "asking" && after.status !== "issued") {
    return concluded(without(next, pending, at), after, step);
  }
  const isDue = before.status === "asking";
  const calls = pending.calls.with(at, isDue ? shareWithCall(next, after) : after);
  const notices = after.status === "asking" ? renewedNotice(after) : [];
  return { ...next, notices, pending: sealOwn<PendingCalls>({ calls, due: isDue ? [at] : NONE }) };
}

/** The context of a run that ends: what a person has not decided is not executed, what runs is cut off. */
export function closePending(spec: AgentSpec, context: AgentContext, at: number): AgentContext {
  const { pending } = context;
  if (pending === null) return context;
  const step = newStep(spec, at);
  return pending.calls.reduce<AgentContext>(
    (next, call) => {
      const closed =
        call.status === "asking"
          ? say(call, "not-executed", texts.NOT_DECIDED)
          : cutOff(call, step, next);
      return concluded(next, closed, step);
    },
    { ...context, pending: null },
  );
}

function without(context: AgentContext, pending: PendingCalls, at: number): AgentContext {
  const calls = pending.calls.toSpliced(at, 1);
  return { ...context, pending: calls.length === 0 ? null : { calls, due: NONE } };
}

/** The context with a call's record, its update of `deps`, and the message about it. */
function concluded(context: AgentContext, call: Call, step: AgentStep): AgentContext {
  const wave = newWave(context);
  const { outcome, deps } = concludeCall(call, step, context, wave);
  wave.notices.push(...noticesOf(call, outcome));
  const record = recordOf(call, outcome);
  const { needsResponse, notices } = context;
  const written: AgentContext = {
    ...addUsage(addToolCall({ ...context, deps }, record), childrenUsage(call)),
    queue: append(context.queue, messageOf(call, outcome)),
    notices: [...notices, ...wave.notices],
  };
  const { spec } = step;
  const next = invoke(spec.behaviour, "afterTool", [spec, record, written], written);
  // The turn that is under way is none of this call's.
  return { ...next, needsResponse };
}

/** Makes the message in which the model reads what came of a call. */
function messageOf(call: Call, outcome: CallOutcome): UserMessage {
  const { id, name, input, edited } = call;
  const head = texts.cameOf(id, name, edited === undefined ? undefined : textOf(input));
  const { content = [] } = outcome;
  const own = outcome.type === "said" ? outcome.text : textOf(outcome.output);
  const text = `${head}\n\n${outcome.type === "returned" && content.length > 0 ? "" : own}`.trim();
  const shown = content.filter((part): part is UserPart => part.type !== "custom");
  const parts: readonly UserPart[] = [{ type: "text", text }, ...shown];
  return { role: "user", content: shown.length === 0 ? text : parts };
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
