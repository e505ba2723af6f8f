// A journal port of anybody's making throws what it likes: who runs or resumes is told with a code.
import { describe, expect, it } from "vitest";
import { agent } from "../../../../src/core/agent/index.js";
import {
  checkpoint,
  fixture,
  fork,
  forks,
  type JournalNotes,
  type JournalPort,
  memoryJournal,
  type Observation,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
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
    child: (id) => unclosable(sound.child?.(id) as JournalPort, closed),
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
