// A fork and then the same events come to the same as the original, ids aside: for any reasoner, any
// history, and any event that it is cut behind.
import fc from "fast-check";
import { expect, test } from "vitest";
import { forkedState } from "../src/core/journal/index.js";
import { drive, worldScript } from "../src/testing/index.js";
import { plannedReasoner } from "./arbitrary-machine.js";

test("a fork and then the same events ≡ the original", () => {
  fc.assert(
    fc.property(
      plannedReasoner(),
      fc.nat(5),
      worldScript(),
      fc.nat(),
      (reasoner, n, script, cut) => {
        const { steps } = drive(reasoner, n as never, script);
        const at = cut % steps.length;
        const origin = steps[at] as (typeof steps)[number];
        // Through JSON, as what a process left to another.
        let state = forkedState(JSON.parse(JSON.stringify(origin.step.state)), "fork");
        for (const { event, step } of steps.slice(at + 1)) {
          const again = reasoner.step(state as never, event as never);
          state = again.state as never;
          expect(JSON.stringify({ ...again.state, runId: "run" })).toBe(JSON.stringify(step.state));
          expect(again.directives).toEqual(step.directives);
        }
      },
    ),
  );
});
