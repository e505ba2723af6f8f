// Budgets hold inside a wide operation: what a call will come to is kept for it before it begins.
import { describe, expect, it } from "vitest";
import type { LlmDirective } from "../../../../src/index.js";
import { type Budget, vectors } from "../../../../src/kernel.js";
import {
  aggregate,
  beamSearch,
  generate,
  improve,
  keepBest,
  type OperationSpec,
  plan,
  score,
  type ThoughtsDefinition,
  thoughts,
} from "../../../../src/thoughts.js";
import { type Answers, type DriveOptions, drive } from "./drive.js";

// A token in costs 1 billionth, one out 2.
const price = { inputPerMillion: 0.001, outputPerMillion: 0.002 };
const cheap = { inputPerMillion: 0.0001, outputPerMillion: 0.0001 };
const wide = (responses = 20, more: object = {}): OperationSpec[] => [
  generate({ responses, prompt: () => "a question of 40 letters, no more or less", ...more }),
];
const runOf = (
  operations: readonly OperationSpec[],
  budgets: Partial<ThoughtsDefinition>,
  options: DriveOptions = {},
  answers: Answers = ({ id }) => id,
) => drive(thoughts({ policy: plan(operations), ...budgets }), "why?", answers, options);
/** How many calls begin in each step. */
const wavesOf = (
  operations: readonly OperationSpec[],
  budgets: Partial<ThoughtsDefinition>,
  answers?: Answers,
) => {
  const waves: number[] = [];
  const watch: DriveOptions["watch"] = ({ directives }) => {
    const calls = directives.filter(({ type }) => type === "llm").length;
    if (calls > 0) waves.push(calls);
  };
  const { state, output } = runOf(operations, budgets, { watch }, answers);
  return { waves, state, output };
};

