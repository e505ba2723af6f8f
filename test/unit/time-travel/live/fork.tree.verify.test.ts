/** Forks of trees: what of the children goes along, and how they go on behind the cut. */
import { describe, expect, test } from "vitest";
import { ofChild } from "../../../../src/core/journal/index.js";
import { pairKey } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  agent,
  agentTool,
  type ModelRequest,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { type JournalPort, virtualClock } from "../../../../src/runtime/index.js";
import { fork, rewind } from "../../../../src/time-travel/live/index.js";
import {
  approvalIn,
  calls,
  familyOf,
  type Member,
  pathOf,
  worker,
} from "../../../support/family.js";
import { eventsIn, textIn } from "../../../support/journal-text.js";
import { firstLines, journalOf } from "../../../support/tree-lines.js";

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
      expect(await eventsIn(again.journal)).toEqual([]);
      expect(await resume(parent, again.journal, { model })).toMatchObject({
        status: "waiting",
        approvals: [{ id: approvalIn([CHILD], "approval/0/0") }],
      });
    }
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
    const waiting = await run(deep.parent, "go", { ...host, journal, runId: "r" });
    expect(waiting.status).toBe("waiting");
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
      const waiting = await resume(twice.parent, forked, host);
      expect(waiting).toMatchObject({ status: "waiting", approvals: [{}] });
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
    const waiting = await resume(twice.parent, second.journal, host);
    expect(waiting).toMatchObject({ status: "waiting", approvals: [{}] });
  });

  test("is not answered where it has not, since a person was asked there", async () => {
    const journal = memoryJournal("r");
    await run(twice.parent, "go", { ...host, journal, runId: "r" });
    const first = await fork(journal, { runId: "f" });
    const second = await fork(first.journal, { runId: "g" });
    await goOn(journal, 0, true);
    await goOn(journal, 1, false);
    for (const each of [first, second]) {
      const waiting = await resume(twice.parent, each.journal, host);
      expect(waiting).toMatchObject({ status: "waiting", approvals: [{}] });
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
    const waiting = await resume(twice.parent, forked.journal, {
      ...now,
      approvals: decide(0, false),
    });
    expect(waiting).toMatchObject({ status: "waiting" });
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
    const at = (await eventsIn(journal)).findIndex(({ event }) => event.type === "cancel") - 1;
    const forked = await fork(journal, { at });
    expect(forked.children).toEqual(
      Array.from({ length: depth }, (_, i) => pathOf(...Array<string>(i + 1).fill(CHILD))),
    );
    const id = approvalIn(Array(depth).fill(CHILD), "approval/0/0");
    const end = await resume(parent, forked.journal, {
      model,
      clock,
      approvals: { [id]: { approve: true } },
    });
    expect(end).toMatchObject({ output: "paid" });
  });
});

test("a cut between a cancel and what follows from it goes on with that", async () => {
  const clock = virtualClock(1_000);
  const journal = memoryJournal("r");
  const deep = familyOf(treeOf(2));
  await run(deep.parent, "go", { model: deep.model, journal, clock, runId: "r" });
  const live = resume(deep.parent, journal, { model: deep.model, clock });
  live.cancel();
  await live;
  const events = await eventsIn(journal);
  const first = events.findIndex(({ event }) => event.type === "cancel");
  expect(events.slice(first)).toHaveLength(3);
  for (const at of [first, first + 1]) {
    const forked = await fork(journal, { at });
    const end = await resume(deep.parent, forked.journal, { model: deep.model });
    expect(end.status).toBe("cancelled");
    const own = await eventsIn(forked.journal);
    expect(own.map(({ run: path, event }) => [path, event])).toEqual(
      events.slice(at + 1).map(({ run: path, event }) => [path, event]),
    );
    expect(await replay(deep.parent, forked.journal)).toMatchObject({ status: "identical" });
  }
});

