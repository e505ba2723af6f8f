/**
 * Arithmetic of money: what a model call costs, and what one may cost at most. People write and read
 * amounts in US dollars, as price lists have them; states and lines hold integers, in billionths of one,
 * rounded per call: sums of floating-point numbers would depend on their order (P4).
 */
import { OBJECT, optionsOf, recordOf, type Shape, type Shapes } from "./shapes.js";
import { countOf, type Usage, usageWithout } from "./usage.js";

/** The price of a model, in US dollars per million tokens. */
export interface ModelPrice {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** Input that the provider had in its cache. Default: as other input. */
  readonly cachedInputPerMillion?: number | undefined;
  /** Input that goes into the provider's cache. Default: as other input. */
  readonly cacheWritePerMillion?: number | undefined;
}

const BILLION = 1_000_000_000;

/** Prices by the model's name, or by its beginning: `gpt-4o-mini` is `gpt-4o-mini-2024-07-18` too. */
export type Prices = { readonly [model: string]: ModelPrice };

/** An amount as a state has it: in billionths, from one in dollars. */
export function billionthsOf(dollars: number): number {
  return countOf(dollars * BILLION);
}

/** An amount in US dollars, from one in billionths. */
export function dollarsOf(billionths: number): number {
  return billionths / BILLION;
}

/** A usage as people read it: its cost in US dollars. */
export function inDollars<T extends { readonly cost?: number }>(usage: T): T {
  const { cost } = usage;
  return cost === undefined ? usage : { ...usage, cost: dollarsOf(cost) };
}

/** The most that a child run may spend: its share of its parent's remaining budget. */
export interface Budget {
  readonly tokens?: number | undefined;
  /** In billionths of a US dollar: a directive is a part of the state, whose sums depend on no order. */
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

/** The models that a settled call asked, and the part of its usage that failed attempts have. */
export interface SettledCall {
  readonly model?: string;
  readonly port?: string;
  readonly spent?: readonly { readonly model?: string; readonly usage: Partial<Usage> }[];
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

/**
 * Returns the cost of a settled model call, in billionths; failed attempts at the prices of their own models. A model
 * without a price may have cost the most that it would by the prices that there are.
 * @param names of the model, where the call does not name one that has a price
 */
export function costOfCall(
  prices: Prices,
  { spent = [], model, port }: SettledCall,
  usage: Partial<Usage>,
  names: readonly (string | null | undefined)[],
): number {
  const of = (own: readonly (string | null | undefined)[], counts: Partial<Usage>): number => {
    const [price] = own.flatMap((name) => (name ? (priceOf(prices, name) ?? []) : []));
    if (price !== undefined) return costOf(price, counts);
    return Math.max(0, ...Object.values(prices).map((each) => costOf(each, counts)));
  };
  const rest = spent.reduce((left, each) => usageWithout(left, each.usage), usage);
  const failed = spent.map((each) => of([each.model, ...names], each.usage));
  return failed.reduce((sum, cost) => sum + cost, of([model, port, ...names], rest));
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

const AMOUNT: Shape = [
  (value) => Number.isFinite(value) && Number(value) >= 0,
  "a number, 0 or more",
];
const price: Shapes<ModelPrice> = {
  inputPerMillion: AMOUNT,
  outputPerMillion: AMOUNT,
  cachedInputPerMillion: AMOUNT,
  cacheWritePerMillion: AMOUNT,
};
/** A price. */
export const PRICE: Shape = /* @__PURE__ */ optionsOf(price, "inputPerMillion", "outputPerMillion");
const BY_MODEL: Shape = /* @__PURE__ */ recordOf(PRICE);
/** Prices by model. */
export const PRICES: Shape = [
  (value) =>
    OBJECT[0](value) &&
    Object.keys(value as object).length > 0 &&
    !Object.hasOwn(value as object, ""),
  "an object of models, by their names, and what they cost",
  BY_MODEL[2],
];
