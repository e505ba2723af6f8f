// A port's own count is believed within what happened; else the estimate is charged, and that is said.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { believedUsage, type Usage } from "../../../../../src/core/kernel/vocabulary/index.js";

const exchange = { asked: 4_000, media: 0, answered: 400 };
const counts = (told: object, given: object = exchange) => {
  const { usage, doubt } = believedUsage(told as Partial<Usage>, given as typeof exchange);
  return [usage.inputTokens, usage.outputTokens, usage.totalTokens, doubt !== undefined];
};

describe("what a port told", () => {
  it.each([
    ["nothing", {}, [1_000, 100, 1_100, true]],
    ["zeros", { inputTokens: 0, outputTokens: 0 }, [1_000, 100, 1_100, true]],
    ["texts", { inputTokens: "900", outputTokens: "90" }, [1_000, 100, 1_100, true]],
    ["other names", { prompt_tokens: 900, completion_tokens: 90 }, [1_000, 100, 1_100, true]],
    [
      "what is negative or none",
      { inputTokens: -9, outputTokens: Number.NaN },
      [1_000, 100, 1_100, true],
    ],
    ["one side", { inputTokens: 900 }, [900, 100, 1_000, true]],
    ["far too little", { inputTokens: 3, outputTokens: 90 }, [1_000, 90, 1_090, true]],
    ["far too much", { inputTokens: 1e15, outputTokens: 90 }, [1_004_000, 90, 1_004_090, true]],
    ["a total alone", { totalTokens: 900 }, [800, 100, 900, false]],
    ["what can be", { inputTokens: 900, outputTokens: 90 }, [900, 90, 990, false]],
    // What a total has beyond both is what the model thought.
    [
      "thoughts in the total",
      { inputTokens: 900, outputTokens: 90, totalTokens: 5_000 },
      [900, 4_100, 5_000, false],
    ],
    [
      "a total that is too small",
      { inputTokens: 900, outputTokens: 90, totalTokens: 7 },
      [900, 90, 990, false],
    ],
    // An input without what came from the cache and went into it.
    [
      "a cache beside the input",
      {
        inputTokens: 100,
        outputTokens: 90,
        cacheReadInputTokens: 9_000,
        cacheCreationInputTokens: 500,
      },
      [9_600, 90, 9_690, false],
    ],
  ])("%s", (_what, told, expected) => expect(counts(told)).toEqual(expected));

  it("of an answer is bounded by maxOutputTokens, hidden thoughts included", () => {
    expect(
      counts({ inputTokens: 900, outputTokens: 1_400 }, { ...exchange, maxOutputTokens: 1_000 }),
    ).toEqual([900, 1_400, 2_300, false]);
    expect(
      counts({ inputTokens: 900, outputTokens: 9_000 }, { ...exchange, maxOutputTokens: 1_000 }),
    ).toEqual([900, 1_400, 2_300, true]);
  });

  it("of media may be less than they may take, which is charged where nothing is told", () => {
    const seen = { asked: 40, media: 10_000, answered: 4 };
    expect(counts({ inputTokens: 95, outputTokens: 1 }, seen)).toEqual([95, 1, 96, false]);
    expect(counts({}, seen)).toEqual([2_510, 1, 2_511, true]);
  });

  it("of what a model thought is part of the output", () => {
    const told = { inputTokens: 900, outputTokens: 90 };
    const thought = (reasoningTokens: unknown) =>
      believedUsage({ ...told, reasoningTokens } as Partial<Usage>, exchange).usage.reasoningTokens;
    expect([40, 4_000, -1, "40", undefined].map(thought)).toEqual([40, 90, 0, 0, undefined]);
  });

  it("is worded, for observers", () => {
    expect(believedUsage({}, exchange).doubt).toBe(
      "told 0 tokens in and 0 out, which cannot be; charged are 1000 in and 100 out",
    );
  });

  it("never makes a call free, or dearer than what happened", () => {
    const any = fc.record(
      {
        inputTokens: fc.anything(),
        outputTokens: fc.anything(),
        totalTokens: fc.oneof(fc.anything(), fc.nat()),
        cacheReadInputTokens: fc.oneof(fc.anything(), fc.nat()),
        cacheCreationInputTokens: fc.oneof(fc.anything(), fc.double()),
      },
      { requiredKeys: [] },
    );
    const sizes = fc.nat({ max: 1_000_000 });
    fc.assert(
      fc.property(any, sizes, sizes, sizes, (told, asked, media, answered) => {
        const { usage } = believedUsage(told as never, { asked, media, answered });
        const {
          inputTokens = 0,
          outputTokens = 0,
          totalTokens,
          cacheReadInputTokens = 0,
          cacheCreationInputTokens = 0,
        } = usage;
        expect(inputTokens * 64).toBeGreaterThanOrEqual(asked);
        expect(outputTokens * 64).toBeGreaterThanOrEqual(answered);
        expect(inputTokens).toBeLessThanOrEqual(asked + media + 1_000_000);
        expect(outputTokens).toBeLessThanOrEqual(answered + 1_000_000);
        expect(totalTokens).toBe(inputTokens + outputTokens);
        expect(cacheReadInputTokens + cacheCreationInputTokens).toBeLessThanOrEqual(inputTokens);
      }),
    );
  });
});
