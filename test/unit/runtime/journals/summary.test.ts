// What a run is, told from its lines: without its code.
import { describe, expect, it } from "vitest";
import { agent, memoryJournal, resume, run, scriptedModel, tool } from "../../../../src/index.js";
import { assign, defineReasoner, setupReasoner } from "../../../../src/kernel.js";
import { fold, headerOf, type JournalPort, summaryOf } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { textIn } from "../../../support/journal-text.js";
import { watchedJournal } from "../../../support/watched-journal.js";

const pay = tool({
  name: "pay",
  description: "Pays.",
  needsApproval: true,
  execute: () => "paid",
});
const clerk = agent({ name: "clerk", tools: [pay] });
const pays = () => scriptedModel([{ calls: [{ name: "pay" }] }, "Paid."]);

describe("a summary", () => {
  it("says what a run waits for, and by which id it is decided", async () => {
    const journal = memoryJournal();
    const end = await run(clerk, "Pay the bill", { model: pays(), journal, runId: "r" });
    const summary = await summaryOf(journal);
    expect(summary).toMatchObject({
      runId: "r",
      reasoner: "clerk",
      status: "waiting",
      title: "Pay the bill",
      events: end.events,
      timers: 0,
      children: [],
      usage: { requests: 1 },
    });
    expect(end.status === "waiting" && end.approvals.map(({ id }) => id)).toEqual(
      summary.approvals.map(({ id }) => id),
    );
    expect(summary.approvals[0]?.title).toContain("pay");
    expect((await headerOf(journal)).runId).toBe("r");
  });

  it("of a run that is over is its end", async () => {
    const journal = memoryJournal();
    const model = pays();
    await run(clerk, { prompt: "Pay" }, { model, journal });
    await resume(clerk, journal, {
      model,
      approvals: { "approval/0/0": { approve: true } },
    });
    expect(await summaryOf(journal)).toMatchObject({ status: "done", title: "Pay", approvals: [] });
  });

  it("of a conversation that rests", async () => {
    const journal = memoryJournal();
    const talker = agent({ name: "talker", conversation: true });
    await run(talker, "Hello", { model: scriptedModel(["Hello."]), journal });
    expect(await summaryOf(journal)).toMatchObject({ status: "resting", events: 2 });
  });

  it("of a run whose process died: something is under way, and a torn line is told of", async () => {
    const journal = memoryJournal();
    await run(clerk, "Pay the bill", { model: pays(), journal });
    const [header = "", start = ""] = (await textIn(journal)).split("\n");
    const torn = textJournal(`${header}\n${start}\n{"seq":`);
    const died = await summaryOf(torn);
    expect(await fold(clerk, torn)).toMatchObject({ events: 1, torn: true });
    expect(await fold(clerk, journal)).toMatchObject({ torn: false });
    expect(died).toMatchObject({ status: "open", events: 1, torn: 7 });
    expect(died).not.toHaveProperty("usage");
    expect(await summaryOf(textJournal(`${header}\n`))).toMatchObject({
      status: "open",
      events: 0,
    });
  });

  it("of a machine that waits for a timer, and has no text to be called by", async () => {
    const { createMachine } = setupReasoner<{ n: number }, { n: number }>();
    const machine = createMachine({
      context: ({ input: { input } }) => input,
      initial: "a",
      states: {
        a: {
          entry: { type: "issue", params: { type: "timer", id: "later", until: 9e14 } },
          on: { "timer.fired": { target: "b", actions: assign({ n: () => 1 }) } },
        },
        b: { type: "final" },
      },
    });
    const reasoner = defineReasoner<{ n: number }, number, { n: number }>({
      id: "timed",
      machine,
      output: ({ n }) => n,
    });
    const journal = memoryJournal();
    await run(reasoner, { n: 0 }, { journal, timers: "rest" });
    const summary = await summaryOf(journal);
    expect(summary).toMatchObject({ status: "waiting", timers: 1 });
    expect(summary).not.toHaveProperty("title");
  });

  it("has what was spent where a snapshot says so that is of this run, this code and this event", async () => {
    const journal = watchedJournal();
    const end = await run(clerk, "Pay the bill", { model: pays(), journal });
    const seq = end.events - 1;
    const kept = JSON.parse(journal.kept.get(seq) ?? "{}");
    const spent = async (change: object) => {
      const state = { ...kept.state, ...change };
      journal.kept.set(seq, JSON.stringify({ ...kept, state }));
      return (await summaryOf(journal)).usage?.requests;
    };
    expect(await spent({})).toBe(1);
    const forged = [{ runId: "s" }, { reasoner: "x" }, { version: 9 }, { at: 5 }, { seq: 0 }];
    for (const change of forged)
      expect(await spent(change), JSON.stringify(change)).toBe(undefined);
    journal.kept.set(seq, JSON.stringify({ ...kept, place: { ...kept.place, lines: 1 } }));
    expect((await summaryOf(journal)).usage).toBe(undefined);
    const broken = async () => Promise.reject(new Error("no rights"));
    const snapshots = { list: broken, read: broken, write: broken, remove: broken };
    expect((await summaryOf({ ...journal, snapshots })).usage).toBe(undefined);
  });

  it("reads no snapshot that is too large for that", async () => {
    const journal = watchedJournal();
    const { events } = await run(clerk, "Pay the bill", { model: pays(), journal });
    const asked: number[] = [];
    const sized = (size: number): JournalPort => ({
      ...journal,
      snapshots: {
        ...(journal.snapshots as NonNullable<JournalPort["snapshots"]>),
        list: async () => [{ seq: events - 1, size }],
        read: async (seq) => {
          asked.push(seq);
          return journal.snapshots?.read(seq);
        },
      },
    });
    expect((await summaryOf(sized(8 * 1024 * 1024))).usage?.requests).toBe(1);
    expect(asked).toEqual([events - 1]);
    expect(await summaryOf(sized(8 * 1024 * 1024 + 1))).not.toHaveProperty("usage");
    expect(asked).toEqual([events - 1]);
  });

  it("of nothing is refused", async () => {
    await expect(summaryOf(textJournal(""))).rejects.toMatchObject({ code: "journal.empty" });
  });
});
