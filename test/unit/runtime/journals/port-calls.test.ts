// A journal port of anybody's making throws what it likes: who runs or resumes is told with a code.
import { describe, expect, it } from "vitest";
import { agent } from "../../../../src/core/agent/index.js";
import {
  checkpoint,
  forks,
  type JournalNotes,
  type JournalPort,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { rejection } from "../../../support/thrown.js";

const worker = agent({ name: "worker" });
const model = scriptedModel(["Done."]);
const full = Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });

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
