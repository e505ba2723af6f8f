// The agent's chart has names, so that a drawn one says what happens; it is compiled into tables; and
// though nobody looks through it when an agent is made, it is one that a reasoner may have.
import { expect, it } from "vitest";
import { type AgentDefinition, agent } from "../../../../src/core/agent/index.js";
import { agentMachine } from "../../../../src/core/agent/turn/machine.js";
import { defineReasoner } from "../../../../src/core/kernel/machine/index.js";

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

const plugin = { name: "memory", init: () => null };
const definitions: readonly (readonly [string, Partial<AgentDefinition>])[] = [
  ["a plain agent", {}],
  ["one with a deadline", { deadlineMs: 1_000 }],
  ["one with plug-ins", { plugins: [plugin] }],
  ["one with plug-ins and a deadline", { plugins: [plugin], deadlineMs: 1_000 }],
  ["one with a hook", { plugins: [{ name: "judge", beforeRequest: () => undefined }] }],
  ["a conversation that answers at its limits", { conversation: true, onLimit: "answer" }],
];

it.each(definitions)("%s has a machine that defineReasoner takes", (_name, definition) => {
  const { spec } = agent({ name: "looked-through", ...definition });
  const own = defineReasoner({ id: "looked-through", machine: agentMachine(spec) });
  expect(own.compiled).toBe(true);
});
