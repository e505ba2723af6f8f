// A change to what an agent's machine remembers is found by a replay, at its event, by the path of the
// field, and with both its values: whatever the agent is, wherever the change is planted.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { RunState, Step } from "../src/core/kernel/machine/index.js";
import {
  isList,
  type Json,
  type JsonObject,
  type List,
  listOf,
  refOf,
  sealJson,
  toArray,
} from "../src/core/kernel/values/index.js";
import { replay } from "../src/runtime/index.js";
import { agentInput, drive, worldScript } from "../src/testing/index.js";
import { anyAgent } from "./agents.js";
import { type AnyReasoner, recorded } from "./recorded.js";
import { seeds } from "./setup.js";

/** How a field is changed: another value, a longer List, or nothing in its place. */
type Plant = "other" | "gone" | "new";

function changed(context: JsonObject, field: string, plant: Plant): JsonObject {
  const { [field]: value, ...others } = context;
  if (plant === "gone") return others;
  if (plant === "new") return { ...context, planted: 1 };
  if (value !== undefined && isList(value)) {
    const items = [...toArray(value as List<Json>), { planted: 1 }];
    return { ...context, [field]: listOf(items) as unknown as Json };
  }
  return { ...context, [field]: [value ?? null, "planted"] };
}

/** A reasoner whose n-th step comes to another context. */
function planted(reasoner: AnyReasoner, seq: number, field: string, plant: Plant): AnyReasoner {
  const plantIn = (step: Step<JsonObject>): Step<JsonObject> => {
    if (step.state.seq !== seq) return step;
    const context = sealJson<JsonObject>(changed(step.state.context, field, plant));
    return { ...step, state: Object.freeze({ ...step.state, context }) as RunState<JsonObject> };
  };
  return {
    ...reasoner,
    start: (input, origin) => plantIn(reasoner.start(input, origin)),
    step: (state, event) => plantIn(reasoner.step(state, event)),
  };
}

const shown = (value: Json | undefined): string =>
  value === undefined ? "nothing" : refOf(isList(value) ? toArray(value as List<Json>) : value);

it("is found at its event, by its path, with both values", async () => {
  const cases = fc.tuple(
    anyAgent,
    agentInput(["t0", "t1"]),
    worldScript(),
    fc.nat(),
    fc.nat(),
    fc.constantFrom<Plant>("other", "gone", "new"),
  );
  let found = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ([agent, input, script, at, which, plant]) => {
      const reasoner = agent as unknown as AnyReasoner;
      const { steps } = drive(agent, input, script);
      const [first] = steps;
      const journal = recorded(reasoner, input, steps);
      if (first === undefined || journal === undefined) return;
      // What a child came to follows from its own lines, and this world settles children by itself.
      if (steps.some(({ event }) => event.type.startsWith("run."))) return;
      expect((await replay(reasoner, journal)).status).toBe("identical");
      const { state } = (steps[at % steps.length] as typeof first).step;
      if (state.status !== "active") return;
      const context = state.context as unknown as JsonObject;
      const fields = Object.keys(context);
      const field = fields[which % fields.length] as string;
      const name = plant === "new" ? "planted" : field;
      const report = await replay(planted(reasoner, state.seq, field, plant), journal);
      expect(report.status).toBe("diverged");
      if (report.status !== "diverged") return;
      const { path, recorded: was, computed, seq } = report.difference;
      expect(seq).toBe(state.seq);
      expect(path.startsWith(`context.${name}`)).toBe(true);
      if (path !== `context.${name}`) return;
      found += 1;
      expect(shown(computed)).toBe(shown(changed(context, field, plant)[name]));
      // What a reader cannot have stays its digest; it is never another value.
      const isKnown = !(typeof was === "object" && was !== null && "@ref" in was);
      if (isKnown) expect(shown(was)).toBe(shown(context[name]));
    }),
    { seed: seeds[0] as number, numRuns: 150 },
  );
  expect(found).toBeGreaterThan(20);
});
