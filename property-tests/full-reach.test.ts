// What the worlds of agents with everything reach: every feature, every way to end, in parents and in
// children.
import fc from "fast-check";
import { expect, it } from "vitest";
import { agentInput, drive, worldScript } from "../src/testing/index.js";
import { live } from "../src/testing/scripted-host.js";
import { limitedAgent, orderlyAgent } from "./full-agents.js";

const input = agentInput(["t0", "child0"]);

const ENDS = [
  ...["answered", "finished", "concluded"].map((value) => `done in "${value}"`),
  ...["deadline", "tokenBudget", "costBudget", "maxIterations", "denied", "invalidOutput"].map(
    (value) => `failed in "${value}"`,
  ),
  ...["empty", "truncated", "filtered", "faulty"].map((flaw) => `failed in "${flaw}Answer"`),
  'active in "ready"',
  ...["timer", "read", "write", "child0", "child1", "nobody"],
];

it("ends agents in every way that budgets, hooks, outputs and conversations add", () => {
  const seen = new Set<string>();
  const cases = fc.tuple(limitedAgent, input, worldScript());
  for (const [agent, start, script] of fc.sample(cases, { seed: 7, numRuns: 1_500 })) {
    if (ENDS.every((each) => seen.has(each))) break;
    const { steps, state } = drive(agent, start, script);
    seen.add(`${state.status} in ${JSON.stringify(state.value)}`);
    for (const { step } of steps) {
      for (const each of step.directives) seen.add(each.type === "run" ? each.reasoner : each.type);
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining(ENDS));
});

const CHILDREN = [
  ...["done", "failed", "cancelled"].map((status) => `a child ${status}`),
  "depth 2",
];

it("lets children of children run, end in every way and be cancelled", () => {
  const seen = new Set<string>();
  const cases = fc.tuple(fc.oneof(orderlyAgent, limitedAgent), input, worldScript());
  for (const [agent, start, script] of fc.sample(cases, { seed: 7, numRuns: 400 })) {
    if (CHILDREN.every((each) => seen.has(each))) break;
    const { shown } = live(agent, start, script, {}, { lines: false });
    for (const each of shown) {
      if (each.type !== "step" || each.run === "") continue;
      const { status } = each.step.state;
      seen.add(`depth ${each.run.split(":").length}`);
      if (status !== "active") seen.add(`a child ${status}`);
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining(CHILDREN));
});
