// What journals are asked for is what fits: of all their runs, the last so many by time.
import { describe, expect, it } from "vitest";
import { agent, memoryJournal, scriptedModel } from "../../../../src/index.js";
import { virtualClock } from "../../../../src/runtime/index.js";
import { journalTraces } from "../../../../src/trace/live/index.js";
import { rejection } from "../../../support/thrown.js";
import { lived } from "../../../support/traced.js";

const talker = agent({ name: "talker" }) as never;
const said = async (runId: string, more: object = {}) => {
  const model = scriptedModel([`answer of ${runId}`]);
  const { journal } = await lived(talker, "hello", {
    runId,
    model,
    journal: memoryJournal(runId),
    ...more,
  });
  return journal;
};

describe("a filter", () => {
  it("has those events that fit, of all runs, the last so many by time", async () => {
    const early = await said("early", { clock: virtualClock(1_000) });
    const late = await said("late", { clock: virtualClock(9_000) });
    // The later one comes first.
    const store = journalTraces([late, early]);
    const ids = async (filter: object) =>
      (await store.read(filter, {})).events.map(({ id }) => id).sort();
    const all = ["early#@0", "early#llm/0", "late#@0", "late#llm/0"];
    expect(await ids({})).toEqual(all);
    expect(await ids({ types: ["llm_call"] })).toEqual(["early#llm/0", "late#llm/0"]);
    expect(await ids({ runId: "late" })).toEqual(["late#@0", "late#llm/0"]);
    expect(await ids({ session: "early" })).toEqual(["early#@0", "early#llm/0"]);
    expect(await ids({ agentId: "talker" })).toEqual(all);
    expect(await ids({ agentId: "nobody" })).toEqual([]);
    expect(await ids({ from: 9_000 })).toEqual(["late#@0", "late#llm/0"]);
    expect(await ids({ to: 8_999 })).toEqual(["early#@0", "early#llm/0"]);
    expect(await ids({ limit: 3 })).toEqual(all.slice(1));
    expect(await ids({ limit: 1, types: ["input"] })).toEqual(["late#@0"]);
    const { runs } = await store.read({ agentId: "nobody" }, {});
    expect(runs.map(({ runId }) => runId)).toEqual(["late", "early"]);
    expect(await rejection(store.read({ from: "soon" }, {}))).toMatchObject({
      code: "trace.query",
    });
  });

  it("of one who asks is not that of another who asks at the same time", async () => {
    const store = journalTraces(await said("one"));
    const [inputs, calls, all] = await Promise.all([
      store.read({ types: ["input"] }, {}),
      store.read({ types: ["llm_call"] }, {}),
      store.read({}, {}),
    ]);
    expect([inputs, calls, all].map(({ events }) => events.map(({ id }) => id))).toEqual([
      ["one#@0"],
      ["one#llm/0"],
      ["one#@0", "one#llm/0"],
    ]);
  });
});
