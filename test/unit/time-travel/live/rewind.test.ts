/** Checkpoints and rewinds: names for events, and a head that moves; the journal's bytes stay. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { agent, resume, run, scriptedModel, textOf, toArray } from "../../../../src/index.js";
import {
  fold,
  headerOf,
  headOf,
  type JournalPort,
  memoryJournal,
  replay,
  summaryOf,
  systemClock,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { headNote } from "../../../../src/runtime/journals/head.js";
import { readNotes } from "../../../../src/runtime/journals/notes.js";
import {
  checkpoint,
  diff,
  fork,
  forks,
  redrive,
  rewind,
  Timeline,
} from "../../../../src/time-travel/live/index.js";
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
    const [before] = (await journal.notes?.list("checkpoints")) ?? [];
    const gone = JSON.stringify({ ...note, hash: "x" });
    await journal.notes?.write("checkpoints", "two", gone, before);
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

  describe.each([
    ["in memory", () => memoryJournal("live")],
    ["in files", (name: string) => fileJournal(join(folder, `${name}.jsonl`))],
  ] as const)("of a run that somebody writes, %s", (_where, make) => {
    const locked = { code: "journal.locked" };

    test("is refused, as a checkpoint is, whatever the head leads to", async () => {
      const journal = make("writer");
      await conversation(journal);
      // Whoever writes the first journal, or the one that the head leads to, or one on the way.
      for (let rewinds = 0; rewinds < 3; rewinds++) {
        for (let port: JournalPort | undefined = journal; port !== undefined; ) {
          const writer = await port.open("append");
          expect(await rejection(rewind(journal, { at: 1 }))).toMatchObject(locked);
          expect(await rejection(checkpoint(journal))).toMatchObject(locked);
          await writer.close();
          const next: string | undefined = (await headNote(port))?.note.journal;
          port = next === undefined ? undefined : port.follow?.(next);
        }
        // The second moves the head of a fork, so that the way to the head is longer.
        const from = rewinds === 1 ? await headOf(journal) : journal;
        await rewind(from, { at: 1 });
      }
      expect(await forks(journal)).toMatchObject({ checkpoints: [], forks: { length: 2 } });
    });
  });

  test("that found another head than is there now moves nothing", async () => {
    const journal = memoryJournal("moved");
    await conversation(journal);
    await rewind(journal, { at: 3 });
    const notes = journal.notes as NonNullable<JournalPort["notes"]>;
    const [head = ""] = await notes.list("head");
    const other = `${head} `;
    const racing: JournalPort = {
      ...journal,
      notes: {
        ...notes,
        async write(kind, name, text, before) {
          if (kind === "head") await notes.write("head", name, other, head);
          return notes.write(kind, name, text, before);
        },
      },
    };
    expect(await rejection(rewind(racing, { at: 1 }))).toMatchObject({ code: "journal.conflict" });
    expect(await notes.list("head")).toEqual([other]);
  });

  test("while its journal is being opened is noticed: nobody goes on beside it", async () => {
    const journal = memoryJournal("opening");
    await conversation(journal);
    let rewound = false;
    const slow: JournalPort = {
      ...journal,
      async open(mode) {
        if (!rewound) await rewind(journal, { at: 1 });
        rewound = true;
        return journal.open(mode);
      },
    };
    const before = await textIn(journal);
    const late = Promise.resolve(resume(talker, slow, { model, messages: ["late"] }));
    expect(await rejection(late)).toMatchObject({ code: "journal.conflict" });
    expect(await textIn(journal)).toBe(before);
    await resume(talker, slow, { model, messages: ["again"] });
    expect(await said(journal)).toEqual(["one", "answer 1", "again", "answer 3"]);
  });

  test("whose head is gone is noticed where its fork has gone on", async () => {
    const path = join(folder, "lost.jsonl");
    const journal = fileJournal(path);
    await conversation(journal);
    const { name } = await rewind(journal, { at: 1 });
    rmSync(`${path}.head`);
    // Nothing was done in the fork yet: the run goes on where it was.
    expect(await headOf(journal)).toBe(journal);
    await rewind(journal, { at: 1 });
    await resume(talker, journal, { model, messages: ["other"] });
    rmSync(`${path}.head`);
    for (const refused of [headOf, forks, (port: JournalPort) => rewind(port, { at: 1 })]) {
      expect(await rejection(refused(journal))).toMatchObject({
        code: "journal.link",
        message: expect.stringMatching(/has no head any more.*remove the note of the fork/),
      });
    }
    const notes = await readNotes(journal, "forks");
    for (const each of notes.notes)
      if (each.name !== name) rmSync(`${path}.forks/${each.name}.json`);
    expect(await headOf(journal)).toBe(journal);
  });

  test("whose head is an older one is noticed where a later rewind's fork has gone on", async () => {
    const path = join(folder, "older.jsonl");
    const journal = fileJournal(path);
    await conversation(journal);
    const heads: string[] = [];
    // The clock goes back between them: their order is not that of their times.
    for (const now of [90, 60, 30]) {
      await rewind(journal, { at: 1 }, { clock: virtualClock(now) });
      heads.push(readFileSync(`${path}.head`, "utf8"));
    }
    const [first, second, third] = heads as [string, string, string];
    // Nothing was done in the last one yet.
    for (const head of [first, second]) {
      writeFileSync(`${path}.head`, head);
      expect((await headNote(journal))?.text).toBe(head);
    }
    writeFileSync(`${path}.head`, third);
    await resume(talker, journal, { model, messages: ["other"] });
    for (const head of [first, second]) {
      writeFileSync(`${path}.head`, head);
      const late = Promise.resolve(resume(talker, journal, { model, messages: ["late"] }));
      expect(await rejection(late)).toMatchObject({
        code: "journal.link",
        message: expect.stringMatching(/has an older head, to .*remove the note of the fork/),
      });
    }
    writeFileSync(`${path}.head`, third);
    expect((await said(journal)).at(-2)).toBe("other");
  });

  test.each([Number.NaN, 1e300, -1e16])("by a clock that says %d moves nothing", async (now) => {
    const journal = memoryJournal();
    await conversation(journal);
    const clock = { ...systemClock, now: () => now };
    for (const attempt of [
      () => rewind(journal, { at: 1 }, { clock }),
      () => fork(journal, { clock }),
      () => checkpoint(journal, { clock }),
    ]) {
      expect(await rejection(attempt())).toMatchObject({ code: "port.failed" });
    }
    expect(await headOf(journal)).toBe(journal);
    expect(await forks(journal)).toMatchObject({ forks: [], checkpoints: [], malformed: 0 });
  });

  test("to a checkpoint that was made within a millisecond finds it", async () => {
    const journal = memoryJournal();
    await conversation(journal);
    await checkpoint(journal, { name: "one", at: 1, clock: virtualClock(1.5) });
    expect(await rewind(journal, { checkpoint: "one" })).toMatchObject({ retained: 2 });
  });

  test("of an earlier run keeps a new one from beginning in its place", async () => {
    const path = join(folder, "stale.jsonl");
    await conversation(fileJournal(path));
    await rewind(path, { at: 1 });
    rmSync(path);
    const again = Promise.resolve(run(talker, "anew", { model, journal: path }));
    expect(await rejection(again)).toMatchObject({
      code: "journal.exists",
      message: expect.stringMatching(/head of an earlier run beside it/),
    });
    expect(existsSync(path)).toBe(false);
  });

  test("shows every reader of its path the branch that resume goes on with", async () => {
    const path = join(folder, "readers.jsonl");
    const journal = fileJournal(path);
    await conversation(journal);
    await rewind(path, { at: 1 });
    await resume(talker, path, { model, messages: ["another"] });
    const { runId } = await headerOf(path);
    expect(runId).not.toBe((await headerOf(journal)).runId);
    const { state } = await fold(talker, path);
    const texts = state === undefined ? [] : toArray(state.context.messages).map(textOf);
    expect(texts).toEqual(["one", "answer 1", "another", "answer 3"]);
    expect(await summaryOf(path)).toMatchObject({ runId, events: 4 });
    expect(await replay(talker, path)).toMatchObject({ status: "identical", events: 4 });
    expect((await Timeline.open(talker, path)).events).toBe(4);
    expect((await redrive(talker, path)).asked).toBe(2);
    expect((await diff(path, journal)).parting?.kind).toBe("input");
    const forked = await fork(path, { at: 3 });
    expect(forked.from.runId).toBe(runId);
    expect((await forks(path)).forks.map(({ name }) => name)).toContain(forked.name);
    // A port is the journal itself: what was taken back can still be read.
    expect((await fold(talker, journal)).events).toBe(6);
  });
});
