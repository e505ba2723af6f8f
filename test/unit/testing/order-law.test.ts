// The law of order is not for agents whose approvals do not block, and says so.
import fc from "fast-check";
import { expect, it } from "vitest";
import { agent, tool } from "../../../src/index.js";
import { agentLaws } from "../../../src/testing/index.js";

const of = (blocks: boolean) =>
  agent({
    name: "a",
    tools: [tool({ name: "pay", needsApproval: { blocks }, execute: () => 1 })],
  });
const orderOf = (blocks: boolean) =>
  agentLaws(of(blocks), { input: fc.constant("go") }).find(({ name }) => name.includes("order"));

it("refuses one whose approvals do not block, by the name of its tool", () => {
  const law = orderOf(false);
  const { errorInstance } = fc.check(law?.property as fc.IProperty<unknown>, { numRuns: 1 }) as {
    readonly errorInstance: unknown;
  };
  const told = [errorInstance, (errorInstance as Error).cause].map(String).join();
  expect(told).toMatch(/approvals do not block, such as that of pay/);
  const blocking = orderOf(true);
  fc.assert(blocking?.property as fc.IProperty<unknown>, { numRuns: 20, seed: 1 });
});
