/**
 * Decides whether an agent refuses an event from outside, before it changes anything, and why: a message
 * for which no budget is left, a change of a message that was taken, a decision that does not fit its
 * approval.
 */

import { printStateValue, type RunState } from "../../kernel/machine/index.js";
import {
  isJsonObject,
  isReckonerError,
  type Json,
  tableGet,
  vectorItem,
} from "../../kernel/values/index.js";
import {
  type ApprovalDecided,
  type ApprovalDirective,
  type CustomEvent,
  type EffectError,
  type MessageEvent,
  type QueueEvent,
  type Tool,
  takesText,
  validate,
} from "../../kernel/vocabulary/index.js";
import { budgetError } from "../budget/limits.js";
import { callIndex } from "../calls/call-directives.js";
import { answerOf, ownTool } from "../calls/one-call.js";
import { pendingCall } from "../calls/pending.js";
import type { AgentContext } from "../context/context.js";
import type { AgentSpec } from "../definition/spec.js";
import { buildRequest } from "../request/request.js";
import { isQueued, queueMessage, takeForTurn } from "./queue.js";

type State = RunState<AgentContext>;

/** Returns why an agent refuses an event in a state; `undefined` where it takes it. */
export function refusal(
  spec: AgentSpec,
  state: State,
  event: MessageEvent | QueueEvent | ApprovalDecided | CustomEvent,
): EffectError | undefined {
  switch (event.type) {
    case "message":
      return messageRefusal(spec, state, event);
    case "approval.decided":
      return decisionRefusal(spec, state, event);
    case "message.edited":
    case "message.removed":
    case "message.moved":
      if (isQueued(state.context, event.id)) return undefined;
      return {
        code: "message.taken",
        message: `No message ${JSON.stringify(event.id)} waits: it was taken, or never sent.`,
      };
    default:
      return spec.conversation && (event.type as string) === "conversation.end"
        ? endRefusal(state)
        : undefined;
  }
}

function endRefusal({ value }: State): EffectError | undefined {
  if (value === "ready") return undefined;
  const message = `The conversation cannot be ended in the middle of a turn (${printStateValue(value)}): wait for the turn, or interrupt it, and end the conversation then; or cancel the run.`;
  return { code: "conversation.busy", message };
}

function messageRefusal(
  spec: AgentSpec,
  { context, value }: State,
  event: MessageEvent,
): EffectError | undefined {
  if (event.id !== undefined && isQueued(context, event.id)) {
    const message = `A message ${JSON.stringify(event.id)} waits already; give this one an id of its own, or send message.edited.`;
    return { code: "message.repeated", message };
  }
  return value === "ready" ? spentRefusal(spec, context, event) : undefined;
}

/** Returns why a conversation cannot take a further turn: its budget has no room for one request. */
function spentRefusal(
  spec: AgentSpec,
  context: AgentContext,
  event: MessageEvent,
): EffectError | undefined {
  const { usage, budgets } = context;
  const { tokens: tokenBudget, cost: costBudget } = budgets;
  if (tokenBudget === null && costBudget === null) return undefined;
  // A limit of one turn fails that turn.
  const whole = { ...context, tokenBudget, costBudget };
  const next = takeForTurn(spec, queueMessage(whole, event));
  if (tokenBudget !== null && usage.totalTokens >= tokenBudget) {
    return budgetError("tokens", next);
  }
  if (costBudget === null) return undefined;
  try {
    const { request } = buildRequest(spec, next, true);
    return request?.type === "unaffordable" ? budgetError("cost", { ...next, request }) : undefined;
  } catch {
    // A behaviour's throw fails the turn, which says what it was.
    return undefined;
  }
}

function decisionRefusal(
  { tools }: AgentSpec,
  { context, outstanding }: State,
  { id, approve, input, value, of }: ApprovalDecided,
): EffectError | undefined {
  const asked = tableGet(outstanding, id) as ApprovalDirective;
  if (of !== undefined && of !== asked.of) {
    const message = `The approval ${id} is for another definition or other arguments than the decision names (of ${of}). Nothing was run.`;
    return { code: "approval.stale", message };
  }
  if (approve !== true) return undefined;
  const call =
    pendingCall(context, id) ?? (context.batch && vectorItem(context.batch.calls, callIndex(id)));
  const tool = call ? ownTool(tools, call.name) : undefined;
  if (call && tool === undefined && call.approvalId === undefined) {
    const message = `The approval ${id} is for the tool ${call.name}, which the agent no longer has: it can be rejected, or approved under code that has it. Nothing was run.`;
    return { code: "approval.stale", message };
  }
  const fault =
    tool?.kind === "ask"
      ? valueFault(tool, value)
      : (inputFault(tool, input, call?.approvalId !== undefined) ??
        (value === undefined ? undefined : "a value is for a tool that asks for one"));
  if (fault === undefined) return undefined;
  const message = `The decision on ${id} cannot be taken: ${fault}. Nothing was run, and the approval stays open.`;
  return { code: "approval.input", message };
}

function inputFault(
  tool: Tool | undefined,
  input: Json | undefined,
  isProviders: boolean,
): string | undefined {
  if (input === undefined) return undefined;
  if (isProviders) return "the provider carries the call out with its own arguments";
  if (tool !== undefined && takesText(tool.schema)) {
    if (typeof input !== "string") return "the edited arguments are not a text";
  } else if (!isJsonObject(input)) return "the edited arguments are not an object";
  const schema = tool?.inputSchema;
  return schema === undefined
    ? undefined
    : misfit(() => validate(schema, input), "the edited arguments");
}

function valueFault(tool: Tool, value: Json | undefined): string | undefined {
  if (value === undefined) return "it needs the value that is asked for";
  return misfit(() => answerOf(tool, value), "the value");
}

function misfit(check: () => ReturnType<typeof validate>, what: string): string | undefined {
  try {
    const result = check();
    return result.ok ? undefined : `${what} did not match the schema (${result.issues})`;
  } catch (thrown) {
    if (isReckonerError(thrown)) return thrown.message;
    return `${what} could not be checked`;
  }
}
