/** Forks of trees: whose the children's journals are, and how they go on behind the cut. */
import { describe, expect, test } from "vitest";
import {
  fold,
  type ModelRequest,
  memoryJournal,
  replay,
  resume,
  run,
} from "../../../../src/index.js";
import {
  diff,
  fork,
  type JournalPort,
  rewind,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { approvalIn, calls, familyOf, type Member, worker } from "../../../support/family.js";
import { eventsIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const CHILD = "tool/0/0/0";

const said = ({ messages }: ModelRequest) => JSON.stringify(messages.at(-1)?.content);

/** Agents below one another: the last one pays where it may, each says whether that was done. */
function treeOf(depth: number, name = "boss"): Member {
  const below = depth === 0 ? [] : [treeOf(depth - 1, `clerk${depth}`)];
  const tools = depth === 0 ? [worker([], "pay", { needsApproval: true })] : [];
  const first = depth === 0 ? { calls: [{ name: "pay" }] } : calls(`clerk${depth}`);
  const last = (request: ModelRequest) => (/paid|pay done/.test(said(request)) ? "paid" : "kept");
  return {
    name,
    tools,
    children: below,
    says: (request, turn) => (turn === 0 ? first : last(request)),
  };
}

/** A boss whose clerk waits to pay. */
const { parent, model } = familyOf(treeOf(1));

const yes = { [approvalIn([CHILD], "approval/0/0")]: { approve: true } };

async function waiting(runId = "r"): Promise<JournalPort> {
  const journal = memoryJournal(runId);
  expect((await run(parent, "go", { model, journal, runId })).status).toBe("waiting");
  return journal;
}

describe("another run's journal in the place of a child", () => {
  test("is not forked as if it were the child's, and nothing is left behind", async () => {
    const journal = await waiting();
    const alien = (await waiting()).child?.(CHILD) as JournalPort;
    const mixed = { ...journal, child: () => alien };
    const told = {
      code: "journal.child",
      place: CHILD,
      message: expect.stringContaining("belongs to another run with that id"),
    };
    const to = memoryJournal("to");
    expect(await rejection(fork(mixed, { to }))).toMatchObject(told);
    expect(await rejection(rewind(mixed, { at: 1 }))).toMatchObject(told);
    expect((await fork(journal, { to })).children).toEqual([CHILD]);
  });

  test("is not what two runs part by", async () => {
    const ended = async (yes: boolean) => {
      const journal = memoryJournal("r");
      const approve = () => ({ approve: yes });
      expect((await run(parent, "go", { model, journal, runId: "r", approve })).status).toBe(
        "done",
      );
      return journal;
    };
    const [a, b] = [await ended(true), await ended(false)];
    expect((await diff(a, b)).parting?.child?.parting).toMatchObject({ kind: "decision" });
    const mixed = { ...b, child: (id: string) => a.child?.(id) as JournalPort };
    const told = { code: "journal.child", place: CHILD };
    expect(await rejection(diff(a, mixed))).toMatchObject(told);
    expect(await rejection(diff(mixed, a))).toMatchObject(told);
  });
});

describe("a fork of a fork", () => {
  test("takes the fork's open children along, and not those that it was forked from", async () => {
    const journal = await waiting();
    const first = await fork(journal, { runId: "f" });
    // The original goes on, and says yes.
    expect(await resume(parent, journal, { model, approvals: yes })).toMatchObject({
      output: "paid",
    });
    for (const again of [
      await fork(first.journal, { runId: "g" }),
      await fork(first.journal, { runId: "h", at: first.from.seq }),
      await rewind(first.journal, { at: first.from.seq }),
    ]) {
      expect(again.children).toEqual([CHILD]);
      const child = again.journal.child?.(CHILD) as JournalPort;
      expect((await eventsIn(child)).length).toBe(0);
      expect((await fold(parent as never, child)).state?.status).toBe("active");
    }
  });
});

describe("a fork whose open child is gone", () => {
  test("is refused, and begins it no second time", async () => {
    const { journal } = await fork(await waiting(), { runId: "f" });
    const without = { ...journal, child: () => memoryJournal("gone") };
    const told = { code: "journal.child", place: CHILD };
    const open = (port: JournalPort) => resume(parent, port, { model, approvals: yes });
    expect(await rejection(open(without))).toMatchObject(told);
    expect(await open(journal)).toMatchObject({ output: "paid" });
  });
});

describe("a decision in a fork, about what the original decided later", () => {
  test("counts, however deep it is asked for", async () => {
    const clock = virtualClock(1_000);
    const journal = memoryJournal("r");
    const deep = familyOf(treeOf(3));
    const host = { model: deep.model, clock };
    const id = approvalIn([CHILD, CHILD, CHILD], "approval/0/0");
    const decide = (at: JournalPort, approve: boolean) =>
      resume(deep.parent, at, { ...host, approvals: { [id]: { approve } } });
    const rest = await run(deep.parent, "go", { ...host, journal, runId: "r" });
    expect(rest.status).toBe("waiting");
    const before = await fork(journal, { clock });
    await clock.advance(1_000);
    expect(await decide(journal, true)).toMatchObject({ output: "paid" });
    // Behind the start and the first answer the parent has nothing but its child's end.
    const rewound = await rewind(journal, { time: 1_999 }, { clock });
    expect(rewound.from).toEqual(before.from);
    for (const { journal: forked } of [before, rewound]) {
      expect(await decide(forked, false)).toMatchObject({ output: "kept" });
      expect(await replay(deep.parent, forked)).toMatchObject({ status: "identical" });
    }
    // Whoever decides nothing is asked: no decision goes along.
    const { journal: same } = await fork(before.journal, { at: before.from.seq });
    expect(await resume(deep.parent, same, host)).toMatchObject({ status: "waiting" });
  });
});

describe("a decision that is said to a fork before it goes on", () => {
  test.each([0, 2])("counts as one that resume is given, %i runs below", async (depth) => {
    const journal = memoryJournal("r");
    const deep = familyOf(treeOf(depth));
    const own = approvalIn(
      Array.from({ length: depth }, () => CHILD),
      "approval/0/0",
    );
    await run(deep.parent, "go", { model: deep.model, journal, runId: "r" });
    const forked = await fork(journal);
    const approvals = { [own]: { approve: true } };
    await resume(deep.parent, journal, { model: deep.model, approvals });
    const live = resume(deep.parent, forked.journal, { model: deep.model });
    live.decide(own, { approve: false });
    expect(await live).toMatchObject({ output: "kept" });
  });

  test("about what does not wait decides nothing", async () => {
    const journal = await waiting();
    const forked = await fork(journal);
    await resume(parent, journal, { model, approvals: yes });
    const live = resume(parent, forked.journal, { model });
    live.decide(approvalIn([CHILD], "approval/7/0"), { approve: false });
    expect(await live).toMatchObject({ status: "waiting", approvals: [{}] });
  });
});

describe("a child that has gone on in its fork", () => {
  /** A clerk who asks twice, and says what came of it. */
  const twice = familyOf({
    name: "boss",
    says: (request, turn) =>
      turn === 0 ? calls("middle") : `${/\w+ and \w+/.exec(said(request))?.[0]}`,
    children: [
      {
        name: "middle",
        says: (request, turn) =>
          turn === 0 ? calls("clerk") : `${/\w+ and \w+/.exec(said(request))?.[0]}`,
        children: [
          {
            name: "clerk",
            tools: [worker([], "pay", { needsApproval: true })],
            says: ({ messages }, turn) => {
              if (turn < 2) return { calls: [{ name: "pay" }] };
              const told = messages.slice(1).map(({ content }) => JSON.stringify(content));
              const paid = told.filter((_each, at) => at % 2 === 1);
              return paid
                .map((each) => (each.includes("pay done") ? "paid" : "kept"))
                .join(" and ");
            },
          },
        ],
      },
    ],
  });
  const decide = (turn: number, approve: boolean) => ({
    [approvalIn([CHILD, CHILD], `approval/${turn}/0`)]: { approve },
  });
  const host = { model: twice.model };
  const goOn = (journal: JournalPort, turn: number, approve: boolean) =>
    resume(twice.parent, journal, { ...host, approvals: decide(turn, approve) });

  test("is not answered from the original, in that fork or in one of it", async () => {
    const journal = memoryJournal("r");
    await run(twice.parent, "go", { ...host, journal, runId: "r" });
    const first = await fork(journal, { runId: "f" });
    await goOn(journal, 0, true);
    expect(await goOn(journal, 1, true)).toMatchObject({ output: "paid and paid" });
    expect((await goOn(first.journal, 0, false)).status).toBe("waiting");
    const second = await fork(first.journal, { runId: "g" });
    // Whoever only looks decides nothing.
    for (const { journal: forked } of [first, second]) {
      const rest = await resume(twice.parent, forked, host);
      expect(rest).toMatchObject({ status: "waiting", approvals: [{}] });
    }
    expect(await goOn(first.journal, 1, true)).toMatchObject({ output: "kept and paid" });
    expect(await goOn(second.journal, 1, false)).toMatchObject({ output: "kept and kept" });
  });

  test("is not either in a fork that is cut behind what its parent took there", async () => {
    const journal = memoryJournal("r");
    await run(twice.parent, "go", { ...host, journal, runId: "r" });
    const first = await fork(journal, { runId: "f" });
    await goOn(journal, 0, true);
    await goOn(journal, 1, true);
    await goOn(first.journal, 0, false);
    await resume(twice.parent, first.journal, { ...host, messages: ["And?"] });
    const second = await fork(first.journal, { runId: "g" });
    expect(second.from.runId).toBe("f");
    const rest = await resume(twice.parent, second.journal, host);
    expect(rest).toMatchObject({ status: "waiting", approvals: [{}] });
  });

  test("is not answered where it has not, since a person was asked there", async () => {
    const journal = memoryJournal("r");
    await run(twice.parent, "go", { ...host, journal, runId: "r" });
    const first = await fork(journal, { runId: "f" });
    const second = await fork(first.journal, { runId: "g" });
    await goOn(journal, 0, true);
    await goOn(journal, 1, false);
    for (const each of [first, second]) {
      const rest = await resume(twice.parent, each.journal, host);
      expect(rest).toMatchObject({ status: "waiting", approvals: [{}] });
    }
  });

  test("is forked as it was at the cut, where its parent has nothing behind that", async () => {
    const clock = virtualClock(1_000);
    const journal = memoryJournal("r");
    const now = { ...host, clock };
    await run(twice.parent, "go", { ...now, journal, runId: "r" });
    const at = (await eventsIn(journal)).length - 1;
    clock.advance(1_000);
    await resume(twice.parent, journal, { ...now, messages: ["And?"] });
    clock.advance(1_000);
    const yes = { ...now, approvals: decide(0, true) };
    expect((await resume(twice.parent, journal, yes)).status).toBe("waiting");
    const forked = await fork(journal, { at });
    const rest = await resume(twice.parent, forked.journal, {
      ...now,
      approvals: decide(0, false),
    });
    expect(rest).toMatchObject({ status: "waiting" });
    expect(await goOn(forked.journal, 1, true)).toMatchObject({ output: "kept and paid" });
  });
});

describe("a parent that is cancelled in the millisecond of the event before", () => {
  test.each([1, 3])("takes children %i deep into a fork as they were before", async (depth) => {
    const clock = virtualClock(1_000);
    const journal = memoryJournal("r");
    const { parent, model } = familyOf(treeOf(depth));
    await run(parent, "go", { model, journal, clock, runId: "r" });
    const live = resume(parent, journal, { model, clock });
    live.cancel();
    expect((await live).status).toBe("cancelled");
    const at = (await eventsIn(journal)).length - 2;
    const forked = await fork(journal, { at });
    expect(forked.children).toEqual([CHILD]);
    const id = approvalIn(Array(depth).fill(CHILD), "approval/0/0");
    const end = await resume(parent, forked.journal, {
      model,
      clock,
      approvals: { [id]: { approve: true } },
    });
    expect(end).toMatchObject({ output: "paid" });
  });
});
