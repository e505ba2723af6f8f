// Who decided is recorded with the decision, whichever way it comes, in a child as in its parent.
import { describe, expect, it } from "vitest";
import { type HostOptions, resume, run } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { approvalIn, familyOf, lineOf, worker } from "../../../support/family.js";
import { gate, settle } from "../../../support/watched-journal.js";

const CHILD = "tool/0/0/0";
const ada = { approve: true, input: { a: 1 }, reason: "fine", by: "ada" } as const;

function tree(depth: number) {
  const held = gate();
  const hold = { ...worker([], "hold"), execute: () => held.passed };
  const line = lineOf(depth, [worker([], "pay", { needsApproval: true })]);
  const first =
    depth === 0
      ? { calls: [{ name: "pay" }, { name: "hold" }] }
      : { calls: [{ name: "level1", input: { prompt: "x" } }, { name: "hold" }] };
  const { parent, model } = familyOf({
    ...line,
    tools: [...(line.tools ?? []), hold as never],
    says: [first, "done"],
  });
  const id = approvalIn(Array(depth).fill(CHILD), "approval/0/0");
  return { parent, model, held, id, journal: textJournal("") };
}

/** What the innermost journal says of the decision, without its time. */
function decidedIn(journal: ReturnType<typeof textJournal>, depth: number): unknown {
  const text = journal.texts.get(Array(depth).fill(CHILD).join(" ")) ?? "";
  const lines = text.split("\n").filter((line) => line.includes('"approval.decided"'));
  return lines.map((line) => {
    const { at: _at, ...event } = JSON.parse(line).event;
    return event;
  });
}

describe.each([0, 1, 2])("%i deep", (depth) => {
  const expected = [{ ...ada, type: "approval.decided", id: "approval/0/0" }];

  it("by the approver", async () => {
    const { parent, model, held, journal, id } = tree(depth);
    const asked: string[] = [];
    const approve: HostOptions["approve"] = (each) => {
      asked.push(each.id);
      return ada;
    };
    held.open();
    expect((await run(parent, "go", { model, journal, approve })).status).toBe("done");
    expect([asked, decidedIn(journal, depth)]).toEqual([[id], expected]);
  });

  it("live", async () => {
    const { parent, model, held, journal, id } = tree(depth);
    const live = run(parent, "go", { model, journal });
    for (let i = 0; i < 3; i++) await settle();
    live.decide(id, ada);
    held.open();
    expect((await live).status).toBe("done");
    expect(decidedIn(journal, depth)).toEqual(expected);
  });

  it("through a resume, and live right behind one", async () => {
    for (const isLive of [false, true]) {
      const { parent, model, held, journal, id } = tree(depth);
      held.open();
      await run(parent, "go", { model, journal });
      const going = resume(parent, journal, {
        model,
        ...(isLive ? {} : { approvals: { [id]: ada } }),
      });
      if (isLive) going.decide(id, ada);
      expect((await going).status).toBe("done");
      expect(decidedIn(journal, depth)).toEqual(expected);
    }
  });

  it("by nobody, and by an approver that fails", async () => {
    const one = tree(depth);
    one.held.open();
    await run(one.parent, "go", { model: one.model, journal: one.journal, unattended: "deny" });
    expect(decidedIn(one.journal, depth)).toMatchObject([{ approve: false, by: "nobody" }]);
    const two = tree(depth);
    two.held.open();
    const approve = () => Promise.reject(new Error("away"));
    await run(two.parent, "go", { model: two.model, journal: two.journal, approve });
    expect(decidedIn(two.journal, depth)).toEqual([
      {
        type: "approval.decided",
        id: "approval/0/0",
        approve: false,
        reason: "The approver failed: away",
      },
    ]);
  });
});
