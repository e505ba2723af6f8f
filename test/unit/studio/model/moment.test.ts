import { agent, memoryJournal, run, scriptedModel, tool, virtualClock } from "reckoner";
import { describe, expect, it, vi } from "vitest";
import { readTree } from "../../../../src/studio/live/index.js";
import { isOutstanding, Scrubber } from "../../../../src/studio/model/index.js";
import { RecordedChanges } from "../../../../src/time-travel/pure/index.js";
import { BEGUN, paidTree } from "../support.js";

describe("an event of a tree", () => {
  it("has its states, its changes, its directives and what settled them", async () => {
    const tree = await paidTree();
    const at = new Scrubber(tree);
    const start = at.at(0);
    expect(start).toMatchObject({
      run: "",
      states: "thinking",
      chart: expect.stringMatching(/^agent\//),
    });
    const answer = at.at(1);
    expect(answer).toMatchObject({ states: "acting", before: "thinking" });
    expect(answer?.directives.map(({ id, name }) => [id, name])).toEqual([
      ["tool/0/0", "look_up_order"],
      ["tool/0/1", "read_policy"],
    ]);
    expect(answer?.directives[0]?.settled).toEqual({ seq: 2, type: "tool.succeeded" });
    expect(answer?.settled).toMatchObject({ id: "llm/0", seq: 0 });
    expect(answer?.outstanding.map(({ id }) => id)).toEqual(["tool/0/0", "tool/0/1"]);
    const changed = answer?.changes.map(({ path }) => path);
    expect(changed).toEqual(expect.arrayContaining(["value", "context.iteration"]));
    expect(answer?.changes.find(({ path }) => path === "context.iteration")).toEqual({
      path: "context.iteration",
      before: 0,
      after: 1,
    });
  });

  it("is the same in whichever order the events are looked at", async () => {
    const tree = await paidTree();
    const forward = new Scrubber(tree);
    const seqs = tree.moments.map(({ seq }) => seq);
    const seen = seqs.map((seq) => forward.at(seq));
    const back = new Scrubber(tree);
    for (const seq of [...seqs].reverse()) expect(back.at(seq)).toEqual(seen[seq]);
    expect(forward.at(seqs.length)).toBeUndefined();
  });

  it("has what waits in all runs of the tree", async () => {
    const tree = await paidTree();
    const child = tree.moments.find(({ run }) => run !== "");
    const moment = new Scrubber(tree).at(child?.seq ?? 0);
    expect(moment?.outstanding.map(({ run, type }) => [run, type])).toEqual([
      ["", "run"],
      ["tool/1/0/0", "llm"],
    ]);
  });
});

it("tells what is outstanding at an event, whatever event was looked at before", async () => {
  const tree = await paidTree();
  const last = tree.moments.at(-1)?.seq ?? 0;
  const wanted = (seq: number) =>
    tree.runs
      .flatMap(({ effects }) => [...effects.values()])
      .filter((effect) => isOutstanding(effect, seq))
      .map(({ id }) => id)
      .sort();
  const scrubber = new Scrubber(tree);
  for (const seq of [0, last, 3, 10, 4, 5, 1, last, 0]) {
    expect(
      scrubber
        .at(seq)
        ?.outstanding.map(({ id }) => id)
        .sort(),
      `${seq}`,
    ).toEqual(wanted(seq));
  }
});

it("steps back through a long run without going through all of it again", async () => {
  const journal = memoryJournal();
  const look = tool({ name: "look", execute: () => "seen" });
  const calls = Array.from({ length: 700 }, () => ({ name: "look", input: {} }));
  const model = scriptedModel([{ calls }, { calls }, "Done."]);
  const looker = agent({ name: "looker", tools: [look] });
  await run(looker, "Look.", { model, journal, clock: virtualClock(BEGUN) });
  const tree = await readTree(journal);
  const forward = new Scrubber(tree);
  const seen = tree.moments.map(({ seq }) => forward.at(seq)?.changes);
  const last = tree.moments.at(-1)?.seq ?? 0;
  expect(last).toBeGreaterThan(1_400);
  const pass = vi.spyOn(RecordedChanges.prototype, "pass");
  for (let seq = last; seq > last - 5; seq--) {
    expect(forward.at(seq)?.changes).toEqual(seen[seq]);
  }
  // Of more than 1 400 lines five times.
  expect(pass.mock.calls.length).toBeLessThan(5 * 510);
  pass.mockRestore();
});
