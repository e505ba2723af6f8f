// A journal port of anybody's making throws what it likes: who runs or resumes is told with a code.
import { describe, expect, it } from "vitest";
import { agent } from "../../../../src/core/agent/index.js";
import {
  type JournalNotes,
  type JournalPort,
  type JournalPosition,
  memoryJournal,
  type Observation,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { checkpoint, fixture, fork, forks } from "../../../../src/time-travel/live/index.js";
import { rejection } from "../../../support/thrown.js";

const worker = agent({ name: "worker" });
const model = scriptedModel(["Done."]);
const full = Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });

/** A journal of a run that is done. */
async function runDone(): Promise<JournalPort> {
  const journal = memoryJournal("done");
  await run(worker, "go", { model: scriptedModel(["Done."]), journal });
  return journal;
}

/** A journal whose writers count how often they are closed, and cannot be. */
function unclosable(sound: JournalPort, closed: string[]): JournalPort {
  return {
    ...sound,
    async open(mode) {
      const writer = await sound.open(mode);
      return {
        append: (lines, expected) => writer.append(lines, expected),
        async close() {
          closed.push(sound.name);
          await writer.close();
          throw new Error("the connection is gone: postgres://me:secret@host/db");
        },
      };
    },
    fork: (name) => unclosable(sound.fork?.(name) as JournalPort, closed),
  };
}

describe("a journal that cannot be closed", () => {
  const seen = (told: string[]) => ({
    observers: [
      (each: Observation) => {
        if (each.type === "notice") told.push(`${each.code}: ${each.message}`);
      },
    ],
  });
  const unclosed =
    "journal.unclosed: The journal mine could not be closed, and nothing that was written is lost: the connection is gone: postgres://[masked]@host/db.";

  it("takes nothing from the run: its end is told, and a notice says so, once", async () => {
    const closed: string[] = [];
    const told: string[] = [];
    const journal = unclosable(memoryJournal("mine"), closed);
    const asked = await run(worker, "go", {
      model: scriptedModel(["Done."]),
      journal,
      ...seen(told),
    });
    expect([asked.status, closed, told]).toEqual(["done", ["mine"], [unclosed]]);
    const again = await resume(worker, journal, { model, ...seen(told) });
    expect([again.status, closed, told]).toEqual(["done", ["mine", "mine"], [unclosed, unclosed]]);
  });

  it("hides nothing of what went wrong before", async () => {
    const closed: string[] = [];
    const told: string[] = [];
    const sound = unclosable(memoryJournal("mine"), closed);
    const journal: JournalPort = {
      ...sound,
      open: async (mode) => ({
        ...(await sound.open(mode)),
        append: async () => {
          throw full;
        },
      }),
    };
    expect(await rejection(run(worker, "go", { model, journal, ...seen(told) }))).toMatchObject({
      code: "journal.write",
      cause: full,
    });
    expect([closed, told]).toEqual([["mine"], expect.arrayContaining([unclosed])]);
    const done = await runDone();
    expect(await rejection(fixture(worker, done, journal))).toMatchObject({ cause: full });
  });

  it("is told of where nothing but the journal was to be written: a fork, a recorded case", async () => {
    const closed: string[] = [];
    const sound = await runDone();
    const code = { code: "journal.write", message: expect.stringContaining("could not be closed") };
    expect(await rejection(fork(unclosable(sound, closed), { at: 1 }))).toMatchObject(code);
    expect(
      await rejection(fixture(worker, sound, unclosable(memoryJournal("case"), closed))),
    ).toMatchObject(code);
    expect((await replay(worker, sound)).status).toBe("identical");
  });
});

