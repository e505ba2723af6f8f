// A journal copied to another place: the same bytes, snapshots and notes; and nobody goes on with a part.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { agent, resume, run, scriptedModel } from "../../../../src/index.js";
import { type JournalPort, memoryJournal } from "../../../../src/runtime/index.js";
import { checkpoint, copyJournal, forks, rewind } from "../../../../src/time-travel.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const folder = mkdtempSync(join(tmpdir(), "copy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const path = () => join(folder, `${files++}.jsonl`);

const talker = agent({ name: "talker", conversation: true });
const model = scriptedModel((request) => `answer ${request.messages.length} – Grüße 🧪`);

async function conversation(journal: JournalPort): Promise<JournalPort> {
  await run(talker, "one", { model, journal });
  await resume(talker, journal, { model, messages: ["two"] });
  await checkpoint(journal, { name: "first answer", at: 1 });
  return journal;
}

/** A journal that is read a few bytes at a time, and breaks off after so many of them. */
const broken = (port: JournalPort, after: number): JournalPort => ({
  ...port,
  async *read(from = 0) {
    let left = after - from;
    for await (const bytes of port.read(from)) {
      for (let at = 0; at < bytes.length; at += 7) {
        if (left <= 0) throw new Error("gone");
        left -= 7;
        yield bytes.subarray(at, at + 7);
      }
    }
  },
});

it.each(["in memory", "in a file"])(
  "a copy %s has the same bytes, snapshots and notes",
  async (to) => {
    const journal = await conversation(memoryJournal());
    const copy = to === "in memory" ? memoryJournal() : fileJournal(path());
    await copyJournal(broken(journal, Number.POSITIVE_INFINITY), copy);
    expect(await textIn(copy)).toBe(await textIn(journal));
    const kept = async (port: JournalPort) => (await port.snapshots?.list())?.map(({ seq }) => seq);
    expect(await kept(copy)).toEqual(await kept(journal));
    expect(await forks(copy)).toMatchObject({ checkpoints: [{ name: "first answer" }] });
    await resume(talker, copy, { model, messages: ["three"] });
    expect(await rejection(copyJournal(journal, copy))).toMatchObject({ code: "journal.exists" });
  },
);

it("goes by paths as well, without a torn line", async () => {
  const [from, to] = [path(), path()];
  await conversation(fileJournal(from));
  const text = await textIn(fileJournal(from));
  writeFileSync(from, `${text}{"torn`);
  await copyJournal(from, to);
  expect(await textIn(fileJournal(to))).toBe(text);
});

it("is as long as the original has to be: what that has lost is missed in the copy too", async () => {
  const [from, to] = [path(), path()];
  await conversation(fileJournal(from));
  const text = await textIn(fileJournal(from));
  writeFileSync(from, `${text.split("\n").slice(0, 3).join("\n")}\n`);
  await copyJournal(from, to);
  expect(await rejection(resume(talker, to, { model }))).toMatchObject({
    code: "journal.short",
    place: to,
  });
});

it("that was broken off cannot be resumed, and is completed by the next", async () => {
  const journal = await conversation(memoryJournal());
  const text = await textIn(journal);
  const bytes = Buffer.byteLength(text);
  for (const after of [0, 10, bytes >> 1, bytes - 20]) {
    const copy = fileJournal(path());
    expect(await rejection(copyJournal(broken(journal, after), copy))).toMatchObject({
      code: "journal.unreadable",
    });
    expect(await rejection(resume(talker, copy, { model, messages: ["three"] }))).toMatchObject({
      code: "journal.link",
    });
    await copyJournal(journal, copy);
    expect(await textIn(copy)).toBe(text);
    await resume(talker, copy, { model, messages: ["three"] });
  }
});

it("of a run that was rewound is not gone on with where its head leads nowhere", async () => {
  const journal = await conversation(memoryJournal("rewound"));
  await rewind(journal, { at: 1 });
  const copy = memoryJournal("copy");
  await copyJournal(journal, copy);
  expect(await copy.notes?.list("head")).toEqual(await journal.notes?.list("head"));
  expect(await rejection(resume(talker, copy, { model, messages: ["x"] }))).toMatchObject({
    code: "journal.link",
  });
});

it("is none of what is no journal", async () => {
  const file = path();
  writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d, 10]));
  expect(await rejection(copyJournal(file, memoryJournal()))).toMatchObject({
    code: "journal.unreadable",
    message: expect.stringContaining("no UTF-8"),
  });
  expect(await rejection(copyJournal(memoryJournal(), memoryJournal()))).toMatchObject({
    code: "journal.missing",
  });
  const empty = memoryJournal();
  await (await empty.open("create")).close();
  expect(await rejection(copyJournal(empty, memoryJournal()))).toMatchObject({
    code: "journal.empty",
  });
});