describe("a tree that is cut behind any event", () => {
  /** A boss with two clerks, of whom one has a clerk of his own; all work, and one asks. */
  const done: string[] = [];
  const work = worker(done, "work");
  const pay = worker(done, "pay", { needsApproval: true });
  const { parent, model } = familyOf({
    name: "boss",
    tools: [work],
    says: [calls("a", "b"), { calls: [{ name: "work" }] }, "all is done"],
    children: [
      {
        name: "a",
        says: [calls("below"), "a is through"],
        children: [
          {
            name: "below",
            tools: [work],
            says: [{ calls: [{ name: "work" }] }, "below is through"],
          },
        ],
      },
      { name: "b", tools: [pay], says: [{ calls: [{ name: "pay" }] }, "b is through"] },
    ],
  });
  const approve = () => ({ approve: true }) as const;

  test("goes on to the same, runs no tool again that had an outcome, and asks a person again", async () => {
    const journal = memoryJournal("r");
    const end = await run(parent, "go", { model, journal, runId: "r", approve });
    expect(end).toMatchObject({ status: "done", output: "all is done" });
    const events = await eventsIn(journal);
    const decided = events.find(({ event }) => event.type === "approval.decided")?.seq ?? 0;
    for (const { seq } of events) {
      done.length = 0;
      const asked: string[] = [];
      const forked = await fork(journal, { at: seq, limit: 99, runId: `f${seq}` });
      // A cut between a decision and what came of it is moved to before that decision.
      expect(forked.undecided.length === 0 || forked.from.seq === decided - 1).toBe(true);
      const again = await resume(parent, forked.journal, {
        model,
        approve: ({ id }) => {
          asked.push(id);
          return approve();
        },
      });
      const place = `cut behind event ${seq}`;
      expect([again.status, again.context], place).toEqual(["done", end.context]);
      const isAsked = forked.from.seq < decided && decided > 0;
      expect(asked, place).toEqual(isAsked ? [approvalIn(["tool/0/1/0"], "approval/0/0")] : []);
      expect(await replay(parent, forked.journal), place).toMatchObject({ status: "identical" });
      // Answers that the original got behind the cut are taken over, also for what only follows from them.
      const owed = await fork(forked.journal, { at: forked.from.seq, limit: 99 });
      expect(await resume(parent, owed.journal, { model, approve }), place).toMatchObject({
        status: "done",
        usage: end.usage,
      });
    }
  });

  test("comes to the same where its resume is killed behind any of its own lines", async () => {
    const journal = memoryJournal("r");
    const end = await run(parent, "go", { model, journal, runId: "r", approve });
    const events = await eventsIn(journal);
    const at = events.findIndex(({ event }) => event.type === "tool.succeeded") - 1;
    const forked = await fork(journal, { at, runId: "f" });
    await resume(parent, forked.journal, { model, approve });
    const whole = await textIn(forked.journal);
    const { length } = whole.split("\n").slice(0, -1);
    expect(length).toBeGreaterThan(8);
    for (let kept = 1; kept < length; kept++) {
      const copy = await journalOf(firstLines(whole, kept), "copy");
      const left = { ...copy, follow: () => journal };
      done.length = 0;
      const before = (await eventsIn(left)).flatMap(({ run: path = "", event }) => {
        if (!event.type.startsWith("tool.") || !("id" in event)) return [];
        return [pairKey(path === "" ? "f" : ofChild("f", path), event.id as string)];
      });
      const again = await resume(parent, left, { model, approve });
      expect([again.status, again.usage.requests], `behind line ${kept}`).toEqual([
        "done",
        end.usage.requests,
      ]);
      expect(done.filter((key) => before.includes(key))).toEqual([]);
      expect(await replay(parent, left)).toMatchObject({ status: "identical" });
    }
  });
});

describe("a fork of a tree that goes on under other code", () => {
  const family = (version: number) => {
    const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
    const child = agent({ name: "child", system: `child ${version}`, version, tools: [pay] });
    const ask = agentTool(child, { name: "ask" });
    return agent({ name: "parent", system: `parent ${version}`, version, tools: [ask] });
  };
  const words = scriptedModel(({ system = "", messages }) => {
    if (messages.some(({ role }) => role === "assistant")) return `${system} is done`;
    const isParent = system.startsWith("parent");
    return { calls: [{ name: isParent ? "ask" : "pay", input: isParent ? { prompt: "go" } : {} }] };
  });

  test("is upgraded with its children, and so is a fork of it", async () => {
    const journal = memoryJournal("r");
    await run(family(1), "go", { model: words, journal });
    const first = await fork(journal, { runId: "f" });
    const both = [family(2), family(1)];
    const waiting = await resume(both, first.journal, { model: words, upgrade: true });
    expect(waiting.status).toBe("waiting");
    const second = await fork(first.journal, { runId: "g" });
    const three = [family(3), family(2)];
    for (const [code, port, version] of [
      [both, first.journal, 2],
      [three, second.journal, 3],
    ] as const) {
      const end = await resume(code, port, { model: words, upgrade: true, approvals: yes });
      expect(end).toMatchObject({ status: "done", output: `parent ${version} is done` });
      expect(await replay([...code, family(1)], port)).toMatchObject({ status: "identical" });
    }
  });
});
