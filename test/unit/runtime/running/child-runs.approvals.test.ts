// Approvals of children, and of their children: listed with the parent, decided through the parent, and
// recorded with who decided, whichever way it comes.

import { describe, expect, it } from "vitest";
import { pairKey } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  type End,
  type HostOptions,
  type Observation,
  replay,
  resume,
  run,
  type Waiting,
} from "../../../../src/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { resultsOf } from "../../../support/agent-events.js";
import {
  approvalIn,
  calls,
  familyOf,
  lineOf,
  type Member,
  pathOf,
  runIdIn,
  worker,
} from "../../../support/family.js";
import { rejection } from "../../../support/thrown.js";
import { eventsOf, textOf } from "../../../support/tree-lines.js";
import { gate, settle } from "../../../support/watched-journal.js";

const yes = { approve: true } as const;

/** An agent that asks before it pays. */
function payer(name: string, done: string[]): Member {
  const pay = worker(done, "pay", { needsApproval: true });
  return { name, tools: [pay], says: [{ calls: [{ name: "pay" }] }, `${name} paid`] };
}

function idsOf(end: End): readonly string[] {
  expect(end.status).toBe("waiting");
  return (end as Waiting<unknown, unknown>).approvals.map(({ id }) => id);
}

async function restingLine(depth: number) {
  const done: string[] = [];
  const family = familyOf(lineOf(depth, [worker(done, "pay", { needsApproval: true })]));
  const journal = textJournal("");
  const host = { model: family.model };
  const end = await run(family.parent, "go", { ...host, journal, runId: "r" });
  return { ...family, done, journal, host, end };
}

describe("an approval of a child", () => {
  it("counts what waiting children have spent, before any settlement says it", async () => {
    const { parent, journal, host, end } = await restingLine(2);
    // One request each: the parent's, its child's, and that child's child's.
    expect(end.usage.requests).toBe(3);
    expect((await resume(parent, journal, host)).usage).toEqual(end.usage);
    const [id = ""] = idsOf(end);
    const after = await resume(parent, journal, { ...host, approvals: { [id]: yes } });
    expect([after.status, after.usage.requests]).toEqual(["done", 6]);
  });

  for (const depth of [1, 2, 3]) {
    it(`${depth} deep is listed with the parent and decided through it`, async () => {
      const { parent, done, journal, host, end } = await restingLine(depth);
      const id = approvalIn(Array(depth).fill("tool/0/0/0"), "approval/0/0");
      expect(idsOf(end)).toEqual([id]);
      expect(await resume(parent, journal, host).then(idsOf)).toEqual([id]);
      expect(done).toEqual([]);
      const after = await resume(parent, journal, { ...host, approvals: { [id]: yes } });
      expect(after).toMatchObject({ status: "done", output: "0 done" });
      expect(done).toEqual([pairKey(runIdIn("r", Array(depth).fill("tool/0/0/0")), "tool/0/0")]);
      expect((await replay(parent, journal)).status).toBe("identical");
    });
  }

  it("can be denied, or approved with other arguments", async () => {
    const { parent, done, journal, host, end } = await restingLine(1);
    const [id = ""] = idsOf(end);
    const approvals = { [id]: { approve: false, reason: "too dear" } };
    expect((await resume(parent, journal, { ...host, approvals })).status).toBe("done");
    expect(done).toEqual([]);
    expect(textOf(journal.text, "tool/0/0/0")).toContain("too dear");
  });

  it("of a wrong id, a second and a late one are refused: nothing runs, no byte is written", async () => {
    const { parent, done, journal, host, end } = await restingLine(2);
    const [id = ""] = idsOf(end);
    const refused = async (...ids: readonly string[]) => {
      const before = journal.text;
      const approvals = Object.fromEntries(ids.map((each) => [each, yes]));
      const thrown = await rejection(resume(parent, journal, { ...host, approvals }));
      expect(thrown).toMatchObject({ code: "approval.stale", place: ids.at(-1) });
      expect(thrown).toHaveProperty("message", expect.stringContaining(`"${ids.at(-1)}"`));
      expect(journal.text).toBe(before);
    };
    for (const wrong of [
      "approval/0/0",
      "tool/0/0/0:approval/0/0",
      approvalIn(["tool/0/0/0", "tool/0/0/0"], "approval/0/1"),
      "tool/0/0/1:approval/0/0",
      "tool/0/0/0/tool/0/0/0/",
      "tool/0/0/0/",
      "tool/0/0/0",
    ]) {
      await refused(wrong);
      await refused(id, wrong);
    }
    expect(done).toEqual([]);
    await resume(parent, journal, { ...host, approvals: { [id]: yes } });
    expect(done).toHaveLength(1);
    await refused(id);
  });

  it("waits beside the parent's own, and both can be decided, together or one after the other", async () => {
    const done: string[] = [];
    const { parent, model } = familyOf({
      name: "parent",
      tools: [worker(done, "own", { needsApproval: true })],
      children: [payer("a", done), payer("b", done)],
      says: [{ calls: ["b", "own", "a"].map((name) => ({ name, input: { prompt: "x" } })) }, "ok"],
    });
    const ids = ["approval/0/1", "tool/0/0/0:approval/0/0", "tool/0/2/0:approval/0/0"];
    for (const order of [ids, [...ids].reverse()]) {
      done.length = 0;
      const journal = textJournal("");
      const host = { model, journal };
      let end: End = await run(parent, "go", { ...host, runId: "r" });
      expect(idsOf(end)).toEqual(ids);
      for (const [i, id] of order.entries()) {
        expect(done).toHaveLength(i);
        end = await resume(parent, journal, { model, approvals: { [id]: yes } });
      }
      expect(end).toMatchObject({ status: "done", output: "ok" });
      const both = textJournal("");
      await run(parent, "go", { model, journal: both, runId: "r" });
      const approvals = Object.fromEntries(order.map((id) => [id, yes]));
      expect((await resume(parent, both, { model, approvals })).status).toBe("done");
      expect(done).toHaveLength(6);
    }
  });

  it("is seen by an approver, with the id that it has through the parent", async () => {
    const done: string[] = [];
    const { parent, model } = familyOf(lineOf(2, [worker(done, "pay", { needsApproval: true })]));
    const asked: string[] = [];
    const approve: HostOptions["approve"] = ({ id }) => {
      asked.push(id);
      return yes;
    };
    expect((await run(parent, "go", { model, approve })).status).toBe("done");
    expect(asked).toEqual([approvalIn(["tool/0/0/0", "tool/0/0/0"], "approval/0/0")]);
    expect(done).toHaveLength(1);
  });

  it("is denied where nobody is there and there is no journal", async () => {
    const done: string[] = [];
    const { parent, model } = familyOf(lineOf(2, [worker(done, "pay", { needsApproval: true })]));
    expect((await run(parent, "go", { model })).status).toBe("done");
    expect(done).toEqual([]);
  });
});

