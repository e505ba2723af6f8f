import { agent, memoryJournal, run, scriptedModel, virtualClock } from "reckoner";
import { Decisions, decisions, memoryDecisions } from "reckoner/decisions";
import { expect, it } from "vitest";
import { readTree } from "../../../../src/studio/live/index.js";
import { RecordedDecisions } from "../../../../src/studio/model/index.js";
import { BEGUN } from "../support.js";

it("has a graph after each write, and the same one until the next, forward and back", async () => {
  const store = memoryDecisions();
  await new Decisions(store).addNode({ id: "goal", type: "goal", label: "Log in" });
  const record = (label: string) => ({
    name: "record_decision",
    input: { label, parent_id: "goal" },
  });
  const journal = memoryJournal();
  await run(agent({ name: "planner", plugins: [decisions({ store: "d" })] }), "Decide.", {
    model: scriptedModel([
      { calls: [record("Passkeys")] },
      { calls: [record("Passwords")] },
      "Done.",
    ]),
    stores: { d: store },
    journal,
    clock: virtualClock(BEGUN),
  });
  const tree = await readTree(journal);
  const graphs = new RecordedDecisions(tree);
  const last = tree.moments.at(-1)?.seq ?? 0;
  const labels = (seq: number) =>
    graphs.at(seq).flatMap(({ nodes }) => nodes.map(({ label }) => label));
  const all = Array.from({ length: last + 1 }, (_, seq) => labels(seq));
  expect(all[0]).toEqual([]);
  expect(all.filter((each) => !each.includes("Passwords")).at(-1)).toContain("Passkeys");
  expect(all[last]).toEqual(expect.arrayContaining(["Passkeys", "Passwords"]));
  // The same object where nothing was written between: what is drawn of it is drawn once.
  const found = new Set(all.map((_, seq) => graphs.at(seq)));
  expect(found.size).toBe(3);
  expect(all.map((_, i) => labels(last - i)).reverse()).toEqual(all);
  expect(graphs.at(last)[0]?.written.size).toBeGreaterThan(1);
});
