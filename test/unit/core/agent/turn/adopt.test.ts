// What an upgrade makes anew of an agent's context, and what of it stays: the definition's limits and
// prompt, the caller's and the parent's word.
import { describe, expect, it } from "vitest";
import { type Agent, agent, basicBehaviour } from "../../../../../src/core/agent/index.js";

type Definition = Omit<Parameters<typeof agent>[0], "name">;

const named = (definition: Definition): Agent => agent({ name: "a", ...definition }) as Agent;

/** The context of a run that has begun, under another definition. */
function carried(
  before: Definition,
  now: Definition,
  differing: readonly string[],
  more: { readonly input?: object; readonly budget?: { tokens?: number; cost?: number } } = {},
) {
  const { input = { prompt: "x" }, budget } = more;
  const { state } = named(before).start(input as never, {
    at: 1,
    runId: "r",
    ...(budget === undefined ? {} : { budget }),
  });
  const over = {
    at: 2,
    differs: (part: string) => differing.includes(part),
    input: input as never,
    budget,
  };
  expect(state.status).toBe("active");
  return named(now).migrate(state, over).context;
}

describe("limits of another definition", () => {
  const prices = { m: { inputPerMillion: 0.01, outputPerMillion: 0.01 } };
  it("hold where the parent's share is no less", () => {
    const settings = { maxOutputTokens: 1 };
    const before = { prices, settings };
    const now = { ...before, tokenBudget: 1_000, costBudget: 0.000_001 };
    const of = (budget: { tokens: number; cost: number }) =>
      carried(before, now, ["limits"], { budget });
    expect(of({ tokens: 900, cost: 5_000 })).toMatchObject({ tokenBudget: 900, costBudget: 1_000 });
    expect(of({ tokens: 5_000, cost: 900 })).toMatchObject({ tokenBudget: 1_000, costBudget: 900 });
    expect(carried(before, now, ["limits"])).toMatchObject({
      tokenBudget: 1_000,
      costBudget: 1_000,
    });
    expect(carried(before, now, [])).toMatchObject({ tokenBudget: null, costBudget: null });
  });

  it("do not replace what the input says", () => {
    const input = { prompt: "x", maxIterations: 3 };
    const now = { maxIterations: 7 };
    expect(carried({}, now, ["limits"], { input }).maxIterations).toBe(3);
    expect(carried({}, now, ["limits"]).maxIterations).toBe(7);
  });
});

it("the system prompt is made anew where the behaviour differs that makes it", () => {
  const initContext = (_spec: unknown, context: object) => ({ ...context, systemPrompt: "new" });
  const now = { system: "old", behaviour: { ...basicBehaviour, initContext } as never };
  expect(carried({ system: "old" }, now, ["behaviour"]).systemPrompt).toBe("new");
  expect(carried({ system: "old" }, now, []).systemPrompt).toBe("old");
});

it("plug-ins are not replaced while a step of one of them before a request is under way", () => {
  const plugin = {
    name: "notes",
    issue: () => [{ type: "read" as const, store: "notes", query: 1 }],
    settle: () => ({}),
  };
  const reading = { plugins: [plugin] };
  expect(() => carried(reading, reading, ["plugins"])).toThrow("a plug-in's step before a request");
  expect(carried(reading, reading, []).preparing).toMatchObject({ unsettled: 1 });
});
