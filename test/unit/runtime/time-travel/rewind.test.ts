/** Checkpoints and rewinds: names for events, and a head that moves; the journal's bytes stay. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { agent, resume, run, scriptedModel, textOf, toArray } from "../../../../src/index.js";
import {
  checkpoint,
  fold,
  forks,
  headOf,
  type JournalPort,
  memoryJournal,
  rewind,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const folder = mkdtempSync(join(tmpdir(), "rewind-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const talker = agent({ name: "talker", conversation: true });
const model = scriptedModel((request) => `answer ${request.messages.length}`);

/** A conversation of three questions, a minute apart. */
async function conversation(journal: JournalPort) {
  const clock = virtualClock(0);
  await run(talker, "one", { model, journal, clock });
  for (const messages of [["two"], ["three"]]) {
    clock.advance(60_000);
    await resume(talker, journal, { model, messages, clock });
  }
}

const said = async (journal: JournalPort) => {
  const { state } = await fold(talker, await headOf(journal));
  return toArray((state as NonNullable<typeof state>).context.messages).map(textOf);
};

test.each([{}, { at: 0, checkpoint: "cp" }, { at: undefined }, { sequence: 1 }, null])(
  "a rewind to %j is refused: it says one place",
  async (to) => {
    expect(await rejection(rewind(memoryJournal(), to as never))).toMatchObject({
      code: "option.invalid",
      message: expect.stringContaining("one of { at }, { checkpoint } and { time }"),
    });
  },
);

