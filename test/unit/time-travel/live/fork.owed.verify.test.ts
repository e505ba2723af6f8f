// What a fork owes from before its cut is answered by what its original got later; all else is its own.
import { describe, expect, it } from "vitest";
import { assign } from "xstate";
import { agent, agentTool, resume, run, scriptedModel, tool } from "../../../../src/index.js";
import {
  type JournalPort,
  type ModelPort,
  memoryJournal,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { fork } from "../../../../src/time-travel/live/index.js";
import { eventsIn, linesIn } from "../../../support/journal-text.js";
import { issue, smallReasoner, timer } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";
import { gate, killedAfter, settle, watchedJournal } from "../../../support/watched-journal.js";

const look = tool({ name: "look", execute: () => "seen" });
const clerk = (system: string) => agent({ name: "clerk", system, tools: [look] });
const settledIn = async (port: JournalPort) =>
  (await eventsIn(port)).flatMap(({ event }) => ("id" in event ? [[event.id, event.type]] : []));

/** A journal's first lines, without its snapshots, leading where it leads. */
async function cutOff(journal: JournalPort, lines?: number, leadsTo?: JournalPort) {
  const all = (await linesIn(journal)).length;
  const { snapshots: _, ...copy } = await killedAfter(journal, lines ?? all);
  if (leadsTo !== undefined) copy.link?.(leadsTo);
  return copy;
}

/** A run of two tools of which the second began behind the cut, as its process left it, and a fork. */
async function twoTools() {
  const calls: string[] = [];
  const paid = gate();
  const pay = (name: string, needsApproval: boolean) =>
    tool({
      name,
      needsApproval,
      execute: async () => {
        calls.push(name);
        if (name === "second") await paid.passed;
        return "paid";
      },
    });
  const payer = (needs = false) =>
    agent({
      name: "payer",
      system: `${needs}`,
      tools: [pay("first", needs), pay("second", needs)],
    });
  const model = scriptedModel([{ calls: [{ name: "first" }, { name: "second" }] }, "Done."]);
  const journal = watchedJournal();
  const live = run(payer(), "Pay", { model, journal, concurrency: 1 });
  await settle();
  const died = await cutOff(journal);
  paid.open();
  await live;
  expect(calls).toEqual(["first", "second"]);
  const forked = await fork(died, { at: 1 });
  return { calls, payer, model, forked };
}

it("a tool that began behind the cut, in a line of its own, is not begun again", async () => {
  const { calls, payer, model, forked } = await twoTools();
  await resume(payer(), forked.journal, { model });
  expect(calls).toEqual(["first", "second"]);
  expect((await settledIn(forked.journal)).slice(0, 2)).toEqual([
    ["tool/0/0", "tool.succeeded"],
    ["tool/0/1", "tool.failed"],
  ]);
});

it("nor is it under code that would have asked for something else at the cut", async () => {
  const { calls, payer, model, forked } = await twoTools();
  await resume([payer(true), payer()], forked.journal, { model, upgrade: true });
  expect(calls).toEqual(["first", "second"]);
});

it("what the fork began itself is not answered by another attempt, in a fork of it neither", async () => {
  const held = gate();
  const calls: string[] = [];
  const tools = ["slow", "pay"].map((name) =>
    tool({
      name,
      execute: async () => {
        calls.push(name);
        if (calls.length <= 2) await held.passed;
        return name;
      },
    }),
  );
  const payer = agent({ name: "payer", tools });
  const model = scriptedModel(({ messages }) =>
    messages.length === 1 ? { calls: [{ name: "slow" }, { name: "pay" }] } : "Done.",
  );
  const options = { model, concurrency: 1 };
  // It dies over the first tool, before the second begins; its fork dies over the second.
  const whole = memoryJournal("original");
  const live = run(payer, "Pay", { ...options, journal: whole });
  await settle();
  const original = await cutOff(whole);
  const forked = await fork(original);
  const going = resume(payer, forked.journal, options);
  await settle();
  going.send({ type: "message", content: "Well?" });
  await settle();
  const died = await cutOff(forked.journal, undefined, original);
  held.open();
  await Promise.all([live, going]);
  await resume(payer, original, options);
  expect(calls).toEqual(["slow", "pay", "pay", "pay"]);
  expect(await settledIn(original)).toContainEqual(["tool/0/1", "tool.succeeded"]);
  const again = await fork(died);
  for (const journal of [died, again.journal]) {
    await resume(payer, journal, options);
    expect(await settledIn(journal)).toContainEqual(["tool/0/1", "tool.failed"]);
  }
  expect(calls).toHaveLength(4);
});

it("what is owed is answered under another version, whose code folds nothing from before the cut", async () => {
  const of = (version: number) => agent({ name: "clerk", version, tools: [look] });
  const model = scriptedModel([{ calls: [{ name: "look" }] }, "Done."]);
  const journal = memoryJournal("original");
  await run(of(1), "go", { model, journal });
  const forked = await fork(await cutOff(journal), { at: 1 });
  const end = await resume([of(2), of(1)], forked.journal, { model, upgrade: true });
  expect(end).toMatchObject({ status: "done", output: "Done." });
  expect((await settledIn(forked.journal))[0]).toEqual(["tool/0/0", "tool.succeeded"]);
});

it("a fork that was upgraded goes on without the code of before, and without a snapshot", async () => {
  const of = (version: number) => agent({ name: "chat", version, conversation: true });
  const model = scriptedModel(["one", "two", "three"]);
  const journal = memoryJournal("original");
  await run(of(1), "go", { model, journal });
  const original = await cutOff(journal);
  const forked = await fork(original);
  const { snapshots: _, ...bare } = forked.journal;
  expect(await rejection(resume(of(2), bare, { model, upgrade: true }))).toMatchObject({
    code: "upgrade.refused",
    message: expect.stringMatching(
      /it shares with .* were taken by code .* pass that code as well, resume\(\[now, before\], …, \{ upgrade: true \}\)/,
    ),
  });
  await resume([of(2), of(1)], bare, { model, upgrade: true });
  const end = await resume(of(2), bare, { model, messages: ["more"] });
  expect(end).toMatchObject({ status: "waiting", output: "two" });
});

it("a run does not go on from one that only other code can tell, and says what to do", async () => {
  const of = (version: number) => agent({ name: "chat", version, conversation: true });
  const model = scriptedModel(["one", "two"]);
  const journal = memoryJournal("original");
  await run(of(1), "go", { model, journal });
  const from = await cutOff(journal);
  for (const other of [from, (await fork(from)).journal]) {
    const own = memoryJournal("next");
    own.link?.(other);
    const { snapshots: _, ...bare } = other as JournalPort;
    expect(await rejection(run(of(2), "on", { model, journal: own, from: bare }))).toMatchObject({
      code: "journal.link",
      message: expect.stringMatching(
        /events were taken by code that was not given, .* resume it once with the code that wrote it/,
      ),
    });
  }
});

it("a child whose answer is set comes to that, though it had ended before the cut", async () => {
  const seen = gate();
  const said = gate();
  const slow = tool({ name: "slow", execute: () => seen.passed });
  const child = agent({ name: "child", system: "child" });
  const boss = agent({ name: "boss", tools: [slow, agentTool(child, { name: "child" })] });
  const words = scriptedModel(({ system }, turn) => {
    if (system === "child") return "said";
    const both = [{ name: "child", input: { prompt: "go" } }, { name: "slow" }];
    return turn === 0 ? { calls: both } : "Done.";
  });
  const model: ModelPort = {
    ...words,
    async generate(request, call) {
      if (request.system === "child") await said.passed;
      return words.generate(request, call);
    },
  };
  const journal = memoryJournal("original");
  const live = run(boss, "go", { model, journal });
  await settle();
  seen.open();
  await settle();
  said.open();
  await live;
  const { children, ...forked } = await fork(journal, { set: { "tool/0/0/0": "set" } });
  expect([children, forked.retained]).toEqual([["tool/0/0/0"], 5]);
  // A fork of it is given what it was to be given, before it has gone on and behind that.
  const again = await fork(forked.journal);
  const { seq } = forked.from;
  const goesOn = async (port: JournalPort) => {
    const end = await resume(boss, port, { model: scriptedModel(() => "After.") });
    expect(end).toMatchObject({ status: "done", output: "After." });
    expect((await settledIn(port))[0]).toEqual(["tool/0/0/0", "run.succeeded"]);
  };
  for (const each of [forked, again]) await goesOn(each.journal);
  await goesOn((await fork(forked.journal, { at: seq })).journal);
});

it("what is owed is answered also where the fork goes on under another configuration", async () => {
  const model = scriptedModel([{ calls: [{ name: "look" }] }, "Done."]);
  const journal = memoryJournal("original");
  await run(clerk("old"), "go", { model, journal });
  const bare = await cutOff(journal);
  const forked = await fork(bare, { at: 1 });
  const both = [clerk("new"), clerk("old")];
  const end = await resume(both, forked.journal, { model, upgrade: true });
  expect(end).toMatchObject({ status: "done", output: "Done." });
  expect((await settledIn(forked.journal))[0]).toEqual(["tool/0/0", "tool.succeeded"]);
});

it("what a fork asks itself is not answered by what its original was told under the same id", async () => {
  const says = (text: string) => scriptedModel([{ calls: [{ name: "look" }] }, text, text]);
  const journal = memoryJournal("original");
  await run(clerk("s"), "go", { model: says("The original's."), journal });
  const forked = await fork(journal, { set: { "tool/0/0": "something else" } });
  await resume(clerk("s"), forked.journal, { model: says("The fork's.") });
  // Behind the answer that was set the model was asked, and the process died.
  const died = await cutOff(forked.journal, 2, journal);
  expect(await settledIn(died)).toEqual([["tool/0/0", "tool.succeeded"]]);
  const end = await resume(clerk("s"), died, { model: says("Asked anew.") });
  expect(end).toMatchObject({ status: "done", output: "Asked anew." });
});

it("each original is read as often for a fork of forks as for the first of them", async () => {
  const names = ["a", "b", "c", "d"];
  const tools = names.map((name) => tool({ name, execute: () => `${name} is done` }));
  const boss = agent({ name: "boss", tools });
  const calls = names.map((name) => ({ name }));
  const options = () => ({ model: scriptedModel([{ calls }, "Done."]), concurrency: 1 });
  const root = memoryJournal("root");
  await run(boss, "go", { ...options(), journal: root });
  let reads = 0;
  const counted: JournalPort = {
    ...(await cutOff(root, 4)),
    read(from) {
      reads += 1;
      return root.read(from);
    },
  };
  const timesRead: number[] = [];
  let last = counted;
  for (const [level, name] of names.slice(1).entries()) {
    const forked = await fork(last, { at: level + 1, name });
    reads = 0;
    await resume(boss, forked.journal, options());
    timesRead.push(reads);
    // What the root was told behind its cut answers what no fork on the way was told before its own.
    expect((await settledIn(forked.journal))[0]).toEqual([`tool/0/${level}`, "tool.succeeded"]);
    last = await cutOff(forked.journal, 2, last);
  }
  expect(timesRead[2]).toBe(timesRead[0]);
});

describe("a timer that went off in the original behind the cut", () => {
  const says = (output: string) => ({ target: "over", actions: assign({ output }) });
  const late = smallReasoner({
    initial: "waits",
    states: {
      waits: {
        entry: issue(timer("t", 2_000), { type: "approval", id: "ok", title: "?", subject: null }),
        on: { "approval.decided": says("Paid."), "timer.fired": says("Too late.") },
      },
      over: { type: "final" },
    },
  } as never);
  const approvals = { ok: { approve: true } };

  /** A run whose time was up before anybody said yes, forked where it waited. */
  async function forkedAgain(set: object = {}) {
    const clock = virtualClock(1_000);
    const journal = memoryJournal("original");
    const first = await run(late, "go", { journal, clock, timers: "return" });
    expect(first.status).toBe("waiting");
    clock.advance(5_000);
    const end = await resume(late, journal, { clock });
    expect(end).toMatchObject({ output: "Too late." });
    return fork(journal, { at: 0, ...set });
  }
  const goOn = async (journal: JournalPort, now: number, more: object) =>
    resume(late, journal, { clock: virtualClock(now), timers: "return", ...more });

  it("has not yet where the fork goes on at an earlier time", async () => {
    const { journal } = await forkedAgain();
    expect((await goOn(journal, 1_100, {})).status).toBe("waiting");
    expect(await goOn(journal, 1_200, { approvals })).toMatchObject({ output: "Paid." });
    const other = await forkedAgain();
    expect((await goOn(other.journal, 3_000, {})).status).toBe("done");
    const [fired] = await eventsIn(other.journal);
    expect(fired?.event).toMatchObject({ type: "timer.fired", at: 3_000 });
  });

  it("has not yet in a fork of a fork in which it went off, either", async () => {
    const { journal } = await forkedAgain();
    expect(await goOn(journal, 9_000, {})).toMatchObject({ output: "Too late." });
    const early = await fork(journal, { at: 0 });
    expect(await goOn(early.journal, 1_200, { approvals })).toMatchObject({ output: "Paid." });
    const later = await fork(journal, { at: 0 });
    expect(await goOn(later.journal, 9_000, {})).toMatchObject({ output: "Too late." });
    expect((await eventsIn(later.journal))[0]?.event).toMatchObject({ at: 6_000 });
  });

  it("did at its time where the fork goes on later", async () => {
    const { journal } = await forkedAgain();
    expect(await goOn(journal, 9_000, {})).toMatchObject({ output: "Too late." });
    const [fired] = await eventsIn(journal);
    expect(fired?.event).toMatchObject({ type: "timer.fired", at: 6_000 });
  });

  it.each([1_100, 10])("goes off at the cut where it is set, at %i too", async (now) => {
    const { journal } = await forkedAgain({ at: undefined, set: { t: null } });
    const again = await fork(journal, { at: 0 });
    for (const port of [journal, again.journal]) {
      expect(await goOn(port, now, {})).toMatchObject({ output: "Too late." });
      const [fired] = await eventsIn(port);
      expect(fired?.event).toMatchObject({ type: "timer.fired", at: 1_000 });
    }
  });
});
