// Money as arithmetic: integers, rounded per call, by the longest name that fits.
import { describe, expect, it } from "vitest";
import { misfit } from "../../../../../src/core/kernel/shapes.js";
import {
  addUsage,
  costOf,
  noUsage,
  PRICES,
  priceOf,
  reservationOf,
  tokensOf,
} from "../../../../../src/core/kernel/vocabulary/index.js";

const mini = { inputPerMillion: 0.15, outputPerMillion: 0.6, cachedInputPerMillion: 0.075 };
const big = { inputPerMillion: 2.5, outputPerMillion: 10 };
const prices = { "gpt-4o-mini": mini, "gpt-4o": big };

describe("a model's price", () => {
  it.each([
    ["gpt-4o-mini", mini],
    ["gpt-4o-mini-2024-07-18", mini],
    ["gpt-4o-2024-08-06", big],
    ["gpt-4", undefined],
    ["", undefined],
    ["constructor", undefined],
  ])("of %s is that of the longest name it begins with", (model, price) => {
    expect(priceOf(prices, model)).toBe(price);
  });
});

describe("the price of a port's name", () => {
  it("is that of its model, where the whole fits none", () => {
    expect(priceOf(prices, "openai:gpt-4o-mini")).toBe(mini);
    expect(priceOf({ ...prices, "openai:gpt": big }, "openai:gpt-4o-mini")).toBe(big);
    expect(priceOf(prices, "openai:")).toBeUndefined();
  });
});

describe("what a call has cost", () => {
  it.each([
    [{ inputTokens: 1_000, outputTokens: 100 }, 150_000 + 60_000],
    [{ inputTokens: 1_000, cacheReadInputTokens: 400 }, 600 * 150 + 400 * 75],
    // More from the cache than in all: what is in the input is not free.
    [{ inputTokens: 100, cacheReadInputTokens: 400 }, 100 * 150 + 400 * 75],
    [{ inputTokens: 1_000, cacheCreationInputTokens: 1_000 }, 150_000],
    [{ inputTokens: -5, outputTokens: Number.NaN }, 0],
    [{}, 0],
  ])("%j", (usage, cost) => expect(costOf(mini, usage)).toBe(cost));

  it("is rounded, once for each call", () => {
    const odd = { inputPerMillion: 0.0004, outputPerMillion: 0 };
    expect(costOf(odd, { inputTokens: 1 })).toBe(0);
    expect(costOf(odd, { inputTokens: 2 })).toBe(1);
    expect(costOf(odd, { inputTokens: 4 })).toBe(2);
  });

  it("knows what it costs to fill a cache", () => {
    const price = { ...big, cacheWritePerMillion: 3 };
    expect(costOf(price, { inputTokens: 10, cacheCreationInputTokens: 4 })).toBe(
      6 * 2_500 + 4 * 3_000,
    );
  });

  it("is set aside before: a quarter of the characters, and all output that may come", () => {
    expect([tokensOf(0), tokensOf(1), tokensOf(4), tokensOf(5)]).toEqual([0, 1, 1, 2]);
    expect(reservationOf(mini, 401, 50)).toBe(101 * 150 + 50 * 600);
    expect(reservationOf({ ...mini, cacheWritePerMillion: 1 }, 4, 0)).toBe(1_000);
  });
});

describe("prices that cannot be used", () => {
  it.each<[unknown, string]>([
    [null, "must be an object"],
    [[], "must be an object"],
    [5, "must be an object"],
    [{}, "must be an object of models"],
    [{ "": mini }, "must be an object of models"],
    [
      { m: { inputPerMillion: 1 } },
      "m.outputPerMillion is missing; it must be a number, 0 or more",
    ],
    [{ m: null }, "m must be an object; it is null"],
    [
      { m: { ...mini, outputPerMillion: -1 } },
      "m.outputPerMillion must be a number, 0 or more; it is -1",
    ],
    [
      { m: { ...mini, inputPerMillion: "1" } },
      "m.inputPerMillion must be a number, 0 or more; it is a string",
    ],
    [{ m: { ...mini, cachedInputPerMillion: Number.NaN } }, "cachedInputPerMillion"],
    [{ m: { ...mini, perThousand: 1 } }, "m.perThousand is not a part of it"],
  ])("%j", (given, words) => expect(misfit(given, PRICES)).toContain(words));

  it("others can", () => {
    expect(misfit(prices, PRICES)).toBeUndefined();
    expect(misfit({ local: { inputPerMillion: 0, outputPerMillion: 0 } }, PRICES)).toBeUndefined();
    expect(misfit({ m: { ...mini, cacheWritePerMillion: undefined } }, PRICES)).toBeUndefined();
  });
});

describe("usage added up", () => {
  it("takes nothing back, and stays whole", () => {
    const sum = addUsage({ ...noUsage, inputTokens: 5 }, { inputTokens: -3, outputTokens: 0.6 });
    expect(sum).toEqual({ ...noUsage, inputTokens: 5, outputTokens: 1 });
    const most = addUsage({ ...noUsage, inputTokens: 1 }, { inputTokens: 1e308 });
    expect(Number.isSafeInteger(most.inputTokens)).toBe(true);
    expect(addUsage(noUsage, { inputTokens: Number.POSITIVE_INFINITY })).toEqual(noUsage);
  });

  it("has a cost where one is told, and only there", () => {
    expect(addUsage(noUsage, { requests: 1 })).not.toHaveProperty("cost");
    const once = addUsage(noUsage, { cost: 3 });
    expect(addUsage(addUsage(once, { requests: 1 }), { cost: 4 }).cost).toBe(7);
    expect(addUsage(once, { cost: -9 }).cost).toBe(3);
  });
});
