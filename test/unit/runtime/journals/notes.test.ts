// What is noted beside a journal, read as what anybody may have written; where a run goes on; what was
// made of a journal, whatever became of it.
import { describe, expect, it } from "vitest";
import { agent } from "../../../../src/index.js";
import {
  type JournalPort,
  memoryJournal,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { headNote, headOf } from "../../../../src/runtime/journals/head.js";
import {
  checkLimit,
  exists,
  freshName,
  noteFork,
  noteNew,
  readNotes,
  writeNote,
} from "../../../../src/runtime/journals/notes.js";
import { checkpoint, fork, forks, rewind } from "../../../../src/time-travel/live/index.js";
import { refusal, rejection } from "../../../support/thrown.js";

type Kind = "forks" | "checkpoints" | "head";

/** A port beside which these texts are noted. */
function noted(texts: Partial<Record<Kind, readonly string[]>>, more: object = {}): JournalPort {
  return {
    ...memoryJournal("j"),
    notes: { list: async (kind: Kind) => texts[kind] ?? [] },
    ...more,
  } as unknown as JournalPort;
}

const whole = {
  forks: { name: "a", journal: "b", runId: "r", seq: 1, at: 5 },
  checkpoints: { name: "a", runId: "r", seq: 1, hash: "h", events: 2, at: 5 },
  head: { journal: "b", runId: "r", seq: 1, removed: 1, retained: 2, at: 5 },
};

describe("notes", () => {
  it.each(["forks", "checkpoints", "head"] as const)(
    "of %s are whole, or are none",
    async (kind) => {
      const note = whole[kind] as Record<string, unknown>;
      const read = async (...values: unknown[]) => {
        const texts = values.map((each) =>
          typeof each === "string" ? each : JSON.stringify(each),
        );
        const { notes, malformed } = await readNotes(noted({ [kind]: texts }), kind);
        return [notes.length, malformed];
      };
      expect(await read(note, { ...note, more: 1 })).toEqual([2, 0]);
      for (const [name, value] of Object.entries(note)) {
        const { [name]: _gone, ...less } = note;
        const odd = typeof value === "number" ? [1.5, "1", null] : [5, null];
        const others = odd.map((instead) => ({ ...note, [name]: instead }));
        expect([name, await read(less, ...others)]).toEqual([name, [0, others.length + 1]]);
      }
      expect(await read("{", "null", "[]", "5", note)).toEqual([1, 4]);
    },
  );

  it("come in the order in which they were made, then by their events", async () => {
    const at = (name: string, time: number, seq: number) =>
      JSON.stringify({ ...whole.forks, name, at: time, seq });
    const texts = [at("c", 2, 1), at("b", 1, 9), at("d", 2, 2), at("a", 1, 3)];
    const { notes } = await readNotes(noted({ forks: texts }), "forks");
    expect(notes.map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
    const { notes: _notes, ...bare } = memoryJournal("j");
    expect(await readNotes(bare, "forks")).toEqual({ notes: [], malformed: 0 });
  });

  it("are written whole, once where they are to be new; a port without any says so", async () => {
    const port = memoryJournal("j");
    const note = whole.checkpoints;
    expect(await writeNote(port, "checkpoints", "a", note)).toBe(true);
    expect(await writeNote(port, "checkpoints", "a", note)).toBe(false);
    const [before = ""] = (await port.notes?.list("checkpoints")) ?? [];
    const later = { ...note, at: 6 };
    expect(await writeNote(port, "checkpoints", "a", later, `${before} `)).toBe(false);
    expect(await writeNote(port, "checkpoints", "a", later, before)).toBe(true);
    expect(await port.notes?.list("checkpoints")).toEqual([
      `${JSON.stringify({ ...note, at: 6 }, null, 2)}\n`,
    ]);
    const { notes: _notes, ...bare } = port;
    expect(await rejection(writeNote(bare, "checkpoints", "a", note))).toMatchObject({
      code: "fork.point",
      place: "j",
      message: "Nothing can be noted beside the journal j; its port has no notes.",
    });
  });

  it("of a fork are limited, each with a name of its own, and taken back", async () => {
    const port = memoryJournal("j");
    const release = await noteFork(port, whole.forks, 1);
    expect(await rejection(noteFork(port, { ...whole.forks, name: "b" }, 1))).toMatchObject({
      code: "fork.limit",
      place: "j",
      message: "The journal j has 1 forks, and may have 1; remove some, or raise the limit.",
    });
    expect(await rejection(noteFork(port, whole.forks, 2))).toMatchObject({
      code: "fork.exists",
      place: "a",
      message: 'The journal j has a fork "a" already; choose another name.',
    });
    await release();
    expect(await port.notes?.list("forks")).toEqual([]);
    const { notes: _notes, ...bare } = port;
    await (await noteFork(bare, whole.forks, 0))();
    expect(refusal(() => checkLimit(port, "forks", 0, 0)).code).toBe("fork.limit");
    checkLimit(port, "forks", 0, 1);
    expect(exists(port, "checkpoint", "x").place).toBe("x");
  });

  it.each(["forks", "checkpoints"] as const)(
    "of %s are no more than the limit, though all are noted at once",
    async (kind) => {
      const port = memoryJournal("j");
      const names = Array.from({ length: 14 }, (_, i) => `n${i}`);
      const noted = await Promise.allSettled(
        names.map((name) => noteNew(port, kind, { ...whole[kind], name } as never, 10)),
      );
      const kept = (await port.notes?.list(kind)) ?? [];
      expect(kept.length).toBeLessThanOrEqual(10);
      expect(kept.length).toBe(noted.filter(({ status }) => status === "fulfilled").length);
      for (const each of noted) {
        if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "fork.limit" });
      }
      expect(await rejection(noteNew(port, kind, whole[kind] as never, 0))).toMatchObject({
        code: "fork.limit",
      });
    },
  );

  it("have names that nobody has", () => {
    const names = new Set(Array.from({ length: 50 }, freshName));
    expect(names.size).toBe(50);
    for (const name of names) expect(name).toMatch(/^fork-[0-9a-f]{8}$/);
  });
});

