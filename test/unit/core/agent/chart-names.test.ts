// The agent's chart has names, so that a drawn one says what happens; and it is compiled into tables.
import { expect, it } from "vitest";
import { agent } from "../../../../src/core/agent/index.js";

it("every guard and every action of the chart has a name, and the chart is compiled", () => {
  const { machine, compiled } = agent({ name: "named", conversation: true });
  expect(compiled).toBe(true);
  const found: unknown[] = [];
  const visit = (node: typeof machine.root): void => {
    const moves = [...node.transitions.values()].flat().concat(node.always ?? []);
    for (const { guard, actions } of moves) found.push(guard ?? "none", ...actions);
    found.push(...node.entry, ...node.exit);
    for (const child of Object.values(node.states)) visit(child as typeof machine.root);
  };
  visit(machine.root);
  const nameOf = (each: unknown) =>
    typeof each === "string" ? each : (each as { type?: string }).type;
  // `not needsAnswer` is XState's own combination of a name.
  const unnamed = found.filter((each) => typeof each === "function" && !("guards" in each));
  expect(unnamed).toEqual([]);
  expect(found.map(nameOf)).toContain("hasFinalResult");
  expect(found.map(nameOf)).toContain("askModelAtOnce");
});
