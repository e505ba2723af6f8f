// A reasoner is defined once and steps the runs of a whole program: it keeps none of them.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { setupReasoner } from "../../../../../src/core/kernel/machine/index.js";
import { defineReasoner } from "../../../../../src/kernel.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

it("holds no state that everybody else has let go of", async () => {
  const { createMachine } = setupReasoner();
  const reasoner = defineReasoner({
    id: "counter",
    machine: createMachine({
      context: { n: 0 },
      initial: "on",
      states: { on: { on: { message: {} } } },
    }),
  });
  const run = (runId: string) => {
    const { state } = reasoner.start(null, { runId, at: 0 });
    return new WeakRef(reasoner.step(state, { type: "message", content: "on", at: 1 }).state);
  };
  const states = ["a", "b", "c"].map(run);
  // A WeakRef keeps its target until the present turn is over.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(states.map((each) => each.deref())).toEqual([undefined, undefined, undefined]);
});
