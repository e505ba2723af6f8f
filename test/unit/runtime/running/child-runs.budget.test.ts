// A child's share of its parent's budgets: given with its start, kept where it begins, and held.
import { expect, it } from "vitest";
import {
  type AgentContext,
  agent,
  agentTool,
  memoryJournal,
  type RunOptions,
  replay,
  run,
  scriptedModel,
  summaryOf,
  toArray,
  tool,
} from "../../../../src/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { beginOf } from "../../../support/tree-lines.js";

const prices = { m: { inputPerMillion: 1, outputPerMillion: 1 } };
const settings = { maxOutputTokens: 10 };
const child = agent({ name: "child", prices, settings });
const usage = { inputTokens: 99, outputTokens: 1, totalTokens: 100 };

async function runWith(limits: { readonly tokenBudget?: number; readonly costBudget?: number }) {
  const asks = { calls: [{ name: "ask", input: { prompt: "p" } }], usage };
  const model = scriptedModel(({ messages }) => {
    const [first] = messages;
    if (first?.content === "p") return { text: "by the child", usage };
    return messages.length === 1 ? asks : { text: "done", usage };
  });
  const parent = agent({
    name: "parent",
    tools: [agentTool(child, { name: "ask" })],
    prices,
    settings,
    ...limits,
  });
  const journal = textJournal("");
  const end = await run(parent, "go", { model, journal, runId: "r" } satisfies RunOptions);
  const begin = beginOf(journal.text, "tool/0/0/0") as { budget?: object };
  expect((await replay(parent, journal)).status).toBe("identical");
  const [record] = toArray((end.context as AgentContext).toolCalls);
  return { end, begin, record };
}

it("stands where the child begins, and its own calls count against it", async () => {
  const { end, begin, record } = await runWith({ tokenBudget: 1_000, costBudget: 0.001 });
  expect(begin.budget).toEqual({ tokens: 450, cost: 450_000 });
  expect(record).toMatchObject({ status: "succeeded", output: "by the child" });
  expect(end.context.usage).toMatchObject({ requests: 3, totalTokens: 300, cost: 300_000 });
  expect(end.usage).toMatchObject({ requests: 3, totalTokens: 300, cost: 0.000_3 });
});

it("that is too small for one call fails the child, and the model reads why", async () => {
  const { begin, record } = await runWith({ costBudget: 0.00026 });
  expect(begin.budget).toEqual({ cost: 80_000 });
  expect(record).toMatchObject({ status: "succeeded" });
  const poor = await runWith({ costBudget: 0.000118 });
  expect(poor.begin.budget).toEqual({ cost: 9_000 });
  expect(poor.record).toMatchObject({ status: "failed" });
  expect(poor.record?.output).toContain("The run has spent 0 of its 0.000009");
});

it("is none where the parent has no budget", async () => {
  const { begin } = await runWith({});
  expect(begin).not.toHaveProperty("budget");
});

/** Two children that have paid for a call each and then work for ever; the parent has paid for one. */
async function cancelled(parentPrices: object) {
  const work = tool({
    name: "work",
    jsonSchema: { type: "object" },
    execute: () => new Promise<never>(() => {}),
  });
  const busy = agent({ name: "busy", system: "busy", prices, tools: [work] });
  const parent = agent({ name: "p", tools: [agentTool(busy, { name: "ask" })], ...parentPrices });
  const ask = { name: "ask", input: { prompt: "p" } };
  const model = scriptedModel(({ system }) =>
    system === "busy"
      ? { calls: [{ name: "work" }], usage: { inputTokens: 70, outputTokens: 7, totalTokens: 77 } }
      : { calls: [ask, ask], usage },
  );
  const live = run(parent, "go", { model, journal: memoryJournal() });
  let working = 0;
  for await (const each of live) {
    if (each.type !== "child" || each.observation.type !== "started") continue;
    if (each.observation.id.startsWith("tool/") && ++working === 2) live.cancel();
  }
  return live;
}

it.each([
  ["its parent's", { prices }, 100_000 + 2 * 77_000],
  ["where its parent has no prices, its own alone", {}, 2 * 77_000],
])("what children that were cancelled cost counts once: %s", async (_name, given, cost) => {
  const end = await cancelled(given);
  expect(end.status).toBe("cancelled");
  expect(end.usage).toMatchObject({ requests: 3, totalTokens: 254, cost: cost / 1e9 });
  // As a list of runs tells it, from the lines alone.
  const { cost: _cost, ...counts } = end.usage;
  expect((await summaryOf(end.journal)).usage).toEqual(counts);
});

it("costs what children cost where the machine itself counts no money", async () => {
  const paying = agent({ name: "paying", prices });
  const small = smallReasoner(
    {
      initial: "a",
      states: {
        a: {
          entry: issue({ type: "run", id: "c", reasoner: "paying", input: "p" }),
          on: { "run.succeeded": "over" },
        },
        over: { type: "final" },
      },
    },
    { children: { paying } },
  );
  const model = scriptedModel([{ text: "hm", usage }]);
  const end = await run(small, null, { model, journal: memoryJournal() });
  expect([end.status, end.usage.cost]).toEqual(["done", 0.000_1]);
});

it.each([{ prices }, {}])("what a port says of money is not asked (%j)", async (given) => {
  const told = { ...usage, cost: 4_321 };
  const end = await run(agent({ name: "a", ...given }), "go", {
    model: {
      name: "m",
      generate: async () => ({
        content: [{ type: "text", text: "x" }],
        finishReason: "stop",
        usage: told,
      }),
    },
  });
  expect(end.usage.cost).toBe("prices" in given ? 0.000_1 : undefined);
});