const talker = agent({ name: "talker" });
const model = scriptedModel(() => "Well.");

async function aRun(runId = "r") {
  const journal = memoryJournal(runId);
  await run(talker, "go", { journal, model, runId });
  return journal;
}

describe("where a run goes on", () => {
  const head = (journal: string, runId: string) =>
    JSON.stringify({ ...whole.head, journal, runId });

  it("is its own journal, or the one that its head leads to, head by head", async () => {
    const last = await aRun("c");
    const middle = { ...(await aRun("b")), ...noted({ head: [head("last", "c")] }, { name: "b" }) };
    const second: JournalPort = {
      ...(await aRun("b")),
      notes: middle.notes as never,
      follow: (link) => (link === "last" ? last : undefined),
    };
    const first = noted({ head: [head("second", "b")] }, { follow: () => second });
    expect(await headOf(last)).toBe(last);
    expect(await headOf(first)).toBe(last);
    expect(await headNote(last)).toBeUndefined();
    expect(await headNote(second)).toMatchObject({ note: { journal: "last", runId: "c" } });
  });

  it("is refused where the head is none, or leads nowhere, elsewhere, or round in a circle", async () => {
    const said = async (port: JournalPort) => {
      const error = await rejection(headOf(port));
      expect(error).toMatchObject({ code: "journal.link", place: "j" });
      return /^The head of the journal j cannot be followed: (.*)\. Put back what it names, or remove the head and the fork that the rewind made\.$/.exec(
        error.message,
      )?.[1];
    };
    const other = await aRun("other");
    expect(await said(noted({ head: ["{"] }))).toBe("it is not one");
    expect(await said(noted({ head: [head("x", "b")] }))).toBe("run b is not in x");
    const { follow: _none, ...blind } = noted({ head: [head("x", "b")] });
    expect(await said(blind)).toBe("run b is not in x");
    const leads = (to: JournalPort) => noted({ head: [head("x", "b")] }, { follow: () => to });
    expect(await said(leads(other))).toBe("run b is not in x");
    expect(await said(leads(memoryJournal("empty")))).toBe("run b is not in x");
    const round: JournalPort = {
      ...(await aRun("b")),
      name: "j",
      notes: noted({ head: [head("x", "b")] }).notes as never,
      follow: () => round,
    };
    expect(await said(round)).toBe("the heads form a cycle");
  });
});