describe("a live run", () => {
  /** A parent with a child that asks, and a tool of its own that runs until it is told to end. */
  function busy(depth: number) {
    const done: string[] = [];
    const held = gate();
    const own = worker(done, "own", {});
    const hold = { ...own, name: "hold", schema: { ...own.schema, name: "hold" } };
    const waits = { ...hold, execute: () => held.passed };
    const line = lineOf(depth, [worker(done, "pay", { needsApproval: true })]);
    const { parent, model } = familyOf({
      ...line,
      tools: [waits],
      says: [
        { calls: [{ name: "level1", input: { prompt: "x" } }, { name: "hold" }] },
        "both are through",
      ],
    });
    const journal = textJournal("");
    const seen: Observation[] = [];
    const observers = [(each: Observation) => void seen.push(each)];
    const live = run(parent, "go", { model, journal, runId: "r", observers });
    return { parent, model, done, held, journal, live, seen };
  }

  for (const depth of [1, 2, 3]) {
    it(`decides for a waiting child, ${depth} deep, while a sibling still runs`, async () => {
      const { done, held, live, journal, parent } = busy(depth);
      await settle();
      await settle();
      const id = approvalIn(Array(depth).fill("tool/0/0/0"), "approval/0/0");
      live.decide(id, yes);
      await settle();
      await settle();
      expect(done).toEqual([pairKey(runIdIn("r", Array(depth).fill("tool/0/0/0")), "tool/0/0")]);
      // A second decision is refused and changes nothing.
      expect((await rejection(live.decide(id, { approve: false }))).code).toBe("approval.stale");
      held.open();
      const end = await live;
      expect(end).toMatchObject({ status: "done", output: "both are through" });
      expect(done).toHaveLength(1);
      expect((await replay(parent, journal)).status).toBe("identical");
    });
  }

  it("refuses a decision for a waiting child that names none of its approvals", async () => {
    const { done, held, live, journal } = busy(1);
    await settle();
    const before = journal.text;
    for (const id of [
      "tool/0/0/0:approval/9/9",
      "tool/0/7/0:approval/0/0",
      "x:y:z",
      "approval/0/0",
    ]) {
      expect((await rejection(live.decide(id, yes))).code).toBe("approval.stale");
    }
    expect((await rejection(live.decide("tool/0/0/0:approval/0/0", {} as never))).code).toBe(
      "event.invalid",
    );
    await settle();
    expect(journal.text).toBe(before);
    held.open();
    expect(idsOf(await live)).toEqual(["tool/0/0/0:approval/0/0"]);
    expect(done).toEqual([]);
  });

  it("takes two decisions for one child at once, also right after a resume", async () => {
    const done: string[] = [];
    const pay = worker(done, "pay", { needsApproval: true });
    const says: Member["says"] = [{ calls: [{ name: "pay" }, { name: "pay" }] }, "paid"];
    const { parent, model } = familyOf({
      name: "parent",
      says: [calls("child"), "done"],
      children: [{ name: "child", tools: [pay], says }],
    });
    const journal = textJournal("");
    const ids = idsOf(await run(parent, "go", { model, journal }));
    const approvals = Object.fromEntries(ids.map((id) => [id, yes]));
    expect(ids).toEqual(["tool/0/0/0:approval/0/0", "tool/0/0/0:approval/0/1"]);
    const copy = textJournal(journal.text);
    const live = resume(parent, journal, { model });
    for (const id of ids) live.decide(id, yes);
    const end = await live;
    expect(end.status).toBe("done");
    expect(resultsOf(end.context)).toEqual(["paid"]);
    expect((await resume(parent, copy, { model, approvals })).status).toBe("done");
    expect(done).toHaveLength(4);
  });
});

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

/** The decision as the innermost run took it, without its time. */
function decidedIn(journal: ReturnType<typeof textJournal>, depth: number): unknown {
  const events = eventsOf(journal.text, pathOf(...Array<string>(depth).fill(CHILD)));
  return events.flatMap(({ at: _at, ...event }) =>
    event.type === "approval.decided" ? [event] : [],
  );
}

describe.each([0, 1, 2])("who decided, %i deep, is recorded", (depth) => {
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
