// Decisions in children that come close together, or in between: each is delivered or refused, and
// whoever gave it can read which.
import { describe, expect, it } from "vitest";
import { type Observation, replay, resume, run } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { approvalIn, calls, familyOf, type Member, worker } from "../../../support/family.js";
import { refusal } from "../../../support/thrown.js";
import { gate, settle } from "../../../support/watched-journal.js";

const yes = { approve: true } as const;
const CHILD = "tool/0/0/0";

/** A line of runs whose last asks so many times before it pays; the first has a tool that can be held. */
function asking(depth: number, count: number) {
  const done: string[] = [];
  const held = gate();
  const pay = worker(done, "pay", { needsApproval: true });
  const hold = { ...worker([], "hold"), execute: () => held.passed };
  let last: Member = {
    name: `level${depth}`,
    tools: [pay],
    says: [{ calls: Array.from({ length: count }, () => ({ name: "pay" })) }, "paid"],
  };
  for (let level = depth - 1; level > 0; level--) {
    last = { name: `level${level}`, children: [last], says: [calls(last.name), "passed on"] };
  }
  const { parent, model } = familyOf({
    name: "parent",
    tools: [hold as never],
    says: [{ calls: [{ name: last.name, input: { prompt: "x" } }, { name: "hold" }] }, "done"],
    children: [last],
  });
  const seen: string[] = [];
  const notice = (each: Observation): void => {
    if (each.type === "child") notice(each.observation);
    else if (each.type === "notice") seen.push(each.message);
  };
  const journal = textJournal("");
  const ids = Array.from({ length: count }, (_, i) =>
    approvalIn(Array(depth).fill(CHILD), `approval/0/${i}`),
  );
  return { parent, model, journal, ids, done, held, seen, observers: [notice] };
}

describe("decisions for a child at rest", () => {
  it.each([1, 2, 3])("%i deep, one right after the other, all reach it", async (depth) => {
    const { parent, model, journal, ids, done, held, seen, observers } = asking(depth, 5);
    const live = run(parent, "go", { model, journal, observers });
    for (let i = 0; i <= depth; i++) await settle();
    for (const id of ids) live.decide(id, yes);
    for (let i = 0; i <= depth; i++) await settle();
    expect(done).toHaveLength(5);
    held.open();
    expect(await live).toMatchObject({ status: "done", output: "done" });
    expect(seen).toEqual([]);
    expect((await replay(parent, journal)).status).toBe("identical");
  });

  it.each([1, 2])(
    "%i deep, twice for one approval: the second is refused at once",
    async (depth) => {
      const { parent, model, journal, ids, done, held } = asking(depth, 2);
      const live = run(parent, "go", { model, journal });
      for (let i = 0; i <= depth; i++) await settle();
      const [first = "", second = ""] = ids;
      live.decide(first, yes);
      if (depth === 1) {
        expect(refusal(() => live.decide(first, { approve: false })).code).toBe("approval.stale");
      }
      live.decide(second, { approve: false });
      for (let i = 0; i <= depth; i++) await settle();
      expect(refusal(() => live.decide(first, yes)).code).toBe("approval.stale");
      held.open();
      expect((await live).status).toBe("done");
      expect(done).toHaveLength(1);
    },
  );

  it("and a cancel right behind one: it stands in the child's journal, or is told of", async () => {
    const { parent, model, journal, ids, done, seen, observers } = asking(1, 2);
    const live = run(parent, "go", { model, journal, observers });
    await settle();
    await settle();
    live.decide(ids[0] ?? "", yes);
    live.cancel();
    expect((await live).status).toBe("cancelled");
    // It stands in the child's journal, or it is told of.
    const told = seen.filter((each) => each.includes(JSON.stringify(ids[0])));
    const taken = (journal.texts.get(CHILD) ?? "").split('"approval.decided"').length - 1;
    expect([taken + told.length, done]).toEqual([1, []]);
  });
});

describe("a decision for a child that does not go on here", () => {
  it("since its parent is drained, is told of", async () => {
    const { parent, model, journal, ids, done, held, seen, observers } = asking(1, 1);
    const first = run(parent, "go", { model, journal });
    await settle();
    void first.drain();
    held.open();
    expect((await first).status).toBe("waiting");
    const live = resume(parent, journal, { model, observers });
    void live.drain();
    live.decide(ids[0] ?? "", yes);
    expect(await live).toMatchObject({ status: "waiting", drained: true });
    expect(done).toEqual([]);
    expect(seen).toEqual([expect.stringContaining(JSON.stringify(ids[0]))]);
  });
});
