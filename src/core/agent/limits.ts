/** The limits of an agent: model calls, tokens, time. */
import {
  type EffectError,
  lettersOfMessages,
  type TimerDirective,
  toArray,
} from "../kernel/index.js";
import type { AgentContext, Limit } from "./context.js";
import { maxIterationsReached } from "./context-functions.js";
import type { AgentSpec } from "./spec.js";

/** The limit that has been reached, or `null`. */
export function reachedLimit(context: AgentContext): Limit | null {
  if (context.limit !== null) return context.limit;
  if (maxIterationsReached(context)) return "maxIterations";
  const { tokenBudget } = context;
  return tokenBudget !== null && context.usage.totalTokens >= tokenBudget ? "tokenBudget" : null;
}

/** The timer of a turn's deadline, where the turn has none yet. */
export function deadlineTimer(
  spec: AgentSpec,
  context: AgentContext,
  at: number,
): TimerDirective[] {
  const { deadlineMs } = spec.limits;
  if (deadlineMs === undefined || context.timed) return [];
  return [{ type: "timer", id: deadlineId(context), until: at + deadlineMs }];
}

/** The id of a turn's deadline. */
export function deadlineId({ turn }: AgentContext): string {
  return `timer/deadline/${turn}`;
}

/** Billionths, as a person writes an amount. */
function money(billionths: number): string {
  return String(billionths / 1_000_000_000);
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
        message: `The run has spent ${context.usage.totalTokens} tokens of its ${context.tokenBudget}; raise tokenBudget or simplify the task.`,
      };
    case "costBudget": {
      const next = context.request?.type === "unaffordable" ? context.request.cost : 0;
      return {
        code: "agent.costBudget",
        message: `The run has spent ${money(context.usage.cost ?? 0)} of its ${money(context.costBudget ?? 0)}, and the next model call may cost ${money(next)}; raise costBudget (in billionths), lower maxOutputTokens or simplify the task.`,
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
