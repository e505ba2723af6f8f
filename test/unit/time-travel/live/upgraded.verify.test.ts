/** Runs that were upgraded: where they are cut, and what of them code of one version can show. */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import {
  agent,
  agentTool,
  fold,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { type JournalPort, virtualClock } from "../../../../src/runtime/index.js";
import { checkpoint, fork, rewind, Timeline } from "../../../../src/time-travel/live/index.js";
import { approvalIn } from "../../../support/family.js";
import { eventsIn, linesIn, textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";
import { firstLines, journalOf } from "../../../support/tree-lines.js";

const chat = (version: number) => agent({ name: "chat", version, conversation: true });
const model = scriptedModel(({ messages }) => `answer ${messages.length}`);
const bareOf = ({ snapshots: _none, ...bare }: JournalPort): JournalPort => bare;
const headerOf = async (journal: JournalPort) =>
  (await linesIn(journal))[0] as unknown as { readonly reasoner: { readonly version: number } };

/** A run that waits, of the versions one after the other; each said something, but for the last. */
async function ofVersions(...versions: readonly number[]): Promise<JournalPort> {
  const journal = memoryJournal("talk");
  const [first = 1, ...others] = versions;
  await run(chat(first), "begin", { model, journal });
  for (const version of others) {
    const waiting = await resume(chat(version), journal, {
      model,
      upgrade: true,
      ...(version === versions.at(-1) ? {} : { messages: ["more"] }),
    });
    expect(waiting.status).toBe("waiting");
  }
  return journal;
}

describe("a timeline", () => {
  test("shows the segments of its code, however many others there were between", async () => {
    const journal = await ofVersions(1, 2, 3);
    await resume(chat(3), journal, { model, messages: ["last"] });
    for (const port of [journal, bareOf(journal)]) {
      const timeline = await Timeline.open(chat(3), port);
      expect(timeline.events).toBe(6);
      for (const seq of [4, 5]) {
        const { state } = await fold(chat(3), port, seq);
        const moment = await (await Timeline.open(chat(3), port)).at(seq);
        expect([moment.same, moment.state.version]).toEqual([true, 3]);
        expect(JSON.stringify(moment.state)).toBe(JSON.stringify(state));
      }
      expect(await rejection(timeline.at(3))).toMatchObject({ code: "journal.configuration" });
    }
  });

  test("shows a fork that was upgraded to its code", async () => {
    const journal = await ofVersions(1);
    const { journal: forked } = await fork(journal);
    await resume([chat(2), chat(1)], forked, { model, upgrade: true, messages: ["more"] });
    for (const port of [forked, bareOf(forked)]) {
      const timeline = await Timeline.open(chat(2), port);
      for (const seq of [2, 3]) {
        expect(await timeline.at(seq)).toMatchObject({ same: true, state: { version: 2 } });
      }
    }
  });
});

describe("a run that was upgraded and has taken nothing since", () => {
  test("is forked with its upgrade, unless it is cut behind the event before", async () => {
    const journal = await ofVersions(1, 2);
    const forked = await fork(journal);
    const before = await fork(journal, { at: 1 });
    for (const [{ journal: port }, version, other] of [
      [forked, 2, 1],
      [before, 1, 2],
    ] as const) {
      expect((await headerOf(port)).reasoner.version).toBe(version);
      expect(await rejection(resume(chat(other), port, { model }))).toMatchObject({
        code: "journal.configuration",
      });
      const more = { model, messages: ["more"] };
      expect(await resume(chat(version), port, more)).toMatchObject({ status: "waiting" });
      expect(await replay([chat(2), chat(1)], port)).toMatchObject({ status: "identical" });
      const timeline = await Timeline.open(chat(version), port);
      expect(await timeline.at(2)).toMatchObject({ same: true, before: { version } });
      expect((await timeline.stateAt(1)).version).toBe(version);
    }
    // A fork that was upgraded before its first event is one, too.
    const again = await fork((await fork(before.journal, { at: 1 })).journal);
    await resume([chat(2), chat(1)], again.journal, { model, upgrade: true });
    const last = await fork(again.journal);
    expect((await headerOf(last.journal)).reasoner.version).toBe(2);
    const more = { model, messages: ["more"] };
    expect(await resume(chat(2), last.journal, more)).toMatchObject({ status: "waiting" });
    expect(await (await Timeline.open(chat(2), last.journal)).at(2)).toMatchObject({ same: true });
  });

  test("is forked with it where an answer behind it is set", async () => {
    const of = (version: number) => {
      const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
      return agent({ name: "clerk", version, tools: [pay] });
    };
    const words = scriptedModel(({ messages }, turn) => {
      if (turn === 0) return { calls: [{ name: "pay" }] };
      return JSON.stringify(messages.at(-1)).includes("paid") ? "paid" : "kept";
    });
    const journal = memoryJournal("r");
    await run(of(1), "go", { model: words, journal });
    const approvals = { "approval/0/0": { approve: true } };
    const end = await resume(of(2), journal, { model: words, upgrade: true, approvals });
    expect(end).toMatchObject({ output: "paid" });
    const forked = await fork(journal, { set: { "approval/0/0": false } });
    expect([forked.from.seq, (await headerOf(forked.journal)).reasoner.version]).toEqual([1, 2]);
    const other = await resume(of(2), forked.journal, { model: words });
    expect(other).toMatchObject({ output: "kept" });
  });

  test("is forked whole where its upgrade takes several lines", async () => {
    const journal = memoryJournal("talk");
    const long = (letter: string) => letter.repeat(3 * 1024 * 1024);
    const deps = { a: long("a"), b: long("b") };
    await run(chat(1), { prompt: "begin", deps }, { model, journal });
    await resume(chat(1), journal, { model, messages: ["more"] });
    await resume(chat(2), journal, { model, upgrade: true });
    const lines = await linesIn(journal);
    expect(lines.slice(-3).some((line) => "more" in line)).toBe(true);
    const { journal: forked } = await fork(journal);
    const timeline = await Timeline.open(chat(2), bareOf(forked));
    const { state } = await fold(chat(2), bareOf(forked));
    expect([state?.version, state?.seq]).toEqual([2, 3]);
    expect(isDeepStrictEqual(await timeline.stateAt(3), state)).toBe(true);
  });

  test("is rewound to a checkpoint of its upgrade, or to a time behind it", async () => {
    const clock = virtualClock(1_000);
    const host = { model, clock };
    const journal = memoryJournal("talk");
    await run(chat(1), "begin", { ...host, journal });
    await checkpoint(journal, { name: "before", clock });
    await clock.advance(1_000);
    await resume(chat(2), journal, { ...host, upgrade: true });
    await checkpoint(journal, { name: "behind", clock });
    await clock.advance(1_000);
    await resume(chat(2), journal, { ...host, messages: ["more"] });
    // Each goes on from where the one before led.
    for (const [to, version] of [
      [{ checkpoint: "behind" }, 2],
      [{ time: 2_500 }, 2],
      [{ checkpoint: "before" }, 1],
      [{ time: 1_500 }, 1],
    ] as const) {
      const back = await rewind(journal, to, { clock });
      expect([back.from.seq, (await headerOf(back.journal)).reasoner.version]).toEqual([
        1,
        version,
      ]);
      const end = await resume(chat(version), journal, { ...host, messages: ["other"] });
      expect(end.status).toBe("waiting");
    }
  });
});

describe("a tree that was upgraded", () => {
  const family = (version: number) => {
    const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
    const child = agent({ name: "child", system: `child ${version}`, version, tools: [pay] });
    const ask = agentTool(child, { name: "ask" });
    return agent({ name: "parent", system: `parent ${version}`, version, tools: [ask] });
  };
  const words = scriptedModel(({ system = "", messages }) => {
    if (messages.some(({ role }) => role === "assistant")) return `${system} is done`;
    const name = system.startsWith("parent") ? "ask" : "pay";
    return { calls: [{ name, input: name === "ask" ? { prompt: "pay" } : {} }] };
  });
  const CHILD = "tool/0/0/0";
  const approvals = { [approvalIn([CHILD], "approval/0/0")]: { approve: true } };

  test.each([0, 1_000])("is cut as one, upgraded %i ms after it waited", async (ms) => {
    const clock = virtualClock(1_000);
    const host = { model: words, clock };
    const journal = memoryJournal("r");
    await run(family(1), "go", { ...host, journal });
    await clock.advance(ms);
    const both = [family(2), family(1)];
    expect((await resume(both, journal, { ...host, upgrade: true })).status).toBe("waiting");
    await clock.advance(1_000);
    const behind = await fork(journal);
    await resume(family(2), journal, { ...host, approvals });
    for (const [forked, version] of [
      [behind, 2],
      [await fork(journal, { at: 3 }), 1],
    ] as const) {
      expect((await headerOf(forked.journal)).reasoner.version).toBe(version);
      expect(forked.children).toEqual([CHILD]);
      const end = await resume(family(version), forked.journal, { ...host, approvals });
      expect(end).toMatchObject({ status: "done", output: `parent ${version} is done` });
      const said = (await eventsIn(forked.journal)).flatMap(({ run: path, event }) =>
        path === CHILD && event.type === "llm.succeeded" ? [event.content] : [],
      );
      expect(said).toMatchObject([[{ text: `child ${version} is done` }]]);
      expect(await replay(both, forked.journal)).toMatchObject({ status: "identical" });
    }
  });

  test("is cut as one in the millisecond of its upgrade, before other events of it", async () => {
    const host = { model: words, clock: virtualClock(1_000) };
    const journal = memoryJournal("r");
    await run(family(1), "go", { ...host, journal });
    await resume(family(1), journal, { ...host, messages: ["And?"] });
    await resume([family(2), family(1)], journal, { ...host, upgrade: true });
    const cuts = [
      [await fork(journal), 2],
      [await fork(journal, { at: 3 }), 1],
    ] as const;
    for (const [forked, version] of cuts) {
      const end = await resume(family(version), forked.journal, { ...host, approvals });
      expect(end).toMatchObject({ status: "done", output: `parent ${version} is done` });
    }
  });

  test("goes on under the code of its upgrade in a fork, where a child had yet to begin", async () => {
    const journal = memoryJournal("r");
    await run(family(1), "go", { model: words, journal });
    // The process dies before the child begins.
    const left = await journalOf(firstLines(await textIn(journal), 3), "left");
    const both = [family(2), family(1)];
    const live = resume(both, left, { model: words, upgrade: true });
    expect((await live.drain()).status).toBe("waiting");
    const cuts = [
      [await fork(left), 2],
      [await fork(left, { at: 1 }), 1],
    ] as const;
    for (const [forked, version] of cuts) {
      const end = await resume(family(version), forked.journal, {
        model: words,
        approve: () => ({ approve: true }),
      });
      expect(end).toMatchObject({ status: "done", output: `parent ${version} is done` });
    }
  });
});
