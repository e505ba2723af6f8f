/** Forks and rewinds take along what the world said, never what a person decided (J11). */
import { describe, expect, test } from "vitest";
import { pairKey } from "../../../../src/core/kernel/vocabulary/index.js";
import { agent, resume, run, scriptedModel, tool } from "../../../../src/index.js";
import {
  type JournalPort,
  memoryJournal,
  replay,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { fork, rewind } from "../../../../src/time-travel/live/index.js";
import { approvalIn, calls, familyOf, runIdIn, worker } from "../../../support/family.js";
import { eventsIn } from "../../../support/journal-text.js";
import { gate, settle } from "../../../support/watched-journal.js";

const CHILD = "tool/0/0/0";
const WAITS = { status: "waiting", approvals: [{}] };

/** A clerk who pays when a person says so, and a host that counts payments. */
function paying(times = 1) {
  const paid: string[] = [];
  let open = times > 1;
  const pay = tool({
    name: "pay",
    needsApproval: true,
    async execute(_input, { idempotencyKey, signal }) {
      paid.push(idempotencyKey);
      if (!open) return "paid";
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    },
  });
  const payments = Array.from({ length: times }, () => ({ name: "pay" }));
  const clerk = agent({ name: "clerk", tools: [pay] });
  const model = scriptedModel(({ messages }) =>
    messages.length === 1 ? { calls: payments } : "All is paid.",
  );
  return {
    clerk,
    model,
    paid,
    finish: () => {
      open = false;
    },
  };
}

const yes = { "approval/0/0": { approve: true } };

describe("an approval that was open at the cut", () => {
  const ways = {
    fork: (journal: JournalPort) => fork(journal, { at: 1 }),
    rewind: (journal: JournalPort) => rewind(journal, { at: 1 }),
  };
  test.each(Object.entries(ways))("is open again after a %s", async (_way, cut) => {
    const { clerk, model, paid } = paying();
    const journal = memoryJournal("r");
    await run(clerk, "Pay", { model, journal, runId: "r" });
    expect(await resume(clerk, journal, { model, approvals: yes })).toMatchObject({
      status: "done",
    });
    const made = await cut(journal);
    expect(made.effects).toEqual([{ id: "tool/0/0", tool: "pay" }]);
    expect(made.undecided).toEqual([]);
    const { journal: forked } = made;
    expect(await resume(clerk, forked, { model })).toMatchObject(WAITS);
    expect(paid).toEqual(["r:tool/0/0"]);
    // A fork of the fork inherits no decision either, wherever that was made.
    await resume(clerk, forked, { model, approvals: { "approval/0/0": { approve: false } } });
    const again = await fork(forked, { at: 1 });
    expect(await resume(clerk, again.journal, { model })).toMatchObject(WAITS);
    expect(paid).toHaveLength(1);
  });

  test("may be decided with what is set, for this fork alone", async () => {
    const { clerk, model, paid } = paying();
    const journal = memoryJournal("r");
    await run(clerk, "Pay", { model, journal });
    const set = await fork(journal, { set: { "approval/0/0": true }, runId: "f" });
    const below = await fork(set.journal);
    expect(await resume(clerk, below.journal, { model })).toMatchObject(WAITS);
    expect(await resume(clerk, set.journal, { model })).toMatchObject({ status: "done" });
    expect(paid).toEqual(["f:tool/0/0"]);
    const after = await fork(set.journal, { at: set.from.seq });
    expect(await resume(clerk, after.journal, { model })).toMatchObject(WAITS);
  });

  test("in a child is open again, and the child's outcome is not inherited", async () => {
    const { parent, model } = familyOf({
      name: "boss",
      says: (_request, turn) => (turn === 0 ? calls("clerk") : "done"),
      children: [
        {
          name: "clerk",
          tools: [worker([], "pay", { needsApproval: true })],
          says: (_request, turn) => (turn === 0 ? calls("pay") : "paid"),
        },
      ],
    });
    const journal = memoryJournal("r");
    const clock = virtualClock(1_000);
    await run(parent, "go", { model, journal, clock });
    await clock.advance(1_000);
    const approvals = { [approvalIn([CHILD], "approval/0/0")]: { approve: true } };
    const end = await resume(parent, journal, { model, clock, approvals });
    expect(end).toMatchObject({ status: "done" });
    const made = await rewind(journal, { time: 1_999 }, { clock });
    expect(made.effects).toMatchObject([{ id: pairKey(CHILD, "tool/0/0"), tool: "pay" }]);
    expect(await resume(parent, made.journal, { model, clock })).toMatchObject(WAITS);
  });
});

describe("a call that was approved before the cut", () => {
  test("and had not begun there moves the cut to before the decision", async () => {
    const { clerk, model, paid, finish } = paying(2);
    const journal = memoryJournal("r");
    const waiting = await run(clerk, "Pay", { model, journal, runId: "r" });
    const approvals = Object.fromEntries(
      (waiting.status === "waiting" ? waiting.approvals : []).map(({ id }) => [
        id,
        { approve: true },
      ]),
    );
    expect(Object.keys(approvals)).toEqual(["approval/0/0", "approval/0/1"]);
    const live = resume(clerk, journal, { model, approvals, concurrency: 1 });
    for await (const { type } of live) if (type === "started") break;
    await live.drain(0);
    finish();
    const made = await fork(journal, { runId: "f" });
    expect(made.undecided).toEqual(["approval/0/1"]);
    const again = await resume(clerk, made.journal, { model });
    expect(again).toMatchObject({ status: "waiting", approvals: [{ id: "approval/0/1" }] });
    expect(paid).toEqual(["r:tool/0/0"]);
  });

  test("in a child, and had not begun there, moves the cut too: the child is asked again", async () => {
    const keys: string[] = [];
    const held = gate();
    const pay = worker(keys, "pay", { needsApproval: true });
    const { execute } = pay as unknown as { execute: (...args: unknown[]) => unknown };
    const slow = {
      ...pay,
      execute: (...args: unknown[]) => held.passed.then(() => execute(...args)),
    };
    const { parent, model } = familyOf({
      name: "boss",
      says: [calls("clerk"), "done"],
      children: [
        {
          name: "clerk",
          tools: [slow as never],
          says: [{ calls: [{ name: "pay" }, { name: "pay" }] }, "paid"],
        },
      ],
    });
    const journal = memoryJournal("r");
    await run(parent, "Pay", { model, journal, runId: "r" });
    const ids = ["approval/0/0", "approval/0/1"].map((id) => approvalIn([CHILD], id));
    const approvals = Object.fromEntries(ids.map((id) => [id, { approve: true }]));
    const live = resume(parent, journal, { model, approvals, concurrency: 1 });
    await settle();
    void live.drain(0);
    held.open();
    await live;
    const made = await fork(journal, { runId: "f" });
    expect([made.undecided, made.children]).toEqual([[ids[1]], [CHILD]]);
    const waiting = await resume(parent, made.journal, { model });
    expect(waiting).toMatchObject({ status: "waiting", approvals: [{ id: ids[1] }] });
    const asked = { [ids[1] as string]: { approve: false } };
    expect(await resume(parent, made.journal, { model, approvals: asked })).toMatchObject({
      status: "done",
    });
    expect(keys).toEqual([pairKey(runIdIn("r", [CHILD]), "tool/0/0")]);
    expect(await replay(parent, made.journal)).toMatchObject({ status: "identical" });
  });

  test("and began without an outcome is unknown, and not asked about again", async () => {
    const { clerk, model, paid } = paying();
    const journal = memoryJournal("r");
    await run(clerk, "Pay", { model, journal });
    await resume(clerk, journal, { model, approvals: yes });
    const lines: string[] = [];
    const text = new TextDecoder();
    for await (const bytes of journal.read())
      lines.push(...text.decode(bytes).trimEnd().split("\n"));
    const cutOff = memoryJournal("cut");
    const writer = await cutOff.open("create");
    const decided = lines.findIndex((line) => line.includes("approval.decided"));
    await writer.append(lines.slice(0, decided + 1), { lines: 0, bytes: 0 });
    await writer.close();
    const made = await fork(cutOff);
    expect(made.undecided).toEqual([]);
    const end = await resume(clerk, made.journal, { model });
    expect(end).toMatchObject({ status: "done" });
    const events = (await eventsIn(made.journal)).map(({ event }) => event);
    expect(events[0]).toMatchObject({ type: "tool.failed", id: "tool/0/0", reason: "unknown" });
    expect(paid).toHaveLength(1);
  });
});

test("a model call that failed is asked again", async () => {
  let fails = true;
  const model = scriptedModel(() => {
    if (fails) throw new Error("down");
    return "up again";
  });
  const clerk = agent({ name: "clerk" });
  const journal = memoryJournal("r");
  expect((await run(clerk, "go", { model, journal })).status).not.toBe("done");
  fails = false;
  const made = await fork(journal, { at: 0 });
  expect(await resume(clerk, made.journal, { model })).toMatchObject({ output: "up again" });
});

test("effects behind the cut are idempotent or not where the code is given", async () => {
  const look = tool({ name: "look", idempotent: true, execute: () => "seen" });
  const pay = tool({ name: "pay", execute: () => "paid" });
  const clerk = agent({ name: "clerk", tools: [look, pay] });
  const model = scriptedModel([{ calls: [{ name: "look" }, { name: "pay" }] }, "done"]);
  const journal = memoryJournal("r");
  await run(clerk, "go", { model, journal });
  const made = await rewind(journal, { at: 0 }, { reasoner: clerk });
  expect(made.effects).toEqual([
    { id: "tool/0/0", tool: "look", idempotent: true },
    { id: "tool/0/1", tool: "pay", idempotent: false },
  ]);
  expect((await fork(journal)).effects).toEqual([]);
});
