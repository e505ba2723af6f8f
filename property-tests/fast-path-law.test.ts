// The law of the fast path finds one changed transition, guard or action of a machine.
import fc from "fast-check";
import { expect, it } from "vitest";
import { initialTransition, transition } from "xstate";
import { type PlannedReasoner, reasonerOf } from "./arbitrary-machine.js";
import { fastPathLaw } from "./fast-path-law.js";
import type { StatePlan, TransitionPlan } from "./machine-plan.js";

const leaf: Omit<StatePlan, "on"> = {
  kind: "atomic",
  entry: ["count"],
  exit: [],
  always: [],
  states: [],
};

/** Two states that A and B lead between, B with an effect on its way. */
function plan(b: Partial<TransitionPlan>): StatePlan {
  return {
    ...leaf,
    kind: "compound",
    on: [],
    states: [
      { ...leaf, on: [{ event: "A", target: 1, actions: [] }] },
      { ...leaf, on: [{ event: "B", target: 0, actions: ["tool"], guard: 1, ...b }] },
    ],
  };
}

const law = (reasoner: PlannedReasoner) =>
  fastPathLaw(
    reasoner,
    { initialTransition, transition },
    {
      input: fc.nat({ max: 2 }),
      waits: () => true,
      outside: (choose) => ({ type: choose(2) === 0 ? "A" : "B" }),
    },
  );
const fails = (reasoner: PlannedReasoner): boolean =>
  fc.check(law(reasoner).property as fc.IProperty<unknown>, { seed: 1, numRuns: 500 }).failed;

it("holds where nothing is planted", () => {
  expect(fails(reasonerOf(plan({})))).toBe(false);
});

it.each<[string, Partial<TransitionPlan>]>([
  ["its target", { target: 1 }],
  ["its guard", { guard: 2 }],
  ["what it issues", { actions: ["timer"] }],
  ["how much it issues", { actions: [] }],
  ["its event", { event: "message" }],
])("fails where one transition differs in %s", (_name, change) => {
  expect(fails({ ...reasonerOf(plan({})), machine: reasonerOf(plan(change)).machine })).toBe(true);
});
