/** An input that would take the agent's limit away is refused at its start. */
import { expect, test } from "vitest";
import { agent } from "../../../../src/core/agent/index.js";

test.each(["many", 0, 1.5, -1])("maxIterations of %j is refused", (maxIterations) => {
  const one = agent({ name: "one" });
  const { state } = one.start({ prompt: "x", maxIterations } as never, { at: 0, runId: "r" });
  expect(state).toMatchObject({ status: "failed", fault: { code: "agent.invalid" } });
});
