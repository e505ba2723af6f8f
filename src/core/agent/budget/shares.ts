/**
 * Divides what is left of an agent's budgets among its child runs: those that begin together, and the
 * parent itself, get equal shares; what is reserved for running children counts as spent.
 */

import { replaceItem, toJson, vectorItem } from "../../kernel/values/index.js";
import type { Budget, ToolRequest } from "../../kernel/vocabulary/index.js";
import type { AgentContext, Batch, Call, Preparing, Reserve } from "../context/context.js";

/** Nothing is set aside; sealed once. */
export const noReserve: Reserve = /* @__PURE__ */ toJson({ tokens: 0, cost: 0 });

/** The context with a budget on every `run` that is due. */
export function shareOut(context: AgentContext): AgentContext {
  const { batch } = context;
  if (batch === null || batch.due.length === 0 || !hasBudget(context)) return context;
  const { due } = batch;
  const asked = due.flatMap((at) => vectorItem(batch.calls, at)?.requests ?? []);
  const share = shareOf(context, asked, batch.reserved);
  if (share === undefined) return context;
  let { calls, reserved } = batch;
  for (const at of due) {
    const call = vectorItem(calls, at) as Call;
    if (call.requests === undefined) continue;
    const requests = call.requests.map((request) => withBudget(request, share));
    reserved = requests.reduce((sum, request) => plus(sum, budgetOf(request)), reserved);
    calls = replaceItem(calls, at, { ...call, requests });
  }
  return { ...context, batch: { ...batch, calls, reserved } };
}

/** A plug-in's step with a budget on every `run` that it is about to ask for. */
export function shareWithPlugin(context: AgentContext, preparing: Preparing): Preparing {
  const share = shareOf(context, preparing.requests, noReserve);
  if (share === undefined) return preparing;
  return { ...preparing, requests: preparing.requests.map((each) => withBudget(each, share)) };
}

/** A call whose approval did not block, with a budget on every `run` that it is about to ask for. */
export function shareWithCall(context: AgentContext, call: Call): Call {
  const share = shareOf(context, call.requests ?? [], noReserve);
  if (share === undefined || call.requests === undefined) return call;
  return { ...call, requests: call.requests.map((each) => withBudget(each, share)) };
}

/** Returns what the run has spent, with what is set aside for children that run beside its turns. */
export function spentWithPending({ usage, pending }: AgentContext): Reserve {
  const spent = { tokens: usage.totalTokens, cost: usage.cost ?? 0 };
  if (pending === null) return spent;
  const requests = pending.calls.flatMap((call) => call.requests ?? []);
  return requests.reduce<Reserve>((sum, request) => plus(sum, budgetOf(request)), spent);
}

function hasBudget({ tokenBudget, costBudget }: AgentContext): boolean {
  return tokenBudget !== null || costBudget !== null;
}

/**
 * Returns the reserve after an event: a child's spending stands in place of its share. It joins the run's
 * usage when its call is written into the transcript.
 */
export function reserveSettled(
  context: AgentContext,
  reserved: Batch["reserved"],
  { id, requests }: Call,
  event: { readonly id: string },
): Batch["reserved"] {
  const request = requests?.[Number(event.id.slice(id.length + 1))];
  if (request?.type !== "run" || !hasBudget(context)) return reserved;
  const { usage } = event as { readonly usage?: { totalTokens?: number; cost?: number } };
  const spent = { tokens: usage?.totalTokens ?? 0, cost: usage?.cost ?? 0 };
  return plus(plus(reserved, spent), budgetOf(request), -1);
}

function budgetOf(request: ToolRequest): Budget {
  return (request.type === "run" ? request.budget : undefined) ?? {};
}

function plus(a: Reserve, { tokens = 0, cost = 0 }: Budget, sign = 1): Reserve {
  return { tokens: a.tokens + sign * tokens, cost: a.cost + sign * cost };
}

/** Returns the budget of each new child; `undefined` where there is none, or no budget. */
function shareOf(
  context: AgentContext,
  asked: readonly ToolRequest[],
  reserved: Reserve,
): Budget | undefined {
  const children = asked.filter(({ type }) => type === "run").length;
  if (children === 0 || !hasBudget(context)) return undefined;
  const share = (budget: number, spent: number) =>
    Math.floor(Math.max(0, budget - spent) / (children + 1));
  const { tokenBudget, costBudget } = context;
  const usage = spentWithPending(context);
  return {
    ...(tokenBudget === null ? {} : { tokens: share(tokenBudget, usage.tokens + reserved.tokens) }),
    ...(costBudget === null ? {} : { cost: share(costBudget, usage.cost + reserved.cost) }),
  };
}

/** A request with its share, or with what its tool gave it where that is less. */
function withBudget(request: ToolRequest, share: Budget): ToolRequest {
  if (request.type !== "run") return request;
  const { tokens, cost } = request.budget ?? {};
  return {
    ...request,
    budget: {
      ...least("tokens", share.tokens, tokens),
      ...least("cost", share.cost, cost),
    },
  };
}

function least(part: keyof Budget, a: number | undefined, b: number | undefined): Budget {
  if (a === undefined && b === undefined) return {};
  return { [part]: Math.min(a ?? Number.POSITIVE_INFINITY, b ?? Number.POSITIVE_INFINITY) };
}
