/**
 * What child runs may spend of their parent's budgets: a share of what is left. Those that begin
 * together, and the parent itself, get the same; what is set aside for children that run counts as
 * spent.
 */
import type { Budget, ToolRequest } from "../kernel/index.js";
import type { AgentContext, Batch, Call, Preparing } from "./context.js";

/** The context with a budget on every `run` that the running wave is about to ask for. */
export function shareOut(context: AgentContext): AgentContext {
  const batch = context.batch as Batch;
  if (!hasBudget(context)) return context;
  const asks = ({ wave, status }: Call) => wave === batch.wave && status === "ready";
  const share = shareOf(
    context,
    batch.calls.filter(asks).flatMap(({ requests = [] }) => requests),
    batch.calls.filter(({ wave }) => wave === batch.wave),
  );
  if (share === undefined) return context;
  const calls = batch.calls.map((call) =>
    asks(call) && call.requests !== undefined
      ? { ...call, requests: call.requests.map((request) => withBudget(request, share)) }
      : call,
  );
  return { ...context, batch: { ...batch, calls } };
}

/** A plug-in's step with a budget on every `run` that it is about to ask for. */
export function shareWithPlugin(context: AgentContext, preparing: Preparing): Preparing {
  const share = shareOf(context, preparing.requests, []);
  if (share === undefined) return preparing;
  return { ...preparing, requests: preparing.requests.map((each) => withBudget(each, share)) };
}

function hasBudget({ tokenBudget, costBudget }: AgentContext): boolean {
  return tokenBudget !== null || costBudget !== null;
}

/** What is set aside for a call's children that run, and what those have spent that have ended. */
function takenBy({ status, requests = [], settlements = {} }: Call, part: keyof Budget): number {
  return requests.reduce((sum, request, i) => {
    const settled = settlements[i];
    if (settled === undefined) {
      const budget = status === "issued" && request.type === "run" ? request.budget : undefined;
      return sum + (budget?.[part] ?? 0);
    }
    // It joins the run's usage when the call is written into the transcript.
    const usage = ("usage" in settled ? settled.usage : undefined) ?? {};
    return sum + ((part === "tokens" ? usage.totalTokens : usage.cost) ?? 0);
  }, 0);
}

/** What each new child may spend; `undefined` where there is none, or no budget. */
function shareOf(
  context: AgentContext,
  asked: readonly ToolRequest[],
  wave: readonly Call[],
): Budget | undefined {
  const children = asked.filter(({ type }) => type === "run").length;
  if (children === 0 || !hasBudget(context)) return undefined;
  const set = (part: keyof Budget) => wave.reduce((sum, call) => sum + takenBy(call, part), 0);
  const share = (budget: number, spent: number) =>
    Math.floor(Math.max(0, budget - spent) / (children + 1));
  const { tokenBudget, costBudget, usage } = context;
  return {
    ...(tokenBudget === null
      ? {}
      : { tokens: share(tokenBudget, usage.totalTokens + set("tokens")) }),
    ...(costBudget === null ? {} : { cost: share(costBudget, (usage.cost ?? 0) + set("cost")) }),
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
