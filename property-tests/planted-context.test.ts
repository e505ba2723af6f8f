// A change to what an agent's machine remembers is found by a replay, at its event, by the path of the
// field, and with both its values: whatever the agent is, wherever the change is planted.
import fc from "fast-check";
import { expect, it } from "vitest";
import { Recorder } from "../src/core/journal/index.js";
import {
  isList,
  type Json,
  type JsonObject,
  type List,
  listOf,
  type Reasoner,
  type RunState,
  refOf,
  type Step,
  sealJson,
  toArray,
} from "../src/core/kernel/index.js";
import { replay } from "../src/runtime/index.js";
import { agentInput, drive, textJournal, worldScript } from "../src/testing/index.js";
import { anyAgent } from "./agents.js";
import { seeds } from "./setup.js";

type Any = Reasoner<unknown, unknown, JsonObject>;

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
function planted(reasoner: Any, seq: number, field: string, plant: Plant): Any {
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
      const reasoner = agent as unknown as Any;
      const { moments } = drive(agent, input, script);
      const recorder = new Recorder();
      const [first] = moments;
      if (first === undefined) return;
      const { runId, at: time } = first.step.state;
      const { id, version, fingerprint } = reasoner;
      const texts = [
        recorder.header({
          reasoner: { id, version },
          fingerprint,
          runId,
          at: time,
          // Prepared, as whoever runs it does.
          input: reasoner.prepare(input, false) as never,
        }),
        ...moments.flatMap(({ event, step }) =>
          recorder.event(reasoner, event as never, step as never, []),
        ),
      ].map(({ text }) => `${text}\n`);
      const journal = textJournal(texts.join(""));
      expect((await replay(reasoner, journal)).status).toBe("identical");
      const { state } = (moments[at % moments.length] as typeof first).step;
      if (state.status !== "active") return;
      const context = state.context as unknown as JsonObject;
      const fields = Object.keys(context);
      const field = fields[which % fields.length] as string;
      const name = plant === "new" ? "planted" : field;
      const report = await replay(planted(reasoner, state.seq, field, plant), journal);
      expect(report.status).toBe("diverged");
      if (report.status !== "diverged") return;
      const { path, recorded, computed, seq } = report.difference;
      expect(seq).toBe(state.seq);
      expect(path.startsWith(`context.${name}`)).toBe(true);
      if (path !== `context.${name}`) return;
      found += 1;
      expect(shown(computed)).toBe(shown(changed(context, field, plant)[name]));
      // What a reader cannot have stays its digest; it is never another value.
      const isKnown = !(typeof recorded === "object" && recorded !== null && "@ref" in recorded);
      if (isKnown) expect(shown(recorded)).toBe(shown(context[name]));
    }),
    { seed: seeds[0] as number, numRuns: 150 },
  );
  expect(found).toBeGreaterThan(20);
});
