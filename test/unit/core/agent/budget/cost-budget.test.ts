// Money: what calls cost, what is set aside before them, and what children get of it.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type AgentDefinition,
  agent,
  agentTool,
  basicBehaviour,
  type RunDirective,
  tool,
} from "../../../../../src/index.js";
import { answer, returned, wish } from "../../../../support/agent-events.js";
import { byHand } from "../../../../support/by-hand.js";
import { refusal } from "../../../../support/thrown.js";

/** A token costs 1000 billionths in, 5000 out. */
const prices = { cheap: { inputPerMillion: 1, outputPerMillion: 5 } };
const settings = { maxOutputTokens: 10 };
const look = tool({ name: "look", jsonSchema: {}, execute: () => "" });
const LOOK = JSON.stringify([look.schema]).length;
const definition = { name: "a", system: "s", tools: [look], prices, settings };
const started = (more: Partial<AgentDefinition> = {}, budget?: object) => {
  const { start, ...rest } = agent({ ...definition, ...more });
  const told = budget === undefined ? {} : { budget };
  return byHand(
    { ...rest, start: (input: never, origin) => start(input, { ...origin, ...told }) },
    "x",
  );
};
/** What the first request may cost: the prompt x, the system prompt, the tool's schema, ten tokens out. */
const FIRST = Math.ceil((2 + LOOK) / 4) * 1_000 + 10 * 5_000;
const used = (inputTokens: number, outputTokens: number, model = "cheap-2026") => ({
  usage: { inputTokens, outputTokens },
  model,
});

describe("cost", () => {
  it("is counted by the response's model, and rounded per call", () => {
    const run = started();
    run.take({ ...answer(0, wish("look")), ...used(100, 2) });
    expect(run.context.usage.cost).toBe(110_000);
    run.take(returned("tool/0/0", 1));
    run.take({ ...answer(1, "done"), ...used(10, 1) });
    expect(run.context.usage.cost).toBe(125_000);
  });

  it("is not there without prices, whatever the port says", () => {
    const run = byHand(agent({ name: "a" }), "x");
    run.take({ ...answer(0, "done"), usage: { inputTokens: 5, cost: 99 } });
    expect(run.context.usage).not.toHaveProperty("cost");
    const priced = started();
    priced.take({ ...answer(0, "done"), usage: { inputTokens: 5, cost: 99 }, model: "cheap" });
    expect(priced.context.usage.cost).toBe(5_000);
  });

  it("is that of the model that answered, else of the one that was asked, by the longest prefix", () => {
    const both = { cheap: prices.cheap, "cheap-pro": { inputPerMillion: 9, outputPerMillion: 9 } };
    const costOf = (more: object, definition: Partial<AgentDefinition> = {}) => {
      const run = started({ prices: both, ...definition });
      run.take({ ...answer(0, "done"), usage: { inputTokens: 10 }, ...more });
      return run.context.usage.cost;
    };
    expect(costOf({ model: "cheap-mini" })).toBe(10_000);
    expect(costOf({ model: "cheap-pro-2" })).toBe(90_000);
    expect(costOf({ model: "cheap" }, { model: "cheap-pro" })).toBe(10_000);
    expect(costOf({ model: "unheard-of" }, { model: "cheap" })).toBe(10_000);
    expect(costOf({}, { model: "cheap" })).toBe(10_000);
  });

  it("of a model without a price is that of the dearest that has one", () => {
    const dear = { ...prices, dear: { inputPerMillion: 3, outputPerMillion: 1 } };
    const run = started({ prices: dear });
    run.take({ ...answer(0, "done"), ...used(10, 1, "unheard-of") });
    expect(run.context.usage.cost).toBe(31_000);
  });

  it("counts failed calls, and what an interrupt keeps", () => {
    const error = { code: "llm.failed", message: "cut off" };
    const run = started();
    run.take({ type: "llm.failed", id: "llm/0", error, usage: { inputTokens: 10 } });
    expect(run.context.usage.cost).toBe(10_000);
    const stopped = started({ conversation: true });
    const usage = { inputTokens: 4, outputTokens: 2 };
    stopped.take({ type: "interrupt", partial: { "llm/0": { content: [], usage } } });
    expect(stopped.context.usage.cost).toBe(14_000);
  });
});

