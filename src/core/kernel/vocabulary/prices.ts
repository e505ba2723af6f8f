/**
 * Arithmetic of money: what a model call costs, and what one may cost at most. Amounts are
 * integers, in billionths of the prices' currency, rounded per call: sums of floating-point numbers
 * would depend on their order (P4).
 */
import { countOf, type Usage } from "./usage.js";

/** The price of a model, in units of a currency (dollars, say) per million tokens. */
export interface ModelPrice {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** Input that the provider had in its cache. Default: as other input. */
  readonly cachedInputPerMillion?: number | undefined;
  /** Input that goes into the provider's cache. Default: as other input. */
  readonly cacheWritePerMillion?: number | undefined;
}

/** Prices by the model's name, or by its beginning: `gpt-4o-mini` is `gpt-4o-mini-2024-07-18` too. */
export type Prices = { readonly [model: string]: ModelPrice };

/** The most that a child run may spend: its share of its parent's remaining budget. */
export interface Budget {
  readonly tokens?: number | undefined;
  /** In billionths. */
  readonly cost?: number | undefined;
}

/**
 * The price of a model: of its name, else of the longest name that it begins with. Of a port's name
 * (`openai:gpt-4o-mini`) what stands behind the provider counts, where nothing fits the whole.
 */
export function priceOf(prices: Prices, model: string): ModelPrice | undefined {
  const behind = model.indexOf(":") + 1;
  return named(prices, model) ?? (behind > 0 ? named(prices, model.slice(behind)) : undefined);
}

function named(prices: Prices, model: string): ModelPrice | undefined {
  if (Object.hasOwn(prices, model)) return prices[model];
  let best = "";
  for (const name of Object.keys(prices)) {
    if (name.length > best.length && model.startsWith(name)) best = name;
  }
  return best === "" ? undefined : prices[best];
}

/** Returns the cost of a call, in billionths. A token at 1 per million is a thousand of them. */
export function costOf(price: ModelPrice, usage: Partial<Usage>): number {
  const { inputPerMillion, outputPerMillion } = price;
  const { cachedInputPerMillion = inputPerMillion, cacheWritePerMillion = inputPerMillion } = price;
  const cached = countOf(usage.cacheReadInputTokens);
  const written = countOf(usage.cacheCreationInputTokens);
  const input = countOf(usage.inputTokens);
  // An input smaller than its cached part leaves that part out.
  const fresh = input >= cached + written ? input - cached - written : input;
  const perMillion =
    fresh * inputPerMillion +
    cached * cachedInputPerMillion +
    written * cacheWritePerMillion +
    countOf(usage.outputTokens) * outputPerMillion;
  return countOf(perMillion * 1_000);
}

/** Returns the number of tokens of so many Latin letters, roughly: a quarter. */
export function tokensOf(letters: number): number {
  return Math.ceil(letters / 4);
}

/**
 * Returns the amount reserved for a call, in billionths: its input at a quarter of its letters, at the
 * dearest that input can be, and all the output that it may give.
 * @param letters of the request, in Latin ones (`lettersOfText`)
 */
export function reservationOf(price: ModelPrice, letters: number, maxOutputTokens: number): number {
  const { inputPerMillion, cacheWritePerMillion = inputPerMillion } = price;
  const dearest = { ...price, inputPerMillion: Math.max(inputPerMillion, cacheWritePerMillion) };
  const outputTokens = maxOutputTokens;
  return costOf(dearest, { inputTokens: tokensOf(letters), outputTokens });
}

/** Describes the fault of prices; `undefined` where they can be used. */
export function pricesFault(prices: unknown): string | undefined {
  if (typeof prices !== "object" || prices === null || Array.isArray(prices)) {
    return "prices must be an object of models and what they cost";
  }
  const entries = Object.entries(prices as { readonly [model: string]: unknown });
  if (entries.length === 0) return "prices name no model";
  for (const [model, price] of entries) {
    if (model === "") return "prices have a model without a name";
    const fault = priceFault(price);
    if (fault !== undefined) return `the price of ${model} ${fault}`;
  }
  return undefined;
}

/** Describes the fault of one price; `undefined` where it can be used. */
export function priceFault(price: unknown): string | undefined {
  const given = (price ?? {}) as { readonly [part: string]: unknown };
  for (const part of ["inputPerMillion", "outputPerMillion"]) {
    if (given[part] === undefined) return `lacks ${part}`;
  }
  for (const [part, amount] of Object.entries(given)) {
    if (!known.has(part)) return `has ${part}; ${[...known].join(", ")} are known`;
    if (amount === undefined) continue;
    if (typeof amount !== "number" || !(amount >= 0) || !Number.isFinite(amount)) {
      return `needs a number of 0 or more as ${part}`;
    }
  }
  return undefined;
}

const known: ReadonlySet<string> = new Set([
  "inputPerMillion",
  "outputPerMillion",
  "cachedInputPerMillion",
  "cacheWritePerMillion",
] satisfies (keyof ModelPrice)[]);
