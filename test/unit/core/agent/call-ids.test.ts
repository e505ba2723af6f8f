// What is issued for a tool call names the provider's id of it, as the deltas of its input do.
import { expect, it } from "vitest";
import { agent, agentTool, tool } from "../../../../src/index.js";
import { answer, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

it("a tool, a person and a child are asked under the id of the call; a store is not", () => {
  const child = agentTool(agent({ name: "child" }), { name: "ask" });
  const look = tool({ name: "look", execute: () => "seen" });
  const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
  const read = tool({
    name: "read",
    issue: () => [{ type: "read", store: "s", query: 1 }],
    settle: () => "read",
  });
  const run = byHand(agent({ name: "a", tools: [look, pay, child, read] }), "Go.");
  const calls = [wish("look", {}, "c1"), wish("pay", {}, "c2"), wish("ask", { prompt: "x" }, "c3")];
  run.take(answer(0, ...calls, wish("read", {}, "c4")));
  expect(
    run.directives.map(({ type, ...parts }) => [
      type,
      (parts as { toolCallId?: string }).toolCallId,
    ]),
  ).toEqual([
    ["tool", "c1"],
    ["approval", "c2"],
    ["run", "c3"],
    ["read", undefined],
  ]);
  run.take({ type: "approval.decided", id: "approval/0/1", approve: true });
  expect(run.directives).toMatchObject([{ type: "tool", id: "tool/0/1", toolCallId: "c2" }]);
});
