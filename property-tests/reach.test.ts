// The worlds reach what the laws are about: every way to end, every fate of a tool call.

import fc from "fast-check";
import { expect, it } from "vitest";
import { owedBy } from "../src/core/kernel/machine/index.js";
import { toArray } from "../src/core/kernel/values/index.js";
import { agentInput, drive, worldScript } from "../src/testing/index.js";
import { anyAgent } from "./agents.js";

it("ends agents in every way, and lets tool calls come to everything they can come to", () => {
  const seen = new Set<string>();
  let widest = 0;
  const cases = fc.tuple(anyAgent, agentInput(["t0", "t1"]), worldScript());
  for (const [agent, input, script] of fc.sample(cases, { seed: 7, numRuns: 1_500 })) {
    const { steps, state } = drive(agent, input, script);
    seen.add(`${state.status} in ${JSON.stringify(state.value)}`);
    for (const { status } of toArray(state.context.toolCalls)) seen.add(`a call ${status}`);
    for (const { event, step } of steps) {
      seen.add(event.type);
      if (step.ignored !== undefined) seen.add(`ignored: ${step.ignored.reason}`);
      widest = Math.max(widest, owedBy(step.state).length);
      for (const directive of step.directives) seen.add(`asks for ${directive.type}`);
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining([...due]));
  expect(widest).toBeGreaterThan(2);
});

const due: readonly string[] = [
  ...["succeeded", "failed", "rejected", "not-executed", "unknown"].map((each) => `a call ${each}`),
  ...["llm", "tool", "approval", "read", "write", "run", "cancel"].map(
    (each) => `asks for ${each}`,
  ),
  ...["stale", "busy", "unhandled", "ended"].map((each) => `ignored: ${each}`),
  'done in "answered"',
  'done in "finished"',
  'failed in "maxIterations"',
  'failed in "modelFailed"',
  'cancelled in "cancelled"',
  'cancelled in "interrupted"',
  "interrupt",
];
