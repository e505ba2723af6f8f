// Where a run stands is remembered from step to step: only a state from outside is looked through, and
// its place in the machine resolved, so that a step costs the same however long its run is (P5).
import { expect, it } from "vitest";
import { aftersOf } from "../../../../../src/core/kernel/machine/after.js";
import { setupReasoner } from "../../../../../src/core/kernel/machine/index.js";
import { ownMachine } from "../../../../../src/core/kernel/machine/own-machine.js";
import type { Path } from "../../../../../src/core/kernel/machine/path.js";
import { pathOf } from "../../../../../src/core/kernel/machine/path-of.js";
import { Steps } from "../../../../../src/core/kernel/machine/steps.js";
import { throughJson } from "../../../../support/by-hand.js";
import {
  type AnyEvent,
  issue,
  type SmallContext,
  timer,
} from "../../../../support/small-machine.js";

/** Steps of a small machine, with a count of how often a position was resolved from its state. */
function counted() {
  const { createMachine } = setupReasoner<SmallContext, unknown, AnyEvent>();
  const machine = ownMachine(
    createMachine({ context: {}, entry: issue(timer("t/0")), on: { go: {} } } as never),
  );
  const afters = aftersOf(machine);
  const path = pathOf(machine, afters);
  const count = { restored: 0 };
  const counting: Path = {
    ...path,
    restore: (...state) => {
      count.restored += 1;
      return path.restore(...state);
    },
  };
  const steps = new Steps<unknown, SmallContext>({
    id: "small",
    version: 1,
    path: counting,
    afters,
    output: undefined,
  });
  return { steps, count };
}

it.each([
  ["a handled event", { type: "go" }, undefined],
  ["an unhandled event", { type: "other" }, "unhandled"],
  ["a stale settlement", { type: "timer.fired", id: "t/9" }, "stale"],
  ["a second start", { type: "start" }, "busy"],
])("behind %s the next step resolves nothing anew", (_name, event, reason) => {
  const { steps, count } = counted();
  const { state } = steps.start(null, { at: 0, runId: "r" });
  const passed = steps.step(state, { ...event, at: 1 } as never);
  expect(passed.ignored?.reason).toBe(reason);
  const next = steps.step(passed.state, { type: "go", at: 2 });
  expect(count.restored).toBe(0);
  expect(steps.step(throughJson(passed.state), { type: "go", at: 2 })).toEqual(next);
  expect(count.restored).toBe(1);
});

it("what a run begins with is in its state as the machine has seen it", () => {
  const { steps } = counted();
  const { state } = steps.start(null, { at: -0, runId: "half a letter: \ud800" });
  expect([state.at, state.runId]).toEqual([0, "half a letter: \ufffd"]);
});
