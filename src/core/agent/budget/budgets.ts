/**
 * Computes the bounds of a run and of each of its turns, in tokens and money, from the agent's limits and
 * the share that a parent run gave it. Called when a run or a turn begins, and on an upgrade.
 */
import type { Budget } from "../../kernel/vocabulary/index.js";
import type { AgentContext, TotalBudgets } from "../context/context.js";
import type { AgentSpec, Limits, SpendingLimit } from "../definition/spec.js";

/** The parts of a budget; a number is the run's. */
export function partsOf(limit: SpendingLimit | undefined): Exclude<SpendingLimit, number> {
  return typeof limit === "number" ? { total: limit } : (limit ?? {});
}

/** The budgets of a run: the agent's, or its shares of its parent's where these are less. */
export function totalBudgets(
  { tokenBudget, costBudget }: Limits,
  share: Budget | undefined,
): TotalBudgets {
  return {
    tokens: least(partsOf(tokenBudget).total, share?.tokens),
    cost: least(partsOf(costBudget).total, share?.cost),
  };
}

/** The context with the bounds of a turn that begins: what it may spend is counted from here. */
export function beginSpending(spec: AgentSpec, context: AgentContext): AgentContext {
  const { totalTokens, cost = 0 } = context.usage;
  return withBounds(spec, { ...context, turnSpent: { tokens: totalTokens, cost } });
}

/** The context with the bounds of its turn: what is left of the run's budgets, or the turn's where that is less. */
export function withBounds({ limits }: AgentSpec, context: AgentContext): AgentContext {
  const { budgets, turnSpent } = context;
  const bound = (total: number | null, spent: number, limit: SpendingLimit | undefined) => {
    const { perTurn } = partsOf(limit);
    return least(total ?? undefined, perTurn === undefined ? undefined : spent + perTurn);
  };
  return {
    ...context,
    tokenBudget: bound(budgets.tokens, turnSpent.tokens, limits.tokenBudget),
    costBudget: bound(budgets.cost, turnSpent.cost, limits.costBudget),
  };
}

/** The smaller of two budgets. */
function least(own: number | undefined, share: number | undefined): number | null {
  if (own === undefined || share === undefined) return own ?? share ?? null;
  return Math.min(own, share);
}
