// Decisions in children, at any moment: each counts or is refused, and whoever gave it can read which, by the id
// that was given, and which approvals wait instead.
import { describe, expect, it } from "vitest";
import {
  type HostOptions,
  type Observation,
  replay,
  resume,
  run,
} from "../../../../src/runtime/index.js";
import { type TextJournal, textJournal } from "../../../../src/testing/index.js";
import {
  approvalIn,
  calls,
  familyOf,
  lineOf,
  type Member,
  worker,
} from "../../../support/family.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";
import { eventsOf, firstLines } from "../../../support/tree-lines.js";
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

describe("decisions for a waiting child", () => {
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
        expect((await rejection(live.decide(first, { approve: false }))).code).toBe(
          "approval.stale",
        );
      }
      live.decide(second, { approve: false });
      for (let i = 0; i <= depth; i++) await settle();
      expect((await rejection(live.decide(first, yes))).code).toBe("approval.stale");
      held.open();
      expect((await live).status).toBe("done");
      expect(done).toHaveLength(1);
    },
  );

  it("and a cancel right behind one: the child takes it, and what it allowed does not begin", async () => {
    const { parent, model, journal, ids, done, seen, observers } = asking(1, 2);
    const live = run(parent, "go", { model, journal, observers });
    await settle();
    await settle();
    live.decide(ids[0] ?? "", yes);
    live.cancel();
    expect((await live).status).toBe("cancelled");
    expect(eventsOf(journal.text, CHILD).slice(-2)).toMatchObject([
      { type: "approval.decided", id: "approval/0/0", approve: true },
      { type: "cancel" },
    ]);
    expect([seen, done]).toEqual([[], []]);
  });
});

it("a decision for a child of a run that is drained is taken, and nothing begins by it here", async () => {
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
  expect([done, seen]).toEqual([[], []]);
  expect(await resume(parent, journal, { model })).toMatchObject({ status: "done" });
  expect(done).toHaveLength(1);
});

const NEVER = "it was decided before, or never asked for";
const deep = approvalIn([CHILD, CHILD], "approval/0/0");

/** The reason with which a decision does not count. */
const stale = (id: string, why: string, waits?: string) =>
  `No approval ${JSON.stringify(id)} is waiting: ${why}${waits === undefined ? "" : `; the run waits for ${waits}`}. Nothing was run.`;

/** Three levels, the last of which asks before it pays. */
async function line() {
  const family = familyOf(lineOf(2, [worker([], "pay", { needsApproval: true })]));
  const journal = textJournal("");
  expect((await run(family.parent, "go", { model: family.model, journal })).status).toBe("waiting");
  return { ...family, journal };
}

/** A parent whose first child is through, and whose second one asks. */
async function oneThrough() {
  const pay = worker([], "pay", { needsApproval: true });
  const family = familyOf({
    name: "parent",
    says: [calls("first"), calls("second"), "done"],
    children: [
      { name: "first", says: ["through"] },
      { name: "second", tools: [pay], says: [{ calls: [{ name: "pay" }] }, "paid"] },
    ],
  });
  const journal = textJournal("");
  await run(family.parent, "go", { model: family.model, journal });
  return { ...family, journal };
}

type Told = Pick<ReturnType<typeof asking>, "parent"> & { readonly journal: TextJournal } & Pick<
    HostOptions,
    "model"
  >;

/** The reasons with which a resume with this decision, and the same decision live, are refused. */
async function refused({ parent, journal, model }: Told, id: string) {
  const before = journal.text;
  const error = await rejection(resume(parent, journal, { model, approvals: { [id]: yes } }));
  expect(error).toMatchObject({ code: "approval.stale", place: id });
  expect(journal.text).toBe(before);
  const approve = () => new Promise<never>(() => {});
  const live = resume(parent, textJournal(before), { model, approve });
  for (let i = 0; i < 3; i++) await settle();
  const said = await rejection(live.decide(id, yes));
  expect(said).toMatchObject({ code: "approval.stale", place: id });
  live.cancel();
  await live;
  return { resumed: error.message, live: said.message };
}

describe("a decision that nobody waits for", () => {
  it.each(["approval/0/0", `${CHILD}:approval/0/0`, approvalIn([CHILD, CHILD], "approval/9/9")])(
    "(%s) is told what waits in a child of a child",
    async (id) => {
      const told = stale(id, NEVER, deep);
      expect(await refused(await line(), id)).toEqual({ resumed: told, live: told });
    },
  );

  it("in a child that is done is told that it is over", async () => {
    const id = `${CHILD}:approval/0/0`;
    const told = stale(id, "its child run is over", "tool/1/0/0:approval/0/0");
    expect(await refused(await oneThrough(), id)).toEqual({ resumed: told, live: told });
  });

  it("in a child of a child that is done is told that it is over", async () => {
    const id = approvalIn([CHILD, CHILD], "approval/0/0");
    const told = stale(id, "its child run is over", "tool/1/0/0:approval/0/0");
    expect(await refused(await oneThrough(), id)).toEqual({ resumed: told, live: told });
  });

  it("in a child that there never was is told so", async () => {
    const id = "tool/7/0/0:approval/0/0";
    const told = stale(id, "there is no such child run", "tool/1/0/0:approval/0/0");
    expect(await refused(await oneThrough(), id)).toEqual({ resumed: told, live: told });
  });

  it("in a child that has not begun is told so", async () => {
    const child = smallReasoner({ initial: "a", states: { a: {} } });
    const parent = smallReasoner(
      {
        initial: "a",
        states: {
          a: {
            entry: issue(
              { type: "approval", id: "p:1", title: "p", subject: null },
              { type: "run", id: "c", reasoner: "child", input: null },
            ),
          },
        },
      },
      { children: { child } },
    );
    const journal = textJournal("");
    await run(parent, null, { journal });
    // The process ended right behind the line of the start.
    const left = textJournal(firstLines(journal.text, 2));
    const error = await rejection(resume(parent, left, { approvals: { "c:x": yes } }));
    expect(error.message).toBe(stale("c:x", "its child run has not begun", "p%3a1"));
  });
});

it("a decision that shows later not to count is told of by the id that was given", async () => {
  const { parent, model, journal } = await line();
  const seen: string[] = [];
  const watch = (each: Observation): void => {
    if (each.type === "child") watch(each.observation);
    else if (each.type === "notice") seen.push(each.message);
  };
  const live = resume(parent, journal, { model, observers: [watch] });
  const ids = ["approval/0/0", "nobody:x", approvalIn([CHILD, CHILD], "approval/9/9")];
  for (const id of ids) live.decide(id, yes);
  expect((await live).status).toBe("waiting");
  expect(seen).toEqual([
    stale("approval/0/0", NEVER, deep),
    stale("nobody:x", "there is no such child run", deep),
    stale(ids[2] as string, NEVER, deep),
  ]);
});
