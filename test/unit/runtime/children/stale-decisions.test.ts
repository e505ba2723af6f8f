// A decision that does not count in a tree of runs: who gave it is told why, by the id that was given,
// and which approvals wait instead, wherever in the tree they do.
import { describe, expect, it } from "vitest";
import { type HostOptions, type Observation, resume, run } from "../../../../src/runtime/index.js";
import { type TextJournal, textJournal } from "../../../../src/testing/index.js";
import { approvalIn, calls, familyOf, lineOf, worker } from "../../../support/family.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { refusal, rejection } from "../../../support/thrown.js";
import { settle } from "../../../support/watched-journal.js";

const yes = { approve: true } as const;
const CHILD = "tool/0/0/0";
const NEVER = "it was decided before, or never asked for";
const deep = approvalIn([CHILD, CHILD], "approval/0/0");

/** What is said of a decision that does not count. */
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

type Told = { readonly parent: Parameters<typeof resume>[0]; readonly journal: TextJournal } & Pick<
  HostOptions,
  "model"
>;

/** What a resume with this decision is refused with, and the same decision live. */
async function refused({ parent, journal, model }: Told, id: string) {
  const before = new Map(journal.texts);
  const error = await rejection(resume(parent, journal, { model, approvals: { [id]: yes } }));
  expect(error).toMatchObject({ code: "approval.stale", place: id });
  expect(journal.texts).toEqual(before);
  const approve = () => new Promise<never>(() => {});
  const live = resume(parent, textJournal(before), { model, approve });
  for (let i = 0; i < 3; i++) await settle();
  const said = refusal(() => live.decide(id, yes));
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
    const lines = (journal.texts.get("") ?? "").split("\n").slice(0, 2);
    const left = textJournal(`${lines.join("\n")}\n`);
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
