/**
 * Computes money for an agent with prices: what a model call has cost, and the most that the next one may
 * cost, so that no request over the budget is made. Prices themselves are in `kernel/vocabulary/prices.ts`.
 */
import {
  costOfCall,
  type EffectError,
  lettersAround,
  priceOf,
  reservationOf,
  type SettledCall,
  type Usage,
} from "../../kernel/vocabulary/index.js";
import type { AgentContext } from "../context/context.js";
import type { AgentSpec, Request } from "../definition/spec.js";

/**
 * Usage of a model call with its cost; what a port says of money is not asked. Failed attempts are charged at the
 * prices of their models.
 */
export function priced(
  spec: AgentSpec,
  context: AgentContext,
  settled: SettledCall,
  { cost: _cost, ...usage }: Partial<Usage>,
): Partial<Usage> {
  const { prices, model } = spec;
  if (prices === undefined) return usage;
  return { ...usage, cost: costOfCall(prices, settled, usage, [context.model, model]) };
}

/** The error of an agent with a money budget that cannot ask its model: its price is not known. */
export function unpriced(spec: AgentSpec, context: AgentContext): EffectError | null {
  if (context.costBudget === null) return null;
  const { prices, name } = spec;
  const missing = (what: string) => ({
    code: "agent.unpriced",
    message: `Agent ${name} has a budget of money, and ${what}.`,
  });
  if (prices === undefined) return missing("no prices; give it prices for its model");
  if (spec.settings?.maxOutputTokens === undefined) {
    return missing("no settings.maxOutputTokens, which say what an answer may cost; set them");
  }
  const names = [context.model, spec.model ?? null].filter((each) => each !== null);
  if (names.length === 0 || names.some((each) => priceOf(prices, each) !== undefined)) return null;
  const shown = names.map((each) => JSON.stringify(each)).join(", ");
  return missing(`no price for the model ${shown}; add it to prices`);
}

/**
 * Returns the most that a request may cost, in billionths, at the dearest of the agent's prices, with the
 * call that follows it where the agent has to be able to give its best answer at the limit.
 * @param letters of the messages, in Latin ones
 * @param last whether it is that last call itself
 */
export function costAhead(
  spec: AgentSpec,
  request: Request,
  letters: number,
  last: boolean,
): number {
  // Whichever of several models may answer: the one that did last is no promise.
  const possible = Object.values(spec.prices ?? {});
  const output = request.settings?.maxOutputTokens ?? 0;
  const all = letters + lettersAround(request);
  const once = Math.max(...possible.map((price) => reservationOf(price, all, output)));
  if (last || spec.limits.onLimit !== "answer") return once;
  const more = Math.max(...possible.map((price) => reservationOf(price, all + 4 * output, output)));
  return once + more;
}