describe("a budget of money", () => {
  it("lets a call begin that it can pay to the last billionth, and no other", () => {
    expect(started({ costBudget: FIRST / 1e9 }).owed).toEqual(["llm/0"]);
    const run = started({ costBudget: (FIRST - 1) / 1e9 });
    expect(run.state).toMatchObject({ status: "failed", value: "costBudget" });
    expect(run.directives).toEqual([]);
    expect(run.context.limit).toBe("costBudget");
    expect(run.context.error).toMatchObject({ code: "agent.costBudget" });
    expect(run.context.error?.message).toContain(String(FIRST / 1e9));
  });

  it("counts what was spent, and all of the transcript", () => {
    const text = "y".repeat(400);
    const next = (spent: number, budget: number) => {
      const run = started({ costBudget: budget / 1e9 });
      run.take({ ...answer(0, wish("look")), usage: { inputTokens: spent }, model: "cheap" });
      run.take(returned("tool/0/0", text));
      return run;
    };
    const run = next(10, 10_000_000);
    expect(run.owed).toEqual(["llm/1"]);
    const messages = run.context.checked?.characters ?? 0;
    expect(messages).toBeGreaterThan(400);
    const needed = Math.ceil((1 + LOOK + messages) / 4) * 1_000 + 50_000;
    expect(next(10, needed + 10_000).owed).toEqual(["llm/1"]);
    expect(next(10, needed + 9_999).state.value).toBe("costBudget");
    expect(next(11, needed + 10_000).state.value).toBe("costBudget");
  });

  it("is kept for the dearest of several models, whichever answered last", () => {
    const two = { ...prices, dear: { inputPerMillion: 2, outputPerMillion: 50 } };
    const next = (billionths: number) => {
      const costBudget = billionths / 1e9;
      const run = started({ prices: two, costBudget, model: "cheap" });
      run.take({ ...answer(0, wish("look")), usage: {}, model: "cheap" });
      run.take(returned("tool/0/0", "x"));
      return run;
    };
    const messages = next(10_000_000).context.checked?.characters ?? 0;
    const spent = next(10_000_000).context.usage.cost ?? 0;
    const needed = spent + Math.ceil((1 + LOOK + messages) / 4) * 2_000 + 10 * 50_000;
    expect(next(needed).owed).toEqual(["llm/1"]);
    expect(next(needed - 1).state.value).toBe("costBudget");
  });

  it("counts what a behaviour makes of the messages", () => {
    const long = "z".repeat(40_000);
    const behaviour = {
      ...basicBehaviour,
      name: "long",
      buildMessages: () => [{ role: "user" as const, content: long }],
    };
    expect(started({ costBudget: 0.009, behaviour }).state.value).toBe("costBudget");
    expect(started({ costBudget: 0.011, behaviour }).owed).toEqual(["llm/0"]);
  });

  it("bounds the answer, whatever a behaviour makes of the settings", () => {
    const behaviour = {
      ...basicBehaviour,
      name: "free",
      beforeRequest: (
        ...[, , request]: Parameters<NonNullable<typeof basicBehaviour.beforeRequest>>
      ) => ({
        ...request,
        settings: { temperature: 1 },
      }),
    };
    const run = started({ costBudget: 0.001, behaviour });
    expect(run.directive("llm/0")).toMatchObject({
      settings: { temperature: 1, maxOutputTokens: 10 },
    });
    // Without a budget the behaviour has the last word.
    expect(started({ behaviour }).directive("llm/0")).toHaveProperty("settings", {
      temperature: 1,
    });
  });

  it("with onLimit answer keeps back what the best answer may cost", () => {
    const twice = FIRST + Math.ceil((2 + LOOK + 40) / 4) * 1_000 + 50_000;
    const enough = started({ costBudget: twice / 1e9, onLimit: "answer" });
    expect(enough.owed).toEqual(["llm/0"]);
    const run = started({ costBudget: (twice - 1) / 1e9, onLimit: "answer" });
    expect(run.owed).toEqual(["llm/0"]);
    expect(run.directive("llm/0")).not.toHaveProperty("tools");
    run.take({ ...answer(0, "as far as I know"), ...used(10, 1) });
    expect(run.state).toMatchObject({ status: "done", value: "concluded" });
    const poor = started({ costBudget: 1e-8, onLimit: "answer" });
    expect(poor.state).toMatchObject({ status: "failed", value: "costBudget" });
  });

  it.each<[string, Partial<AgentDefinition>, object | undefined, string]>([
    ["the model that is named", { model: "other", costBudget: 1 }, undefined, '"other"'],
    ["an agent without prices", { prices: undefined as never }, { cost: 10 ** 9 }, "no prices"],
    ["an answer without a bound", { settings: {} }, { cost: 10 ** 9 }, "maxOutputTokens"],
  ])("refuses before the call what it cannot know: %s", (_what, more, budget, words) => {
    const run = started(more, budget);
    expect(run.state).toMatchObject({ status: "failed", value: "unpriced" });
    expect(run.directives).toEqual([]);
    expect(run.context.error).toMatchObject({ code: "agent.unpriced" });
    expect(run.context.error?.message).toContain(words);
  });

  it("refuses the next call where another model answered, which has no price", () => {
    const run = started({ costBudget: 1 });
    run.take({ ...answer(0, wish("look")), ...used(1, 1, "other") });
    run.take(returned("tool/0/0", 1));
    expect(run.state.value).toBe("unpriced");
    const named = started({ costBudget: 1, model: "cheap" });
    named.take({ ...answer(0, wish("look")), ...used(1, 1, "other") });
    named.take(returned("tool/0/0", 1));
    expect(named.owed).toEqual(["llm/1"]);
  });

  it("is said in dollars, and stands in the state in billionths", () => {
    const budgets = { perTurn: 0.05, total: 0.1 + 0.2 };
    const { context } = started({ costBudget: budgets });
    expect(context.costBudget).toBe(50_000_000);
    expect(context.budgets.cost).toBe(300_000_000);
    expect(started({ costBudget: 10 ** 9 }).context.costBudget).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each<[Partial<AgentDefinition>, RegExp]>([
    [{ costBudget: 0 }, /costBudget must be/],
    [{ costBudget: -0.05 }, /costBudget must be/],
    [{ costBudget: 0.01, prices: undefined as never }, /needs prices/],
    [{ costBudget: 0.01, settings: {} }, /needs settings.maxOutputTokens/],
    [
      { costBudget: 0.01, settings: { maxOutputTokens: 0 } },
      /settings.maxOutputTokens must be a whole/,
    ],
    [{ prices: { m: {} } as never }, /prices.m.inputPerMillion is missing/],
  ])("%j is refused at definition", (more, words) => {
    const { code, message } = refusal(() => agent({ ...definition, ...more }));
    expect(code).toBe("agent.invalid");
    expect(message).toMatch(words);
  });
});

describe("children", () => {
  const child = agent({ name: "helper", prices, settings });
  const ask = agentTool(child, { name: "ask" });
  const parent = (more: Partial<AgentDefinition>) => {
    const run = started({ tools: [ask], ...more });
    const spend = (...parts: readonly object[]) =>
      run.take({ ...answer(0, ...(parts as never[])), ...used(100, 0) });
    return { run, spend };
  };
  const askFor = (id: string) => wish("ask", { prompt: "p" }, id);
  const budgets = (directives: readonly object[]) =>
    directives.map((each) => (each as RunDirective).budget);

  it("get a share of what is left, their parent keeping one", () => {
    const { run, spend } = parent({ costBudget: 0.001, tokenBudget: 1_000 });
    spend(askFor("1"), askFor("2"));
    expect(budgets(run.directives)).toEqual([
      { tokens: 300, cost: 300_000 },
      { tokens: 300, cost: 300_000 },
    ]);
  });

  it("get none where their parent has no budget, and what is budgeted alone where it has", () => {
    const free = parent({});
    free.spend(askFor("1"));
    expect(budgets(free.run.directives)).toEqual([undefined]);
    const tokens = parent({ tokenBudget: 201 });
    tokens.spend(askFor("1"));
    expect(budgets(tokens.run.directives)).toEqual([{ tokens: 50 }]);
  });

  it("that begin later get less: what runs already is set aside", () => {
    const approved = agentTool(child, { name: "later", needsApproval: true });
    const { run, spend } = parent({ tools: [ask, approved], costBudget: 0.001 });
    spend(askFor("1"), wish("later", { prompt: "p" }, "2"));
    expect(run.directives.map(({ type }) => type)).toEqual(["run", "approval"]);
    expect(budgets(run.directives)[0]).toEqual({ cost: 450_000 });
    run.take({ type: "approval.decided", id: "approval/0/1", approve: true });
    expect(budgets(run.directives)).toEqual([{ cost: 225_000 }]);
  });

  it("that have ended are no longer set aside: what they spent is", () => {
    const two = tool({
      name: "two",
      children: { helper: child },
      issue: () => ["p", "q"].map((input) => ({ type: "run" as const, reasoner: "helper", input })),
      settle: () => null,
    });
    const approved = agentTool(child, { name: "later", needsApproval: true });
    const { run, spend } = parent({ tools: [two, approved], costBudget: 0.001 });
    spend(wish("two"), wish("later", { prompt: "p" }, "2"));
    expect(budgets(run.directives).slice(0, 2)).toEqual([{ cost: 300_000 }, { cost: 300_000 }]);
    const usage = { cost: 100_000 };
    run.take({ type: "run.succeeded", id: "tool/0/0/0", runId: "c", output: 1, usage });
    run.take({ type: "approval.decided", id: "approval/0/1", approve: true });
    expect(budgets(run.directives)).toEqual([{ cost: 250_000 }]);
  });

  it("get no more than their tool gives them", () => {
    const own = tool({
      name: "own",
      inputSchema: z.object({}),
      children: { helper: child },
      issue: () => [
        { type: "run", reasoner: "helper", input: "p", budget: { tokens: 5, cost: 10 ** 9 } },
      ],
      settle: () => null,
    });
    const { run, spend } = parent({ tools: [own], costBudget: 0.001 });
    spend(wish("own"));
    expect(budgets(run.directives)).toEqual([{ tokens: 5, cost: 450_000 }]);
  });

  it("count for their parent, and a plug-in's get a share as well", () => {
    const plugin = {
      name: "p",
      children: { helper: child },
      issue: () => [{ type: "run" as const, reasoner: "helper", input: "p" }],
    };
    const run = started({ plugins: [plugin], costBudget: 0.001000001 });
    expect(budgets(run.directives)).toEqual([{ cost: 500_000 }]);
    run.take({
      type: "run.succeeded",
      id: "plugin/0/0/0",
      runId: "c",
      output: 1,
      usage: { requests: 2, totalTokens: 50, cost: 400_000 },
    });
    expect(run.context.usage).toMatchObject({ requests: 2, totalTokens: 50, cost: 400_000 });
  });

  it("have the smaller of their own budget and their share", () => {
    const limits = (own: Partial<AgentDefinition>, share: object) => {
      const { tokenBudget, costBudget } = started(own, share).context;
      return [tokenBudget, costBudget];
    };
    expect(limits({}, { tokens: 5, cost: 10 ** 8 })).toEqual([5, 10 ** 8]);
    expect(limits({ tokenBudget: 3 }, { tokens: 5 })).toEqual([3, null]);
    expect(limits({ tokenBudget: 7, costBudget: 0.1 }, { tokens: 5 })).toEqual([5, 10 ** 8]);
    expect(limits({ costBudget: 0.1 }, { cost: 10 ** 9 })).toEqual([null, 10 ** 8]);
  });

  it("with nothing left end before their first call", () => {
    expect(started({}, { tokens: 0 }).state).toMatchObject({
      status: "failed",
      value: "tokenBudget",
    });
    expect(started({}, { cost: 0 }).state).toMatchObject({ status: "failed", value: "costBudget" });
  });
});
