// Changes of the agent's context: they come to what `assign` would make of them, whatever fields a
// behaviour leaves out or brings along, and touch nothing that they were given.
import { expect, it } from "vitest";
import type { AgentContext } from "../../../../../src/core/agent/context/context.js";
import { changeOf } from "../../../../../src/core/agent/context/copy-context.js";
import { newContext } from "../../../../../src/core/agent/extend/context-functions.js";

const before = Object.freeze(newContext({ runId: "r" }));
const context = (more: object): AgentContext => Object.freeze({ ...before, ...more });
/** What XState's `assign` makes of a change. */
const assigned = (from: AgentContext, change: (context: AgentContext) => AgentContext) =>
  Object.assign({}, from, change(from));

const changes: readonly (readonly [string, (context: AgentContext) => AgentContext])[] = [
  ["a field that is changed", (from) => ({ ...from, turn: 7 })],
  ["nothing", (from) => from],
  ["a field that is left out", ({ request: _request, ...from }) => from as AgentContext],
  ["a part alone", () => ({ turn: 7 }) as AgentContext],
  ["a field of a behaviour's own", (from) => ({ ...from, mood: "fine" }) as AgentContext],
  ["fields in another order", ({ runId, ...from }) => ({ ...from, turn: 3, runId })],
];

for (const [name, change] of changes) {
  it(`${name}: as assign has it, in an object of its own`, () => {
    for (const from of [before, context({ mood: "low" })]) {
      const after = changeOf(change)({ context: from, event: undefined });
      expect(after).toEqual(assigned(from, change));
      expect(after).not.toBe(from);
      expect(Object.isFrozen(after)).toBe(false);
    }
  });
}

it("fields keep their order, so that the next change is as quick", () => {
  const after = changeOf((from: AgentContext) => ({ ...from, turn: 7 }))({
    context: before,
    event: undefined,
  });
  expect(Object.keys(after)).toEqual(Object.keys(before));
});
