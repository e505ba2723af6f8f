/** A hook whose word nobody understands lets nothing run; a provider without totals meets the budget. */
import { describe, expect, test } from "vitest";
import { agent } from "../../../../src/core/agent/index.js";
import { itemAt } from "../../../../src/core/kernel/values/index.js";
import { tool } from "../../../../src/core/kernel/vocabulary/index.js";
import { run, scriptedModel } from "../../../../src/runtime/index.js";

describe("a hook", () => {
  test.each([
    () => Promise.resolve({ type: "deny" }),
    () => ({ type: "dney" }),
    () => "deny",
    () => false,
  ])("that says nothing known denies", async (beforeTool) => {
    let ran = 0;
    const one = agent({
      name: "one",
      tools: [tool({ name: "t", execute: () => ++ran })],
      plugins: [{ name: "judge", beforeTool: beforeTool as never }],
    });
    const end = await run(one, "go", {
      model: scriptedModel([{ calls: [{ name: "t" }] }, "done"]),
    });
    expect(ran).toBe(0);
    expect(itemAt(end.context.toolCalls, 0)?.status).toBe("denied");
  });
});

test("tokens are added up where the provider gives no total", async () => {
  const usage = { inputTokens: 100, outputTokens: 100 };
  const one = agent({
    name: "one",
    tools: [tool({ name: "t", execute: () => 1 })],
    tokenBudget: 500,
  });
  const model = scriptedModel(() => ({ calls: [{ name: "t" }], usage }));
  const end = await run(one, "go", { model });
  expect([end.reason, end.context.usage.totalTokens]).toEqual(["tokenBudget", 600]);
});