describe("tokens, in a wide operation", () => {
  it("are kept for each call before it begins; the first of a kind goes alone to show its size", () => {
    const { waves, output } = wavesOf(wide(), { tokens: 100 });
    // One call of 15, then what fits into half of the 85 that are left, and so on.
    expect(waves).toEqual([1, 2, 1, 1, 1]);
    expect(output).toMatchObject({ reason: "tokens", modelCalls: 6, totalTokens: 90 });
  });

  it("are met to the last one", () => {
    expect(wavesOf(wide(), { tokens: 105 }).output).toMatchObject({
      modelCalls: 7,
      totalTokens: 105,
    });
    expect(wavesOf(wide(), { tokens: 15 }).output).toMatchObject({ modelCalls: 1 });
    expect(wavesOf(wide(), { tokens: 0 }).output).toMatchObject({
      modelCalls: 0,
      reason: "tokens",
    });
  });

  it("that suffice cut nothing", () => {
    const { waves, output } = wavesOf(wide(), { tokens: 300 });
    // Side by side each is kept a quarter more than the longest answer, within half of what is left until
    // eight have been heard; what is left over is used.
    expect(waves).toEqual([1, 8, 1, 1, 1, 6, 1, 1]);
    expect(output).toMatchObject({ reason: "success", modelCalls: 20, totalTokens: 300 });
  });

  it("of maxOutputTokens are kept in full, so that all that fit begin at once", () => {
    const settings = { maxOutputTokens: 20 };
    const { waves, output } = wavesOf(wide(), { tokens: 100, settings });
    // A quarter of 40 letters and 20: three fit; what they did not take is for those after them.
    expect(waves[0]).toBe(3);
    expect(output?.reason).toBe("tokens");
    expect(output?.totalTokens).toBeLessThanOrEqual(100);
    expect(output?.modelCalls).toBeGreaterThan(3);
  });

  it("are not spent on what comes later while something waits", () => {
    const long = generate({ id: "long", responses: 2, prompt: () => "x".repeat(200) });
    const short = generate({ id: "short", after: [], prompt: () => "x" });
    const { waves } = wavesOf([long, short], { tokens: 100, settings: { maxOutputTokens: 20 } });
    // 70 for the first; the short one would fit beside it, and the second waits before it.
    expect(waves[0]).toBe(1);
  });

  it("are estimated by the longest answer so far, and by what letters were in tokens", () => {
    const usage = ({ id }: LlmDirective) =>
      id.endsWith("/0")
        ? { inputTokens: 30, outputTokens: 10 }
        : { inputTokens: 30, outputTokens: 2 };
    const { output } = runOf(wide(10), { tokens: 150 }, { usage });
    // 40, then two of 40 at most (they take 32), then one more: 136; the next might take 40.
    expect(output).toMatchObject({ reason: "tokens", totalTokens: 136, modelCalls: 4 });
  });

  it("hold for scores as for thoughts, and across operations", () => {
    const operations = [
      ...wide(5),
      score({ samples: 4, prompt: () => "how good?" }),
      keepBest({ n: 2 }),
    ];
    const { output, calls } = runOf(operations, { tokens: 200 }, {}, () => "Score: 5");
    expect(output?.totalTokens).toBeLessThanOrEqual(200);
    expect(output).toMatchObject({ reason: "tokens", score: 5 });
    expect(calls.length).toBe(13);
  });

  it("are not begun for a question that alone would pass what is left, whatever is answered", () => {
    const operations = [
      ...wide(2),
      improve({ prompt: () => "a question of 40 letters, no more or less".repeat(2) }),
    ];
    const left = (tokens: number) => runOf(operations, { tokens }).output;
    // Two calls of 15; ten tokens for a question make twenty for two of them.
    expect(left(50)).toMatchObject({ reason: "tokens", modelCalls: 3 });
    expect(left(49)).toMatchObject({ reason: "tokens", modelCalls: 2, totalTokens: 30 });
  });

  it("are hardly passed where answers differ in length, whichever comes first", () => {
    // From 2 to 40 tokens, the short ones first.
    const usage = ({ id }: LlmDirective) => {
      const nth = Number(id.split("/").at(-1));
      return { inputTokens: 10, outputTokens: nth < 3 ? 2 : 2 + ((nth * 17) % 39) };
    };
    for (const tokens of [300, 600, 1_200]) {
      const { output } = runOf(wide(100), { tokens }, { usage });
      expect(output).toMatchObject({ reason: "tokens" });
      expect(output?.totalTokens).toBeGreaterThan(tokens * 0.8);
      expect(output?.totalTokens).toBeLessThan(tokens * 1.15);
    }
  });

  it("that no provider reports stop nothing", () => {
    const { output } = runOf(wide(), { tokens: 10 }, { usage: () => ({}) });
    expect(output).toMatchObject({ reason: "success", modelCalls: 20, totalTokens: 0 });
  });

  it("below zero count as nothing", () => {
    const usage = () => ({ inputTokens: 7, outputTokens: -5 });
    const { output } = runOf(wide(3), { tokens: 1_000 }, { usage });
    expect(output).toMatchObject({ reason: "success" });
    expect(output?.totalTokens).toBe(21);
  });

  it("are added up from input and output where the provider does not", () => {
    const usage = () => ({ inputTokens: 7, outputTokens: 2 });
    expect(runOf(wide(2), {}, { usage }).output?.totalTokens).toBe(18);
  });
});

describe("model calls", () => {
  it("are counted before they begin", () => {
    const { waves, output } = wavesOf(wide(), { modelCalls: 7 });
    expect(waves).toEqual([7]);
    expect(output).toMatchObject({ reason: "modelCalls", modelCalls: 7 });
  });

  it("that fail are repeated, the first asked first, as far as the budget goes", () => {
    const answers: Answers = ({ id }) =>
      id.includes("again") ? "better" : { error: "overloaded" };
    const last = { pick: (count: number) => count - 1 };
    const { calls, output, state } = runOf(wide(4), { modelCalls: 6 }, last, answers);
    expect(calls.map(({ id }) => id.slice("llm/0-generate/0/".length))).toEqual([
      "0",
      "1",
      "2",
      "3",
      "0/again/1",
      "1/again/1",
    ]);
    expect(output).toMatchObject({ reason: "modelCalls", thoughts: 3, result: "better" });
    // The budget had two calls for repeats; the failures of the other two stand.
    expect(vectors.items(state.context.failures).map(({ code }) => code)).toEqual([
      "model.failed",
      "model.failed",
    ]);
  });

  it("of which the last one fails are not repeated, and its failure is what is said", () => {
    const { output, state } = runOf(wide(1), { modelCalls: 1 }, {}, () => ({
      error: "overloaded",
    }));
    expect(output).toBeUndefined();
    expect(state.context.error?.message).toContain("overloaded");
    expect(vectors.items(state.context.failures)).toHaveLength(1);
  });

  it("are repeated at once where nothing is metered", () => {
    const answers: Answers = ({ id }) =>
      id.includes("again") ? "better" : { error: "overloaded" };
    const { waves } = wavesOf(wide(2), {}, answers);
    expect(waves).toEqual([2, 1, 1]);
  });
});

