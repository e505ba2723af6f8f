/** Settles one tool call by an event: a result, a failure, a person's decision, an answer to a request. */
import { canonical, type Json, replaceItem } from "../../kernel/values/index.js";
import type { SeenEvent, Tool, ToolSettlement } from "../../kernel/vocabulary/index.js";
import type { AgentContext, Call } from "../context/context.js";
import * as texts from "../transcript/texts.js";
import { ofCall } from "./call-directives.js";
import { answerOf, checkArguments, failFrom, noTool, ownTool, readyCall } from "./one-call.js";
import { say } from "./outcome.js";
import { type AgentStep, madeText } from "./pipeline-step.js";

/** A settlement that belongs to a call, with the directive that it settles. */
export type SettledCall = Exclude<
  SeenEvent,
  {
    type:
      | `llm.${string}`
      | "timer.fired"
      | "cancel"
      | "interrupt"
      | "message"
      | `message.${string}`;
  }
>;

type Decided = Extract<SettledCall, { readonly type: "approval.decided" }>;

/** Returns a call after something settled one of its directives. */
export function settleOne(
  call: Call,
  event: SettledCall,
  step: AgentStep,
  context: AgentContext,
): Call {
  const tool = ownTool(step.spec.tools, call.name);
  switch (event.type) {
    case "approval.decided":
      return decided(call, tool, event, step, context);
    case "tool.succeeded": {
      const { output, update = [], content } = event;
      const parts = content === undefined ? {} : { content };
      return {
        ...call,
        status: "settled",
        outcome: { type: "returned", output, update, ...parts },
      };
    }
    case "tool.failed":
      return failFrom(call, tool, step, context, event);
    default: {
      const { directive: _directive, ...settlement } = event;
      const { settlements, unsettled } = call;
      if (settlements === undefined || unsettled === undefined) return call;
      const index = Number(event.id.slice(call.id.length + 1));
      return {
        ...call,
        settlements: replaceItem(settlements, index, settlement as ToolSettlement),
        unsettled: unsettled - 1,
        status: unsettled === 1 ? "inline" : call.status,
      };
    }
  }
}

/** Returns a call as a person decided: not run, answered, or ready with their arguments. */
function decided(
  call: Call,
  tool: Tool | undefined,
  { approve, input, value, reason, by, directive }: Decided,
  step: AgentStep,
  context: AgentContext,
): Call {
  if (approve !== true) return say(call, "rejected", madeText(step, texts.rejected(reason)));
  // Its provider carries it out once it reads the yes.
  if (call.approvalId !== undefined) return returning(call, { approved: true });
  // It was taken away while the person thought.
  if (tool === undefined) return noTool(call);
  // A yes to another definition than there is now is none: the person is asked anew. A no is one to either.
  const isOther = directive.of !== undefined && directive.of !== ofCall(call, tool);
  if (isOther) return { ...call, renewed: (call.renewed ?? 0) + 1 };
  if (tool.kind === "ask") {
    const answer = answerOf(tool, value ?? null);
    return returning(call, answer.ok ? answer.value : (value ?? null));
  }
  const isEdited = input !== undefined && canonical(input) !== canonical(call.input);
  const edited = { from: call.input, ...(by === undefined ? {} : { by }) };
  const next = isEdited ? { ...call, input, edited } : call;
  return checkArguments(next, tool, step, context) ?? readyCall(next, tool, step, context);
}

function returning(call: Call, output: Json): Call {
  return { ...call, status: "settled", outcome: { type: "returned", output, update: [] } };
}
