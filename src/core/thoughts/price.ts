/** What model calls cost: prices by the million tokens, and sums in whole billionths of their unit. */
import type { Usage } from "../kernel/index.js";

/** A model's price, in a currency of one's own, for each million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input that was read from the provider's cache. Default: as other input. */
  readonly cacheRead?: number;
  /** Input that was written to the provider's cache. Default: as other input. */
  readonly cacheWrite?: number;
}

/** Costs are added up in billionths, as whole numbers: so a sum does not depend on its order. */
export const COST_UNIT = 1e9;
const PER_TOKEN = COST_UNIT / 1e6;

/** What tokens cost, in billionths of the price's unit. */
export function costOf(usage: Partial<Usage>, price: Price): number {
  const { inputTokens = 0, outputTokens = 0 } = usage;
  const { cacheReadInputTokens: read = 0, cacheCreationInputTokens: written = 0 } = usage;
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const fresh = Math.max(0, inputTokens - read - written);
  return Math.ceil(
    (fresh * input + read * cacheRead + written * cacheWrite + outputTokens * output) * PER_TOKEN,
  );
}

/** What is wrong with a price, in words; `undefined` where nothing is. */
export function priceFault(price: unknown): string | undefined {
  if (typeof price !== "object" || price === null) return "is no object { input, output }";
  const { input, output, cacheRead = 0, cacheWrite = 0 } = price as Partial<Price>;
  const wrong = Object.entries({ input, output, cacheRead, cacheWrite }).find(
    ([, each]) => typeof each !== "number" || !Number.isFinite(each) || each < 0,
  );
  return wrong === undefined
    ? undefined
    : `has ${wrong[0]} ${String(wrong[1])}; a price for a million tokens, 0 or more, is needed`;
}
