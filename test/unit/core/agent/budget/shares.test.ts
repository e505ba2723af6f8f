// What children may spend of their parent's budgets, to the last unit: what others have set aside or
// spent is not given twice, and a request is reserved at the dearest price that it may have.
import { describe, expect, it } from "vitest";
import { type AgentDefinition, agent, agentTool, type Plugin } from "../../../../../src/index.js";
import { owedBy } from "../../../../../src/kernel.js";
import { answer, decided, wish } from "../../../../support/agent-events.js";
import { byHand } from "../../../../support/by-hand.js";

const worker = agent({ name: "worker" });
const started = (more: Partial<AgentDefinition>) =>
  byHand(
    agent({
      name: "a",
      tools: [agentTool(worker, { name: "worker", needsApproval: true })],
      ...more,
    }),
    "x",
  );
const shareOf = (run: ReturnType<typeof started>, id: string) => {
  const owed = owedBy(run.state).find((each) => each.id === id);
  return owed?.type === "run" ? owed.budget : undefined;
};
const done = (id: string, totalTokens: number) => ({
  type: "run.succeeded",
  id,
  output: "done",
  runId: id,
  usage: { totalTokens },
});

describe("children that begin one after the other", () => {
  const two = answer(
    0,
    wish("worker", { prompt: "a" }, "1"),
    wish("worker", { prompt: "b" }, "2"),
    wish("worker", { prompt: "c" }, "3"),
  );
  const yes = (i: number) => decided(`approval/0/${i}`, true);

  it("share what is left beside what is set aside for those that run", () => {
    const run = started({ tokenBudget: 115 });
    // The answer itself has spent 15.
    run.take(two);
    run.take(yes(0));
    expect(shareOf(run, "tool/0/0/0")).toEqual({ tokens: 50 });
    run.take(yes(1));
    expect(shareOf(run, "tool/0/1/0")).toEqual({ tokens: 25 });
  });

  it("share what a child has left over, and nothing of what it spent", () => {
    const run = started({ tokenBudget: 115 });
    run.take(two);
    run.take(yes(0));
    run.take(done("tool/0/0/0", 20));
    run.take(yes(1));
    expect(shareOf(run, "tool/0/1/0")).toEqual({ tokens: 40 });
    run.take(done("tool/0/1/0", 40));
    run.take(yes(2));
    expect(shareOf(run, "tool/0/2/0")).toEqual({ tokens: 20 });
    run.take(done("tool/0/2/0", 0));
    expect(run.context.usage.totalTokens).toBe(15 + 60);
  });
});

it("a plug-in's child has no budget where its parent has none", () => {
  const plugin: Plugin = {
    name: "p",
    children: { worker },
    issue: () => [{ type: "run", reasoner: "worker", input: "x" }],
  };
  const run = started({ plugins: [plugin] });
  expect(run.owed).toEqual(["plugin/0/0/0"]);
  expect(shareOf(run, "plugin/0/0/0")).toBeUndefined();
});

it("a plug-in's child before the first request has half of what nobody has spent of", () => {
  const plugin: Plugin = {
    name: "p",
    children: { worker },
    issue: () => [
      { type: "read", store: "s", query: 1 },
      { type: "run", reasoner: "worker", input: "x" },
    ],
  };
  const run = started({
    plugins: [plugin],
    costBudget: 2e-9,
    prices: { m: { inputPerMillion: 0, outputPerMillion: 0 } },
    settings: { maxOutputTokens: 1 },
  });
  expect(shareOf(run, "plugin/0/0/1")).toEqual({ cost: 1 });
});

describe("a budget of money", () => {
  const prices = {
    cheap: { inputPerMillion: 0, outputPerMillion: 0 },
    dear: { inputPerMillion: 0, outputPerMillion: 1 },
  };
  const with_ = (billionths: number) =>
    started({ costBudget: billionths / 1e9, prices, settings: { maxOutputTokens: 1 } });

  it("may be a billionth", () => {
    expect(() => with_(1)).not.toThrow();
    expect(() => with_(0)).toThrow(/above 0/);
  });

  it("reserves for a model that nobody has named what the dearest may cost", () => {
    expect(with_(1_000).owed).toEqual(["llm/0"]);
    expect(with_(999).state.value).toBe("costBudget");
  });
});
