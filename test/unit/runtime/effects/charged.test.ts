// What a model call is charged: what its port told, within what happened; budgets hold by that.
import { describe, expect, it, vi } from "vitest";
import {
  agent,
  type ModelPort,
  type Observation,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { generate, plan, thoughts } from "../../../../src/thoughts.js";

const look = tool({ name: "look", execute: () => "seen" });
/** A model that calls a tool for ever, and tells what it likes of its usage. */
const endless = (usage: unknown, model?: string): ModelPort => {
  let n = 0;
  return {
    name: "acme:large",
    generate: async () => ({
      content: [{ type: "tool-call", toolCallId: `c${n++}`, toolName: "look", input: {} }],
      finishReason: "tool-calls",
      usage: usage as object,
      ...(model === undefined ? {} : { model }),
    }),
  };
};
const prices = {
  large: { inputPerMillion: 1, outputPerMillion: 5 },
  huge: { inputPerMillion: 100, outputPerMillion: 500 },
};
const noticesOf = (seen: readonly Observation[]) =>
  seen.flatMap((each) => (each.type === "notice" ? [each.code] : []));

describe("a budget of a model that tells no usage", () => {
  it.each([
    ["nothing", {}],
    ["zeros", { inputTokens: 0, outputTokens: 0, totalTokens: 0 }],
    ["texts", { inputTokens: "900", outputTokens: "900" }],
    ["other names", { prompt_tokens: 900, completion_tokens: 900 }],
  ])("holds: %s", async (_what, usage) => {
    const seen: Observation[] = [];
    const options = {
      model: endless(usage),
      observers: [(each: Observation) => void seen.push(each)],
    };
    const limits = { tools: [look], maxIterations: 500 };
    const end = await run(agent({ name: "a", ...limits, tokenBudget: 2_000 }), "go", options);
    expect(end).toMatchObject({ status: "failed", error: { code: "agent.tokenBudget" } });
    expect(new Set(noticesOf(seen))).toEqual(new Set(["usage.estimated"]));
    const costly = agent({
      name: "a",
      ...limits,
      prices: { large: prices.large },
      costBudget: 0.003,
      settings: { maxOutputTokens: 100 },
    });
    const spent = await run(costly, "go", { model: endless(usage) });
    expect(spent).toMatchObject({ status: "failed", error: { code: "agent.costBudget" } });
    expect(spent.context.usage.cost).toBeLessThanOrEqual(3_000_000);
  });

  it("holds of thoughts, in a script of more tokens than a quarter", async () => {
    const question = "请".repeat(3_000);
    const wide = thoughts({
      policy: plan([generate({ responses: 8 })]),
      tokens: 12_000,
      settings: { maxOutputTokens: 100 },
    });
    const usage = { inputTokens: 3_000, outputTokens: 2 };
    const end = await run(wide, question, { model: scriptedModel(() => ({ text: "好", usage })) });
    expect(end.usage.totalTokens).toBeLessThanOrEqual(12_000);
    expect(end.usage.requests).toBeGreaterThan(1);
  });

  it("is not told where a port tells what can be", async () => {
    const seen: Observation[] = [];
    const observers = [(each: Observation) => void seen.push(each)];
    await run(agent({ name: "a" }), "go", { model: scriptedModel(["ok"]), observers });
    expect(noticesOf(seen)).toEqual([]);
  });
});

describe("the price of a model call", () => {
  const usage = { inputTokens: 1_000, outputTokens: 10 };
  const spent = async (model?: string) => {
    const one = agent({ name: "a", tools: [look], prices, maxIterations: 1 });
    return (await run(one, "go", { model: endless(usage, model) })).context.usage.cost;
  };

  it("is that of the port's name, where the answer names no model", async () => {
    expect(await spent()).toBe(1_000 * 1_000 + 10 * 5_000);
    expect(await spent("huge-2")).toBe(1_000 * 100_000 + 10 * 500_000);
  });

  it("is in dollars where people read it: in a tool, and at the end", async () => {
    let seen: number | undefined;
    const peek = tool({
      name: "look",
      execute: (_input, { usage }) => {
        seen = usage.cost;
        return "seen";
      },
    });
    const one = agent({ name: "a", tools: [peek], prices, maxIterations: 1 });
    const end = await run(one, "go", { model: endless(usage) });
    expect([seen, end.usage.cost, end.context.usage.cost]).toEqual([0.001_05, 0.001_05, 1_050_000]);
  });
});

describe("what is set aside for a request", () => {
  const priced = {
    name: "a",
    prices: { m: prices.large },
    model: "m",
    settings: { maxOutputTokens: 100 },
  };
  const ended = (costBudget: number, content: unknown, usage: object) =>
    run(
      agent({ ...priced, costBudget: costBudget / 1e9 }),
      { messages: [{ role: "user", content }] } as never,
      {
        model: { m: scriptedModel([{ text: "ok", usage }]) },
      },
    );

  it("of an image is not its base64, of letters of other scripts more than a quarter", async () => {
    const image = { type: "image", image: "A".repeat(2_000_000), mediaType: "image/png" };
    const shot = await ended(5_000_000, [image], { inputTokens: 900, outputTokens: 2 });
    expect(shot.status).toBe("done");
    const long = await ended(5_000_000, "请".repeat(6_000), {
      inputTokens: 6_000,
      outputTokens: 2,
    });
    expect(long).toMatchObject({ status: "failed", error: { code: "agent.costBudget" } });
    expect(long.usage.requests).toBe(0);
  });
});

it("a call is measured by what came since the one before, and not by the length of its run", async () => {
  const written = async (turns: number) => {
    const write = vi.spyOn(JSON, "stringify");
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    const one = agent({ name: "a", tools: [look], maxIterations: turns });
    await run(one, "go", { model: endless(usage) });
    const { length } = write.mock.calls;
    write.mockRestore();
    return length;
  };
  const [first, few, many] = [await written(10), await written(50), await written(200)];
  expect((many - few) / 150).toBeLessThan(1.2 * ((few - first) / 40));
});
