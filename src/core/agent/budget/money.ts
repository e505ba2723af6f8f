/** Prices and the cost budget: what model calls have cost, and what the next one may cost. */
import {
  costOf,
  countOf,
  type EffectError,
  type LlmSucceeded,
  lettersAround,
  type ModelPrice,
  priceOf,
  reservationOf,
  type Usage,
  usageWithout,
} from "../../kernel/index.js";
import type { AgentContext } from "../context/context.js";
import type { AgentSpec, Request } from "../context/spec.js";

/** A model call that is settled: what all its attempts have spent, and which models these asked. */
type Settled = Pick<LlmSucceeded, "spent" | "model" | "port">;

/**
 * Usage of a model call with its cost; what a port says of money is not asked. Failed attempts are charged at the
 * prices of their models.
 */
export function priced(
  spec: AgentSpec,
  context: AgentContext,
  { spent = [], ...by }: Settled,
  usage: Partial<Usage>,
): Partial<Usage> {
  const failed = spent.map(({ model, usage: its }) => pricedBy(spec, context, { model }, its));
  const rest = spent.reduce((left, each) => usageWithout(left, each.usage), usage);
  const own = pricedBy(spec, context, by, rest);
  if (own.cost === undefined) return own;
  const cost = failed.reduce((sum, each) => sum + countOf(each.cost), own.cost);
  return { ...usage, cost };
}

function pricedBy(
  spec: AgentSpec,
  context: AgentContext,
  { model, port }: { readonly model?: string; readonly port?: string },
  usage: Partial<Usage>,
): Partial<Usage> {
  const { cost: _told, ...counts } = usage;
  const { prices } = spec;
  if (prices === undefined) return counts;
  const known = [model, port, context.model, spec.model].find(
    (name) => typeof name === "string" && priceOf(prices, name) !== undefined,
  );
  if (known === undefined || known === null) return { ...counts, cost: dearest(spec, counts) };
  return { ...counts, cost: costOf(priceOf(prices, known) as ModelPrice, counts) };
}

/** The most that a call of a model without a price may have cost, by the prices that there are. */
function dearest({ prices = {} }: AgentSpec, usage: Partial<Usage>): number {
  return Math.max(0, ...Object.values(prices).map((price) => costOf(price, usage)));
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