describe("a checkpoint", () => {
  it("notes an event, with its name, its line and its time, and as many as may be", async () => {
    const journal = await aRun();
    const clock = virtualClock(77);
    const last = await checkpoint(journal, { clock });
    expect(last).toEqual({
      name: "event-1",
      runId: "r",
      seq: 1,
      hash: expect.any(String),
      events: 2,
      at: 77,
    });
    const first = await checkpoint(journal, { at: 0, name: "begin", clock, limit: 2 });
    expect(first).toMatchObject({ name: "begin", seq: 0, events: 1 });
    expect(first.hash).not.toBe(last.hash);
    expect(await rejection(checkpoint(journal, { at: 0, limit: 2 }))).toMatchObject({
      code: "fork.limit",
    });
    expect(await rejection(checkpoint(journal, { at: 0, name: "begin" }))).toMatchObject({
      code: "fork.exists",
      place: "begin",
    });
    expect(await rejection(checkpoint(journal, { at: 9 }))).toMatchObject({
      code: "fork.point",
      message: "The journal r has no event 9; its last is 1.",
    });
    const rewound = await rewind(journal, { checkpoint: "begin" }, { clock });
    expect(rewound).toMatchObject({ retained: 1, removed: 1 });
    expect((await rejection(rewind(journal, { checkpoint: "none" }))).message).toBe(
      'The journal r has no checkpoint "none"; it has begin, event-1.',
    );
    expect((await rejection(rewind(await aRun(), { checkpoint: "none" }))).message).toBe(
      'The journal r has no checkpoint "none".',
    );
  });
});

describe("a rewind by time", () => {
  it("takes back what came strictly later; what is no time is refused", async () => {
    const journal = memoryJournal("r");
    const clock = virtualClock(1_000);
    const late = scriptedModel(() => {
      clock.advance(500);
      return "Well.";
    });
    await run(talker, "go", { journal, model: late, runId: "r", clock });
    for (const time of [1_000, 1_499, new Date(1_000).toISOString()]) {
      expect(await rewind(journal, { time })).toMatchObject({ retained: 1, removed: 1 });
      await journal.notes?.remove("head", "head");
    }
    expect(await rewind(journal, { time: 1_500 })).toMatchObject({ retained: 2, removed: 0 });
    await journal.notes?.remove("head", "head");
    expect((await rejection(rewind(journal, { time: 999 }))).message).toContain(
      "has no event before that",
    );
    for (const time of ["soon", "1", "2026-02-30", Number.NaN]) {
      expect(await rejection(rewind(journal, { time }))).toMatchObject({
        code: "fork.point",
        message: expect.stringContaining("is not a time"),
      });
    }
  });

  it("notes the head by the name of the fork's journal where the port has no links", async () => {
    const journal = await aRun();
    const { link: _none, ...bare } = journal;
    const forked = await rewind(bare, { at: 0 }, { name: "back", clock: virtualClock(9) });
    expect((await headNote(journal))?.note).toEqual({
      journal: forked.journal.name,
      runId: forked.runId,
      seq: 0,
      removed: 1,
      retained: 1,
      at: 9,
    });
    const linked = await aRun("s");
    const other = await rewind(linked, { at: 0 });
    const head = await headNote(linked);
    expect(linked.follow?.(head?.note.journal ?? "")).toBe(other.journal);
    expect(await headOf(linked)).toBe(other.journal);
  });
});