describe("money", () => {
  it("is kept for each call before it begins, and reported in dollars", () => {
    // A call is 10 in at 1 and 5 out at 2: 20.
    const { waves, output } = wavesOf(wide(), { costBudget: 1e-7, price });
    expect(waves).toEqual([1, 1, 1, 1, 1]);
    expect(output).toMatchObject({ reason: "cost", modelCalls: 5, cost: 1e-7 });
  });

  it("is counted by the price of the operation's model, or of all", () => {
    const operations = [
      generate({ id: "a", model: "dear" }),
      generate({ id: "b", model: "cheap" }),
      generate({ id: "c" }),
    ];
    const prices = {
      dear: { inputPerMillion: 0.01, outputPerMillion: 0.01 },
      cheap,
    };
    const { output, calls } = runOf(operations, { prices, price });
    // Each call is rounded: the cheap one costs 1.5.
    expect(output?.cost).toBe(172e-9);
    expect(calls.map(({ model }) => model)).toEqual(["dear", "cheap", undefined]);
  });

  it("is counted by the beginning of a model's name, as an agent's is", () => {
    const operations = [generate({ model: "mini-2024-07-18" })];
    expect(runOf(operations, { prices: { mini: price, m: cheap } }).output?.cost).toBe(20e-9);
  });

  it("stands in the run's usage, and nothing that a port says of it counts", () => {
    const usage = () => ({ inputTokens: 10, outputTokens: 5, cost: 1_000_000 });
    const { state } = runOf(wide(2), { price }, { usage });
    expect(state.context.usage.cost).toBe(40);
    expect(runOf(wide(2), {}, { usage }).state.context.usage.cost).toBeUndefined();
  });

  it("knows what the cache costs", () => {
    const cached = {
      ...price,
      cachedInputPerMillion: 0.0001,
      cacheWritePerMillion: 0.003,
    };
    const usage = () => ({
      inputTokens: 10,
      outputTokens: 1,
      cacheReadInputTokens: 6,
      cacheCreationInputTokens: 2,
    });
    // 2 fresh at 1, 6 read at 0.1, 2 written at 3, 1 out at 2.
    expect(runOf(wide(1), { price: cached }, { usage }).output?.cost).toBe(11e-9);
  });

  it("is not reported where no price is known, and none where nothing was spent", () => {
    expect(runOf(wide(1), {}).output?.cost).toBeNull();
    expect(runOf(wide(1), { modelCalls: 0, price }).output?.cost).toBe(0);
    expect(runOf(wide(1), { modelCalls: 0, prices: { cheap } }).output?.cost).toBe(0);
  });

  it("needs prices", () => {
    for (const policy of [plan([generate()]), beamSearch()]) {
      expect(() => thoughts({ policy, costBudget: 1e-9 })).toThrow(
        expect.objectContaining({
          code: "thoughts.invalid",
          message: expect.stringContaining("costBudget needs to know what models cost"),
        }),
      );
      expect(() => thoughts({ policy, costBudget: 1e-9, price })).not.toThrow();
    }
  });

  it("needs the price of every model that is asked, which is said before it is", () => {
    const operations = [generate({ model: "big" }), score({ model: "judge" }), keepBest()];
    const { calls, state } = runOf(operations, { costBudget: 1e-6, prices: { big: price } });
    expect(calls.map(({ model }) => model)).toEqual(["big"]);
    expect(state.context.error?.message).toContain(
      "operation 1-score asks the model judge, of which no price is known",
    );
  });

  it("needs none of what asks no model", () => {
    const operations = [generate({ model: "big" }), score({ by: () => 1 }), keepBest()];
    const { output } = runOf(operations, { costBudget: 1e-6, prices: { big: price } });
    expect(output).toMatchObject({ reason: "success", score: 1 });
  });

  it("needs it of a share of a parent's money, where it is said when the call would begin", () => {
    const budget = { cost: 1 };
    const { state } = thoughts({ policy: beamSearch() }).start("why?", {
      at: 0,
      runId: "r",
      budget,
    });
    expect(state.context.error).toEqual({
      code: "thoughts.policy",
      message:
        "The policy beamSearch: operation 1.generate asks the model default, of which no price is known; costBudget needs one.",
    });
  });
});

