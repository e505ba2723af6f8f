// A child's journal that somebody goes on with by itself, while its parent is live or is resumed: one of
// the two writes, the other is refused or reads what came of it, and nothing is done twice.
import { describe, expect, it } from "vitest";
import {
  type JournalPort,
  memoryJournal,
  type Observation,
  replay,
  resume,
  run,
} from "../../../../src/runtime/index.js";
import { approvalIn, familyOf, worker } from "../../../support/family.js";
import { eventsIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";
import { gate, settle } from "../../../support/watched-journal.js";

const CHILD = "tool/0/0/0";
const yes = { approve: true } as const;
const own = { "approval/0/0": yes };
const through = approvalIn([CHILD], "approval/0/0");

/** A parent with a tool that is held, and a child that asks before it pays. */
async function live() {
  const done: string[] = [];
  const held = gate();
  const paying = gate();
  const pay = { ...worker(done, "pay", { needsApproval: true }) };
  const { execute } = pay;
  const slow = {
    ...pay,
    execute: async (...args: Parameters<NonNullable<typeof execute>>) => {
      const paid = execute?.(...args);
      await paying.passed;
      return paid;
    },
  };
  const { parent, model } = familyOf({
    name: "parent",
    tools: [{ ...worker([], "hold"), execute: () => held.passed } as never],
    says: [{ calls: [{ name: "child", input: { prompt: "x" } }, { name: "hold" }] }, "done"],
    children: [
      { name: "child", tools: [slow as never], says: [{ calls: [{ name: "pay" }] }, "paid"] },
    ],
  });
  const journal = memoryJournal();
  const notices: string[] = [];
  const watch = (each: Observation): void => {
    if (each.type === "child") watch(each.observation);
    else if (each.type === "notice") notices.push(each.message);
  };
  const running = run(parent, "go", { model, journal, observers: [watch] });
  for (let i = 0; i < 3; i++) await settle();
  const child = journal.child?.(CHILD) as JournalPort;
  const reasoner = Object.values(parent.children)[0] as never;
  return { parent, reasoner, model, journal, child, running, done, held, paying, notices };
}

describe("a child at rest that is resumed by itself while its parent is live", () => {
  it("and ends there: the parent finds its end, and a decision that comes then is told of", async () => {
    const { parent, reasoner, model, journal, child, running, done, held, paying, notices } =
      await live();
    paying.open();
    expect((await resume(reasoner, child, { model, approvals: own })).status).toBe("done");
    running.decide(through, yes);
    held.open();
    expect((await running).status).toBe("done");
    expect(done).toHaveLength(1);
    expect(notices).toEqual([expect.stringContaining(JSON.stringify(through))]);
    const decided = (await eventsIn(child)).filter(
      ({ event }) => event.type === "approval.decided",
    );
    expect(decided).toHaveLength(1);
    for (const each of [journal, child]) {
      expect((await replay(parent, each)).status).toBe("identical");
    }
  });

  it("and is at work there: the parent's own decision is refused with the lock, nothing is done twice", async () => {
    const { parent, reasoner, model, journal, child, running, done, held, paying } = await live();
    const other = resume(reasoner, child, { model, approvals: own });
    await settle();
    expect(done).toHaveLength(1);
    running.decide(through, yes);
    held.open();
    expect((await rejection(running)).code).toBe("journal.locked");
    expect((await rejection(resume(parent, journal, { model }))).code).toBe("journal.locked");
    paying.open();
    expect((await other).status).toBe("done");
    expect((await resume(parent, journal, { model })).status).toBe("done");
    expect(done).toHaveLength(1);
    for (const each of [journal, child]) {
      expect((await replay(parent, each)).status).toBe("identical");
    }
  });

  it("where the parent is at work in it is refused itself", async () => {
    const { reasoner, model, child, running, done, held, paying } = await live();
    running.decide(through, yes);
    for (let i = 0; i < 3; i++) await settle();
    expect((await rejection(resume(reasoner, child, { model, approvals: own }))).code).toBe(
      "journal.locked",
    );
    paying.open();
    held.open();
    expect((await running).status).toBe("done");
    expect(done).toHaveLength(1);
  });
});