describe("what was made of a journal", () => {
  it("is a tree of forks, with how far each has come", async () => {
    const journal = await aRun();
    const clock = virtualClock(5);
    const one = await fork(journal, { at: 0, name: "one", runId: "one", clock });
    await fork(one.journal, { name: "below", runId: "below", clock });
    await checkpoint(journal, { name: "here", clock });
    const note = { name: "one", journal: expect.any(String), runId: "one", seq: 0, at: 5 };
    expect(await forks(journal)).toEqual({
      runId: "r",
      events: 2,
      checkpoints: [expect.objectContaining({ name: "here" })],
      forks: [
        {
          ...note,
          path: one.journal.name,
          events: 1,
          forks: [
            {
              ...note,
              name: "below",
              runId: "below",
              path: expect.any(String),
              events: 1,
              forks: [],
            },
          ],
        },
      ],
      malformed: 0,
    });
    const whole = await fork(journal, { name: "whole", clock });
    const tree = await forks(journal);
    expect(tree.forks.map(({ name, events, ended }) => [name, events, ended])).toEqual([
      ["one", 1, undefined],
      ["whole", 2, "done"],
    ]);
    expect(whole).toMatchObject({ retained: 2, removed: 0, children: [], writes: {} });
    await rewind(journal, { at: 0 }, { name: "back", runId: "back", clock });
    expect((await forks(journal)).head).toMatchObject({ runId: "back", seq: 0 });
  });

  it("says of each fork that cannot be read why, and how many notes are none", async () => {
    const other = await aRun("other");
    const own = await aRun();
    const ports: Record<string, JournalPort> = {
      empty: memoryJournal("empty"),
      other,
      broken: {
        ...other,
        name: "broken",
        read: () => {
          throw new Error("EIO");
        },
      },
    };
    const note = (name: string, at: number, runId = name) =>
      JSON.stringify({ ...whole.forks, name, journal: name, runId, at });
    const texts = [note("gone", 1), note("empty", 2), note("other", 3, "x"), note("broken", 4)];
    const port: JournalPort = {
      ...own,
      notes: noted({ forks: [...texts, "{"], checkpoints: ["5", "6"] }).notes as never,
      follow: (link) => ports[link],
    };
    const { forks: found, malformed } = await forks(port);
    expect(
      found.map(({ name, path, missing, events, forks: below }) => {
        expect(below).toEqual([]);
        return [name, path, missing, events];
      }),
    ).toEqual([
      ["gone", "gone", "it leads nowhere", undefined],
      ["empty", "empty", "it is not there", undefined],
      ["other", "other", "it is of run other", undefined],
      ["broken", "broken", expect.stringContaining("EIO"), undefined],
    ]);
    expect(malformed).toBe(3);
    // One that leads to itself is not followed again.
    const round: JournalPort = {
      ...own,
      notes: noted({ forks: [note("me", 1, "r"), "{"] }).notes as never,
      follow: () => round,
    };
    const circle = await forks(round);
    expect(circle.forks[0]?.forks[0]).toMatchObject({ missing: "it leads nowhere", forks: [] });
    expect(circle.malformed).toBe(2);
  });

  it("is refused where a fork has no place, or cannot refer to its run", async () => {
    const journal = await aRun();
    const { fork: _none, ...bare } = journal;
    expect(await rejection(fork(bare))).toMatchObject({
      code: "fork.point",
      message: "The journal r has no place for forks; say where the fork's journal is to be.",
    });
    const { link: _link, ...blind } = memoryJournal("to");
    expect(await rejection(fork(journal, { to: blind, name: "a" }))).toMatchObject({
      code: "fork.point",
      message: "The journal to cannot refer to the run that it is forked from.",
    });
    // What was noted before is taken back.
    expect((await forks(journal)).forks).toEqual([]);
    const { link: _own, ...unlinked } = await aRun();
    const made = await fork(unlinked, { to: memoryJournal("mine") });
    expect(made.journal.name).toBe("mine");
    expect((await readNotes(unlinked, "forks")).notes[0]?.journal).toBe("mine");
  });
});