describe("room for thoughts", () => {
  it("is kept for all thoughts of an answer", () => {
    const parse = (text: string) => text.split(",").map((part) => ({ part }));
    const operations = wide(4, { branches: 3, parse });
    const { calls, output } = runOf(operations, { maxNodes: 8 }, {}, () => "a,b,c");
    // 3 and 3 and 1: the third answer has room for one thought, the fourth for none.
    expect(calls).toHaveLength(3);
    expect(output).toMatchObject({ reason: "maxNodes", thoughts: 8 });
  });

  it("is that of the first asked, whichever answers first", () => {
    const parse = (text: string) => text.split(",").map((part) => ({ part }));
    const last = { pick: (count: number) => count - 1 };
    const answers: Answers = ({ id }) => (id.endsWith("/0") ? "a,b,c,d" : "x,y,z");
    const one = runOf(wide(2, { parse }), { maxNodes: 4 }, last, answers);
    const other = runOf(wide(2, { parse }), { maxNodes: 4 }, {}, answers);
    expect(one.state.context.graph).toEqual(other.state.context.graph);
    expect(one.output?.thoughts).toBe(4);
  });
});

it("a vote that would go deeper than thoughts may makes none, and says so", () => {
  const operations = [...wide(2), aggregate({ strategy: "voting" })];
  const { output } = runOf(operations, { maxDepth: 1 });
  expect(output).toMatchObject({ reason: "maxDepth", thoughts: 3, modelCalls: 2 });
});

it("thoughts that are as deep as may be are scored still", () => {
  const { output } = runOf([...wide(1), score()], { maxDepth: 1 }, {}, () => "Score: 5");
  expect(output).toMatchObject({ reason: "success", score: 5, modelCalls: 2 });
});

it("room that was kept for what no budget was left for is free again", () => {
  const operations = [...wide(20), aggregate({ strategy: "voting" })];
  const { output } = runOf(operations, { maxNodes: 21, tokens: 100 }, {}, () => "so");
  expect(output).toMatchObject({
    reason: "tokens",
    thought: "thought/1-aggregate/0/0",
    thoughts: 8,
  });
});

describe("a deadline", () => {
  it("takes in what has come, also where an earlier answer is still out", () => {
    const policy = plan([
      generate({ responses: 3 }),
      score({ by: ({ content }) => content.length }),
      keepBest(),
    ]);
    const reasoner = thoughts({ policy, deadlineMs: 1_000 });
    let { state, directives } = reasoner.start("why?", { at: 0, runId: "r" });
    const [, , third] = directives.filter((each) => each.type === "llm");
    const event = {
      type: "llm.succeeded" as const,
      id: third?.id ?? "",
      at: 5,
      content: [{ type: "text" as const, text: "there in time" }],
      finishReason: "stop" as const,
      usage: {},
    };
    ({ state, directives } = reasoner.step(state, event));
    ({ state } = reasoner.step(state, { type: "timer.fired", id: "timer/deadline", at: 1_000 }));
    expect(reasoner.output(state)).toMatchObject({
      reason: "deadline",
      result: "there in time",
      whole: true,
    });
  });
});

describe("a child's share", () => {
  const origin = { at: 0, runId: "child" };
  const spentOf = (own: Partial<ThoughtsDefinition>, share: Budget) => {
    const { budgets } = thoughts({ policy: plan(wide()), price, ...own }).start("why?", {
      ...origin,
      budget: share,
    }).state.context;
    return [budgets.tokens, budgets.cost];
  };

  it("is what a run may spend, where its own budgets are none or more", () => {
    expect(spentOf({}, { tokens: 90, cost: 100 })).toEqual([90, 100]);
    expect(spentOf({ tokens: 50, costBudget: 2e-7 }, { tokens: 90, cost: 100 })).toEqual([50, 100]);
    expect(spentOf({ tokens: 50, costBudget: 2e-8 }, {})).toEqual([50, 20]);
    expect(spentOf({}, {})).toEqual([null, null]);
  });
});
