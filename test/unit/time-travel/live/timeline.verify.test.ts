/** A timeline: the state at any record, at the cost of the distance to what is known. */
// In a process of its own: the file journals that others load would open its paths.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { changesOf } from "../../../../src/core/journal/index.js";
import {
  agent,
  memoryJournal,
  type Reasoner,
  resume,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { fold, type JournalPort } from "../../../../src/runtime/index.js";
import { snapshotsOf } from "../../../../src/runtime/journals/snapshots.js";
import { fork, Timeline } from "../../../../src/time-travel/live/index.js";
import { familyOf, lineOf } from "../../../support/family.js";
import { smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";

const folder = mkdtempSync(join(tmpdir(), "timeline-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const talker = agent({
  name: "talker",
  conversation: true,
});
const model = scriptedModel((request) => `answer ${request.messages.length} ${"x".repeat(900)}`);
const path = join(folder, "talk.jsonl");
const journal = fileJournal(path);
const TURNS = 80;

/** The reasoner, and how many steps it has taken. */
function counted(): { readonly reasoner: typeof talker; steps: number } {
  const counter = { steps: 0, reasoner: talker };
  const step: Reasoner["step"] = (state, event) => {
    counter.steps += 1;
    return talker.step(state as never, event) as never;
  };
  counter.reasoner = { ...talker, step } as typeof talker;
  return counter;
}

beforeAll(async () => {
  await run(talker, "begin", { model, journal, runId: "one" });
  for (let turn = 1; turn < TURNS; turn++) {
    await resume(talker, journal, { model, messages: [`question ${turn}`] });
  }
});

async function agrees(port: JournalPort, timeline: Timeline<never, unknown, unknown>, seq: number) {
  const moment = await timeline.at(seq);
  const { state } = await fold(talker, port, seq);
  expect(JSON.stringify(moment.state)).toBe(JSON.stringify(state));
  expect(moment).toMatchObject({ seq, same: true });
  if (seq > 0) expect(moment.before?.seq).toBe(seq - 1);
  else expect(moment.before).toBeUndefined();
  return moment;
}

describe("a timeline", () => {
  test("has the state that a fold has, whichever record is asked for in which order", async () => {
    const timeline = await Timeline.open(talker, journal);
    expect(timeline).toMatchObject({ events: 2 * TURNS, torn: 0, position: -1 });
    for (const seq of [159, 0, 80, 81, 79, 3, 158, 64, 63, 65, 128, 1]) {
      await agrees(journal, timeline as never, seq);
    }
  });

  test("steps forwards and backwards, and stops at its ends", async () => {
    const timeline = await Timeline.open(talker, journal);
    expect(await timeline.previous()).toBeUndefined();
    for (let seq = 0; seq < timeline.events; seq++) {
      expect(await timeline.next()).toMatchObject({ seq, same: true });
    }
    expect(await timeline.next()).toBeUndefined();
    for (let seq = timeline.events - 2; seq >= 0; seq--) {
      expect(await timeline.previous()).toMatchObject({ seq });
    }
    expect(await timeline.previous()).toBeUndefined();
    expect(timeline.position).toBe(0);
  });

  test("costs the distance to a snapshot, and nothing where it passed before", async () => {
    const counter = counted();
    const timeline = await Timeline.open(counter.reasoner, journal);
    await timeline.stateAt(timeline.events - 1);
    expect(counter.steps).toBe(0);
    await timeline.at(timeline.events - 1);
    const near = counter.steps;
    expect(near).toBeLessThan(80);
    for (let i = 0; i < near; i++) await timeline.previous();
    await timeline.at(timeline.events - 1);
    expect(counter.steps).toBeLessThan(160);
    counter.steps = 0;
    await timeline.at(90);
    await timeline.at(89);
    const twice = counter.steps;
    await timeline.at(90);
    expect(counter.steps).toBe(twice);
    expect(twice).toBeLessThan(150);
  });

  test("far from what is known compares what it is asked for, and passes the rest", async () => {
    const look = tool({ name: "look", execute: () => "seen" });
    const clerk = agent({ name: "clerk", tools: [look], maxIterations: 999 });
    const long = memoryJournal();
    const turns = Array.from({ length: 140 }, (_, i) => ({
      text: `${i}`,
      calls: [{ name: "look" }, { name: "look" }],
    }));
    await run(clerk, "go", {
      model: scriptedModel([...turns, "Done."]),
      journal: long,
      runId: "one",
    });
    // Without its snapshots, so that all is far.
    const { snapshots: _none, ...bare } = long;
    const timeline = await Timeline.open(clerk, bare);
    expect(timeline.events).toBe(422);
    // 146 is the first that is compared on the way to 401, while a call has begun and is not over.
    for (const seq of [401, 146, 147, 64, 65, 100, 130, 400, 3, 340]) {
      const moment = await timeline.at(seq);
      expect(moment).toMatchObject({ seq, same: true });
      const { state } = await fold(clerk, bare, seq);
      expect(JSON.stringify(moment.state)).toBe(JSON.stringify(state));
    }
    const other = agent({ name: "clerk", tools: [look], maxIterations: 999, system: "Be quick." });
    const changed = await Timeline.open(other, bare);
    expect(await changed.at(401)).toMatchObject({ same: false });
    expect(await changed.at(66)).toMatchObject({ same: false });
  });

  test("of a fork has its past, as the fork's own", async () => {
    const forked = await fork(journal, { at: 101, limit: 99 });
    await resume(talker, forked.journal, { model, messages: ["other"] });
    const again = await fork(forked.journal, { at: 102 });
    await resume(talker, again.journal, { model });
    for (const port of [forked.journal, again.journal]) {
      const timeline = await Timeline.open(talker, port);
      expect(timeline.events).toBe(104);
      for (const seq of [103, 102, 101, 100, 5]) {
        const moment = await timeline.at(seq);
        expect(moment.state.runId).toBe(timeline.header.runId);
        expect(moment.before?.runId).toBe(timeline.header.runId);
        expect(moment.same).toBe(true);
        expect((await timeline.stateAt(seq)).runId).toBe(timeline.header.runId);
      }
      const { state } = await fold(talker, port);
      expect(JSON.stringify(await timeline.stateAt(103))).toBe(JSON.stringify(state));
    }
  });

  test("what a step changed, path by path", async () => {
    const timeline = await Timeline.open(talker, journal);
    const { before, state } = await timeline.at(5);
    const changes = changesOf(before, state);
    expect(changes.map((each) => each.path)).toEqual(
      expect.arrayContaining(["value", "context.messages[5]", "context.usage.requests"]),
    );
    expect(changes.find((each) => each.path === "context.usage.requests")).toEqual({
      path: "context.usage.requests",
      before: 2,
      after: 3,
    });
    const first = await timeline.at(0);
    expect(changesOf(first.before, first.state)[0]).toMatchObject({ path: "value" });
    expect(changesOf(state, state)).toEqual([]);
  });

  test("records that are not there, and journals that are none", async () => {
    const timeline = await Timeline.open(talker, journal);
    for (const seq of [-1, 160, 0.5, Number.NaN]) {
      expect(await rejection(timeline.at(seq))).toMatchObject({ code: "fork.point" });
    }
    const text = readFileSync(path, "utf8");
    const broken = join(folder, "broken.jsonl");
    writeFileSync(broken, text.replace("question 40", "question 41"));
    for (const place of [broken, fileJournal(broken)]) {
      // What stands before the fault can be read.
      const { fault, events } = await Timeline.open(talker, place);
      expect([fault, events]).toMatchObject([{ code: "journal.chain" }, 80]);
    }
    const whole = text.slice(0, text.lastIndexOf('{"mark":{"snapshot"'));
    writeFileSync(broken, whole.slice(0, -10));
    const torn = await Timeline.open(talker, fileJournal(broken));
    expect(torn).toMatchObject({ events: 159, torn: expect.any(Number) });
    expect(torn.torn).toBeGreaterThan(0);
    const other = agent({ name: "other" });
    expect(await rejection(Timeline.open(other, journal))).toMatchObject({
      code: "journal.reasoner",
    });
  });

  test("records that the present code does not come to", async () => {
    const chat = (version: number) => agent({ name: "chat", version, conversation: true });
    const talk = memoryJournal("talk");
    await run(chat(1), "begin", { model, journal: talk });
    await resume(chat(2), talk, { model, upgrade: true, messages: ["more"] });
    await resume(chat(2), talk, { model, messages: ["and more"] });
    const old = await Timeline.open(chat(1), talk);
    expect((await old.at(1)).same).toBe(true);
    // Whether a snapshot stands on the way or not.
    expect((await snapshotsOf(talk)).map(({ seq }) => seq)).toEqual([1, 3, 5]);
    for (const seq of [3, 5]) {
      expect(await rejection(old.at(seq))).toMatchObject({
        code: "journal.configuration",
        place: `event ${seq}`,
      });
    }
    const going = (to: string) =>
      smallReasoner({
        initial: "a",
        states: { a: { on: { go: to } }, b: { on: { go: "c" } }, c: { type: "final" } },
      });
    const went = memoryJournal("went");
    const events = [{ type: "go" }];
    await run(going("b"), null, { journal: went });
    await resume(going("b"), went, { events });
    await resume(going("b"), went, { events });
    const { snapshots: _, ...bare } = went;
    const sooner = await Timeline.open(going("c"), bare);
    expect(await sooner.at(1)).toMatchObject({ same: false, state: { status: "done" } });
    expect(await rejection(sooner.at(2))).toMatchObject({
      code: "journal.diverged",
      message: expect.stringContaining("ended the run at event 1"),
    });
    const { state, events: folded } = await fold(going("c"), bare);
    expect([state?.status, folded]).toEqual(["done", 2]);
  });

  test("a snapshot that says it stands elsewhere is not believed", async () => {
    const copy = join(folder, "moved.jsonl");
    writeFileSync(copy, readFileSync(path));
    const port = fileJournal(copy);
    const { seq } = (await snapshotsOf(journal)).find((each) => each.seq < 159) as { seq: number };
    const stored = (await journal.snapshots?.read(seq)) ?? "";
    const [head, text] = stored.split("\n");
    const claim = JSON.parse(head as string);
    const rows = (await journal.snapshots?.rows()) ?? new Map();
    const moved = `${JSON.stringify({ ...claim, bytes: claim.bytes + 1 })}\n${text}`;
    await port.snapshots?.write(seq, moved, rows);
    const timeline = await Timeline.open(talker, port);
    await agrees(port, timeline as never, seq + 1);
  });

  test("a forged snapshot is not believed", async () => {
    const copy = join(folder, "forged.jsonl");
    writeFileSync(copy, readFileSync(path));
    const port = fileJournal(copy);
    const real = await journal.snapshots?.read(159);
    const forged = (real as string).replace('"version":1', '"version":9');
    await port.snapshots?.write(159, forged, (await journal.snapshots?.rows()) ?? new Map());
    const timeline = await Timeline.open(talker, port);
    const state = await timeline.stateAt(159);
    expect(state.version).toBe(1);
  });
});

test("the state at an event of a child is the root's there, also where a fork goes on from it", async () => {
  const { parent, model: says } = familyOf(lineOf(2, []));
  const tree = memoryJournal();
  await run(parent, "go", { model: says, journal: tree });
  const whole = await Timeline.open(parent, tree);
  for (let seq = 0; seq < whole.events; seq++) {
    const alone = await Timeline.open(parent, tree);
    expect(await alone.stateAt(seq)).toEqual((await whole.at(seq)).state);
    const { journal: cut } = await fork(tree, { at: seq, limit: 100 });
    await resume(parent, cut, { model: says });
    const forked = await Timeline.open(parent, cut);
    for (let at = 0; at < forked.events; at++) expect((await forked.at(at)).same).toBe(true);
  }
});
