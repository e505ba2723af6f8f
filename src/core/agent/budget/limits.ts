/**
 * Tells which limit of an agent has been reached (model calls, tokens, money), and words the error with
 * which a turn or a run ends for it. The limit of time is in `turn/deadline.ts`.
 */

import { toArray } from "../../kernel/values/index.js";
import { dollarsOf, type EffectError, lettersOfMessages } from "../../kernel/vocabulary/index.js";
import type { AgentContext, Limit } from "../context/context.js";
import { maxIterationsReached } from "../extend/context-functions.js";
import { spentWithPending } from "./shares.js";

/** The limit that has been reached, or `null`. */
export function reachedLimit(context: AgentContext): Limit | null {
  if (context.limit !== null) return context.limit;
  if (maxIterationsReached(context)) return "maxIterations";
  const { tokenBudget } = context;
  if (tokenBudget === null) return null;
  return spentWithPending(context).tokens >= tokenBudget ? "tokenBudget" : null;
}

/** An amount as a person writes it. */
function money(billionths: number): string {
  return String(dollarsOf(billionths));
}

/**
 * Returns the reason why a budget has no room for a further turn: what was spent, of what, and what its
 * request may take.
 */
export function budgetError(what: "tokens" | "cost", context: AgentContext): EffectError {
  const { usage, tokenBudget, costBudget, messages, request } = context;
  const [spent, total, next] =
    what === "tokens"
      ? [usage.totalTokens, tokenBudget, Math.ceil(lettersOfMessages(toArray(messages)) / 4)]
      : [usage.cost ?? 0, costBudget, request?.type === "unaffordable" ? request.cost : 0];
  const shown = what === "tokens" ? (n: number) => `${n} tokens` : money;
  return {
    code: "budget.spent",
    message: `The run has spent ${shown(spent)} of ${shown(total ?? 0)}, and the next request may take ${shown(next)}; resume with an agent of a larger budget, or begin a new run from this one.`,
    detail: { spent, total, next },
  };
}

/** Says what the run has spent of its budget, or the turn of its own where that is less. */
function spentOf(context: AgentContext, what: "tokens" | "cost"): string {
  const { usage, tokenBudget, costBudget, budgets, turnSpent } = context;
  const [spent, bound] =
    what === "tokens" ? [usage.totalTokens, tokenBudget] : [usage.cost ?? 0, costBudget];
  const isTurns = bound !== budgets[what];
  const before = isTurns ? turnSpent[what] : 0;
  const [own, most] = [spent - before, (bound ?? 0) - before];
  const amounts =
    what === "tokens" ? `${own} tokens of its ${most}` : `${money(own)} of its ${money(most)}`;
  return `The ${isTurns ? "turn" : "run"} has spent ${amounts}`;
}

/** A limit as the error of a failed run. */
export function limitError(limit: Limit, context: AgentContext): EffectError {
  switch (limit) {
    case "maxIterations":
      return {
        code: "agent.maxIterations",
        message: `The model was asked ${context.maxIterations} times and gave no final answer; raise maxIterations or simplify the task.`,
      };
    case "tokenBudget":
      return {
        code: "agent.tokenBudget",
        message: `${spentOf(context, "tokens")}; raise tokenBudget or simplify the task.`,
      };
    case "costBudget": {
      const next = context.request?.type === "unaffordable" ? context.request.cost : 0;
      return {
        code: "agent.costBudget",
        message: `${spentOf(context, "cost")}, and the next model call may cost ${money(next)}; raise costBudget, lower maxOutputTokens or simplify the task.`,
      };
    }
    case "deadline":
      // An upgrade may have changed deadlineMs since the timer began.
      return {
        code: "agent.deadline",
        message:
          "The run did not finish before its deadline; raise deadlineMs or simplify the task.",
      };
    default:
      throw new Error(`No error for ${limit satisfies never}`);
  }
}