describe("a journal port that gives something else", () => {
  const unsound = (open: unknown): JournalPort => ({
    ...memoryJournal("mine"),
    open: open as never,
  });
  const bytesOf = async (journal: JournalPort): Promise<Uint8Array> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of journal.read()) pieces.push(piece);
    return Buffer.concat(pieces);
  };

  it("no writer: journal.write", async () => {
    for (const given of [undefined, null, {}, { append: 1 }, "text"]) {
      const journal = unsound(async () => given);
      expect(await rejection(run(worker, "go", { model, journal }))).toMatchObject({
        code: "journal.write",
        message: "The journal mine could not be opened for writing: open gave no writer.",
      });
    }
  });

  it("texts for bytes: journal.unreadable, and not a journal that is empty", async () => {
    const sound = await runDone();
    const text = Buffer.from(await bytesOf(sound)).toString();
    const buffer = new TextEncoder().encode(text).buffer;
    for (const given of [
      text,
      buffer,
      5,
      undefined,
      null,
      new Float64Array(3),
      new DataView(buffer),
    ]) {
      const journal = {
        ...sound,
        read: async function* () {
          yield given as never;
        },
      };
      const told = {
        code: "journal.unreadable",
        message:
          "The journal done could not be read: read gave something that is not a Uint8Array.",
      };
      expect(await rejection(replay(worker, journal))).toMatchObject(told);
      expect(await rejection(resume(worker, journal, { model }))).toMatchObject(told);
    }
  });

  it("bytes in any order of classes, one by one or all at once: they are read", async () => {
    const sound = await runDone();
    const bytes = await bytesOf(sound);
    const others = [
      [bytes],
      [Buffer.from(bytes)],
      [new Uint8Array(), ...Array.from(bytes, (each) => Uint8Array.of(each))],
    ];
    for (const pieces of others) {
      const journal = { ...sound, read: () => pieces as never };
      expect((await replay(worker, journal)).status).toBe("identical");
    }
  });

  it("what can be waited for and is no promise: it is waited for, and its failure has a code", async () => {
    const later = (work: () => unknown) => ({
      // biome-ignore lint/suspicious/noThenProperty: that is the point
      then: (resolve: (value: unknown) => void) => resolve(work()),
    });
    const sound = memoryJournal("mine");
    const lazily = unsound(async () => {
      const writer = await sound.open("create");
      return {
        ...writer,
        append: (lines: readonly string[], at: JournalPosition) =>
          later(() => writer.append(lines, at)),
      };
    });
    expect(
      (await run(worker, "go", { model: scriptedModel(["Done."]), journal: lazily })).status,
    ).toBe("done");
    expect((await replay(worker, sound)).status).toBe("identical");
    const failing = unsound(async () => ({
      ...(await memoryJournal("mine").open("create")),
      append: () => later(() => Promise.reject(full)),
    }));
    expect(await rejection(run(worker, "go", { model, journal: failing }))).toMatchObject({
      code: "journal.write",
      cause: full,
    });
  });

  it("snapshots that are none: the run goes on as without", async () => {
    const sound = await runDone();
    const lists: readonly unknown[] = [
      undefined,
      5,
      [null],
      [{ seq: "0", size: 1 }],
      [{ seq: 1 }],
      [5, [], "0"],
    ];
    for (const list of lists) {
      const snapshots = { ...sound.snapshots, list: async () => list } as never;
      const end = await resume(worker, { ...sound, snapshots }, { model });
      expect([list, end.status]).toEqual([list, "done"]);
    }
  });
});

describe("a journal port that throws without a code", () => {
  it("in opening: journal.write, with what the port said", async () => {
    const journal: JournalPort = {
      ...memoryJournal("mine"),
      open: async () => {
        throw full;
      },
    };
    const told = {
      code: "journal.write",
      message: "The journal mine could not be opened for writing: EMFILE: too many open files.",
      cause: full,
    };
    expect(await rejection(run(worker, "go", { model, journal }))).toMatchObject(told);
    expect(await rejection(resume(worker, journal, { model }))).toMatchObject(told);
  });

  it("in reading: journal.unreadable, and the journal stays as it is", async () => {
    const sound = memoryJournal("mine");
    await run(worker, "go", { model: scriptedModel(["Done."]), journal: sound });
    const journal: JournalPort = {
      ...sound,
      async *read(from) {
        for await (const bytes of sound.read(from)) yield bytes.subarray(0, 10);
        throw full;
      },
    };
    const told = { code: "journal.unreadable", cause: full };
    expect(await rejection(replay(worker, journal))).toMatchObject(told);
    expect(await rejection(resume(worker, journal, { model }))).toMatchObject(told);
    expect((await replay(worker, sound)).status).toBe("identical");
  });

  it("in reading or writing notes: with what was to be done with which", async () => {
    const fails = async () => {
      throw full;
    };
    const sound = memoryJournal("mine");
    await run(worker, "go", { model: scriptedModel(["Done."]), journal: sound });
    const notes = { ...(sound.notes as JournalNotes), list: fails };
    expect(await rejection(forks({ ...sound, notes }))).toMatchObject({
      code: "journal.unreadable",
      message:
        "The journal mine cannot be looked through for its head: EMFILE: too many open files.",
      cause: full,
    });
    const journal = { ...sound, notes: { ...(sound.notes as JournalNotes), write: fails } };
    expect(await rejection(checkpoint(journal, { name: "here" }))).toMatchObject({
      code: "journal.write",
      message:
        "The journal mine cannot have a note of its checkpoints beside it: EMFILE: too many open files.",
      cause: full,
    });
  });
});