describe("a rewind", () => {
  for (const [where, make] of [
    ["in memory", () => memoryJournal("talk")],
    ["in files", (name: string) => fileJournal(join(folder, `${name}.jsonl`))],
  ] as const) {
    test(`${where}: moves the head; resume follows it`, async () => {
      const journal = make("talk");
      await conversation(journal);
      const before = await textIn(journal);
      const mark = await checkpoint(journal, { name: "after two", at: 3, clock: virtualClock(5) });
      expect(mark).toMatchObject({ name: "after two", seq: 3, events: 4, at: 5 });
      const rewound = await rewind(journal, { checkpoint: "after two" });
      expect(rewound).toMatchObject({ retained: 4, removed: 2 });
      expect(await said(journal)).toEqual(["one", "answer 1", "two", "answer 3"]);
      await resume(talker, journal, { model, messages: ["another"] });
      expect(await said(journal)).toEqual([
        "one",
        "answer 1",
        "two",
        "answer 3",
        "another",
        "answer 5",
      ]);
      expect(await textIn(journal)).toBe(before);
      // Again, from where the head is now, by a time: what is strictly later is taken back.
      const again = await rewind(journal, { time: new Date(59_999).toISOString() });
      expect(again).toMatchObject({ retained: 2, removed: 4 });
      expect(await said(journal)).toEqual(["one", "answer 1"]);
      expect(await forks(journal)).toMatchObject({
        events: 6,
        head: { runId: again.runId, removed: 4, retained: 2 },
        checkpoints: [{ name: "after two" }],
        forks: [
          { rewind: true, events: 6 },
          { rewind: true, events: 2 },
        ],
        malformed: 0,
      });
      expect(await textIn(journal)).toBe(before);
    });
  }

  test("to a checkpoint finds its event again, wherever the head has gone since", async () => {
    const journal = memoryJournal();
    await conversation(journal);
    await checkpoint(journal, { name: "three" });
    await rewind(journal, { at: 1 });
    await resume(talker, journal, { model, messages: ["other", "way"] });
    await checkpoint(journal, { name: "other" });
    // Here the head has an event of that number too.
    expect(await rewind(journal, { checkpoint: "three" })).toMatchObject({ retained: 6 });
    expect(await said(journal)).toEqual([
      "one",
      "answer 1",
      "two",
      "answer 3",
      "three",
      "answer 5",
    ]);
    // And what is noted of a fork lies in that fork.
    expect(await rewind(journal, { checkpoint: "other" })).toMatchObject({ removed: 0 });
    expect((await said(journal)).slice(0, 3)).toEqual(["one", "answer 1", "other"]);
  });

  test("to a checkpoint whose event is gone is refused", async () => {
    const journal = memoryJournal();
    await conversation(journal);
    const note = await checkpoint(journal, { name: "two", at: 3 });
    await journal.notes?.write(
      "checkpoints",
      "two",
      JSON.stringify({ ...note, hash: "x" }),
      "over",
    );
    expect(await rejection(rewind(journal, { checkpoint: "two" }))).toMatchObject({
      code: "fork.point",
      message: expect.stringMatching(/no longer has the event of its checkpoint "two"/),
    });
  });

  test("to a time keeps what came at that very time", async () => {
    const journal = memoryJournal();
    await conversation(journal);
    expect(await rewind(journal, { time: 60_000 })).toMatchObject({ retained: 4, removed: 2 });
  });

  test("notes of one time are listed by their events", async () => {
    const journal = memoryJournal();
    await conversation(journal);
    for (const at of [3, 1]) await checkpoint(journal, { at, clock: virtualClock(5) });
    expect((await forks(journal)).checkpoints.map(({ seq }) => seq)).toEqual([1, 3]);
  });

  test("to nowhere is refused, and moves nothing", async () => {
    const journal = memoryJournal();
    await conversation(journal);
    for (const to of [{ at: 99 }, { checkpoint: "gone" }, { time: "yesterday" }, { time: -5 }]) {
      expect(await rejection(rewind(journal, to))).toMatchObject({ code: "fork.point" });
    }
    expect(await headOf(journal)).toBe(journal);
    expect(await forks(journal)).toMatchObject({ forks: [], checkpoints: [] });
  });

  test("fifty checkpoints, unless more are allowed; a name once", async () => {
    const journal = memoryJournal();
    await conversation(journal);
    for (let i = 0; i < 50; i++) await checkpoint(journal, { name: `n${i}` });
    expect(await rejection(checkpoint(journal))).toMatchObject({ code: "fork.limit" });
    expect(await checkpoint(journal, { limit: 51 })).toMatchObject({ name: "event-5" });
    const twice = checkpoint(journal, { limit: 99, name: "n0" });
    expect(await rejection(twice)).toMatchObject({ code: "fork.exists" });
  });

  test("notes that are none are passed over; a head that is none is not", async () => {
    const path = join(folder, "notes.jsonl");
    const journal = fileJournal(path);
    await conversation(journal);
    await checkpoint(journal, { name: "a/../b" });
    mkdirSync(`${path}.forks`, { recursive: true });
    writeFileSync(`${path}.checkpoints/x.json`, "{");
    writeFileSync(`${path}.forks/y.json`, '{"name":5}');
    const note = { name: "g", journal: "gone.jsonl", runId: "g", seq: 1, at: 1 };
    writeFileSync(`${path}.forks/g.json`, JSON.stringify(note));
    expect(await forks(journal)).toMatchObject({
      malformed: 2,
      checkpoints: [{ name: "a/../b" }],
      forks: [{ name: "g", missing: "it is not there" }],
    });
    for (const head of ["{", JSON.stringify({ ...note, removed: 0, retained: 2 })]) {
      writeFileSync(`${path}.head`, head);
      const refused = await rejection(Promise.resolve(resume(talker, journal, { model })));
      expect(refused).toMatchObject({ code: "journal.link" });
    }
  });

  test("heads that lead round in a circle are refused", async () => {
    const path = join(folder, "heads.jsonl");
    const journal = fileJournal(path);
    await conversation(journal);
    const rewound = await rewind(journal, { at: 1 });
    const head = { seq: 1, removed: 0, retained: 2, at: 0 };
    const back = { ...head, journal: "../heads.jsonl", runId: (await forks(journal)).runId };
    writeFileSync(`${rewound.journal.name}.head`, JSON.stringify(back));
    expect(await rejection(headOf(journal))).toMatchObject({
      code: "journal.link",
      message: expect.stringMatching(/cycle/),
    });
  });

  test("forks that say they are their own are listed once", async () => {
    const path = join(folder, "own.jsonl");
    const journal = fileJournal(path);
    await conversation(journal);
    const { runId, journal: forked } = await rewind(journal, { at: 1 });
    const own = { name: "own", journal: basename(forked.name), runId, seq: 1, at: 1 };
    mkdirSync(`${forked.name}.forks`, { recursive: true });
    writeFileSync(`${forked.name}.forks/own.json`, JSON.stringify(own));
    const { forks: listed } = await forks(journal);
    expect(listed).toMatchObject([{ forks: [{ name: "own", missing: "it leads nowhere" }] }]);
  });
});
