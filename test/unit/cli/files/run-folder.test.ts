// The index of a folder: no journal is opened that is as its row says, and whatever is wrong with the index or the
// journals, a list says what the journals say.
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { folderJournals } from "../../../../src/cli/files/journal-files.js";
import { RunFolder } from "../../../../src/cli/files/run-folder.js";
import { agent, run, scriptedModel, summaryOf, tool } from "../../../../src/index.js";
import { fork } from "../../../../src/time-travel.js";
import { anIo } from "../support.js";
import { event, journalOf } from "./plain-journal.js";

const INDEX = ".reckoner-rows";
const DAY = 86_400;

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-rows-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Puts a journal somewhere, as it was written on some day. */
function put(folder: string, name: string, title: string, day = 1, events = 1): void {
  const lines = Array.from({ length: events }, (_, i) =>
    event(i, i === 0 ? { type: "start", input: 1 } : { type: "message", content: "more" }),
  );
  writeFileSync(join(folder, name), journalOf(lines, { runId: name, input: title }));
  touch(folder, name, day);
}

function touch(folder: string, name: string, day: number): void {
  utimesSync(join(folder, name), day * DAY, day * DAY);
}

/** A folder of so many runs, some of them deeper. */
function aFolderOf(count: number): string {
  const folder = aFolder();
  mkdirSync(join(folder, "deep"));
  for (let i = 0; i < count; i++)
    put(folder, `${i % 3 === 0 ? "deep/" : ""}${i}.jsonl`, `run ${i}`);
  return folder;
}

/** A process that lists a folder, and the journals that it reads. */
function lister(folder: string) {
  const opened: string[] = [];
  const runs = new RunFolder(folder, (name) => {
    const port = fileJournal(join(folder, name));
    return {
      ...port,
      read(from) {
        opened.push(name);
        return port.read(from);
      },
    };
  });
  return {
    opened,
    async list() {
      opened.length = 0;
      const { rows, unreadable } = await runs.list(folderJournals(anIo(folder), ".") ?? []);
      return {
        titles: Object.fromEntries(rows.map(({ journal, row }) => [journal, row.title])),
        events: Object.fromEntries(rows.map(({ journal, row }) => [journal, row.events])),
        rows: Object.fromEntries(rows.map(({ journal, row }) => [journal, row])),
        unreadable: unreadable.map(({ name, error }) => [name, (error as { code: string }).code]),
        opened: [...new Set(opened)],
      };
    },
  };
}

/** A list by a process of its own. */
const listed = (folder: string) => lister(folder).list();

/** Asserts that a list says what each journal says. */
async function expectTrue(folder: string, { rows }: { readonly rows: object }): Promise<void> {
  const names = (folderJournals(anIo(folder), ".") ?? []).map(({ name }) => name);
  expect(Object.keys(rows)).toEqual(names);
  for (const name of names) {
    const { journal: _journal, ...row } = await summaryOf(fileJournal(join(folder, name)));
    expect((rows as { readonly [name: string]: object })[name]).toEqual(row);
  }
}

it("opens no journal of 50 whose size and time are as its row says, in any process", async () => {
  const folder = aFolderOf(50);
  const first = await listed(folder);
  expect(first.opened).toHaveLength(50);
  await expectTrue(folder, first);
  const { opened, ...second } = await listed(folder);
  expect(opened).toEqual([]);
  expect(second).toEqual({ ...first, opened: undefined });
  // It lies in the folder that was listed, and moves with it.
  expect(existsSync(join(folder, "deep", INDEX))).toBe(false);
  renameSync(folder, `${folder}-moved`);
  onTestFinished(() => rmSync(`${folder}-moved`, { recursive: true, force: true }));
  expect((await listed(`${folder}-moved`)).opened).toEqual([]);
});

it("opens those alone that have changed, and makes their rows anew", async () => {
  const folder = aFolderOf(10);
  await listed(folder);
  put(folder, "1.jsonl", "run 1", 1, 3);
  put(folder, "new.jsonl", "a new one");
  const again = await listed(folder);
  expect(again.opened).toEqual(["1.jsonl", "new.jsonl"]);
  expect(again.events["1.jsonl"]).toBe(3);
  await expectTrue(folder, again);
  expect((await listed(folder)).opened).toEqual([]);
});

it("compares the last line of a journal whose time alone is another", async () => {
  const folder = aFolderOf(5);
  await listed(folder);
  for (const name of readdirSync(join(folder, "deep"))) touch(folder, `deep/${name}`, 2);
  const process = lister(folder);
  await process.list();
  expect(process.opened).toEqual(["deep/0.jsonl", "deep/3.jsonl"]);
  expect((await listed(folder)).opened).toEqual([]);
});

it("shows what stands in a journal that took the place of another of the same size", async () => {
  const folder = aFolderOf(5);
  await listed(folder);
  const { size } = statSync(join(folder, "1.jsonl"));
  put(folder, "1.jsonl", "mine!", 2);
  expect(statSync(join(folder, "1.jsonl")).size).toBe(size);
  expect((await listed(folder)).titles["1.jsonl"]).toBe("mine!");
  // With neither size nor time it cannot be told: it is a listing.
  put(folder, "1.jsonl", "other", 2);
  expect((await listed(folder)).titles["1.jsonl"]).toBe("mine!");
  touch(folder, "1.jsonl", 3);
  expect((await listed(folder)).titles["1.jsonl"]).toBe("other");
});

it("lists no run that is gone, and lets go of its row", async () => {
  const folder = aFolderOf(200);
  await listed(folder);
  for (let i = 0; i < 150; i++) rmSync(join(folder, `${i % 3 === 0 ? "deep/" : ""}${i}.jsonl`));
  const { titles, opened } = await listed(folder);
  expect([Object.keys(titles).length, opened]).toEqual([50, []]);
  const lines = readFileSync(join(folder, INDEX), "utf8").trim().split("\n");
  expect(lines).toHaveLength(50);
});

it("writes the index anew where most of its lines do not count, and leaves no draft", async () => {
  const folder = aFolderOf(4);
  const process = lister(folder);
  for (let day = 1; day < 60; day++) {
    for (let i = 1; i < 3; i++) touch(folder, `${i}.jsonl`, day);
    await process.list();
  }
  expect(readFileSync(join(folder, INDEX), "utf8").split("\n").length).toBeLessThan(160);
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([INDEX]);
  expect((await listed(folder)).opened).toEqual([]);
});

it("is not believed where a row was changed, as soon as size, time or hash differ", async () => {
  const folder = aFolderOf(3);
  const before = await listed(folder);
  const text = readFileSync(join(folder, INDEX), "utf8");
  const forged = (from: string, to: string) =>
    writeFileSync(join(folder, INDEX), text.replaceAll(from, to));
  forged("run 1", "lies!");
  expect((await listed(folder)).titles["1.jsonl"]).toBe("lies!");
  for (const [from, to] of [
    ['"size":', '"size":1'],
    ['"time":', '"time":1'],
  ] as const) {
    forged("run 1", "lies!");
    const changed = readFileSync(join(folder, INDEX), "utf8").replaceAll(from, to);
    writeFileSync(join(folder, INDEX), changed.replaceAll(/"end":"[^"]*"?/g, '"end":"'));
    const { titles } = await listed(folder);
    expect(titles).toEqual(before.titles);
  }
});

/** Values that a row of somebody else's may have in the place of one of ours. */
const ODD: readonly unknown[] = [null, {}, [], "x", -1.5, [null], [{}], { message: 1 }];

it("takes no row whose parts are not of their kind", async () => {
  const folder = aFolder();
  put(folder, "a.jsonl", "a run");
  const before = await listed(folder);
  const [line = ""] = readFileSync(join(folder, INDEX), "utf8").trim().split("\n");
  const entry = JSON.parse(line);
  const parts = ["runId", "status", "lastAt", "events", "approvals", "timers", "children", "usage"];
  const all = [
    ...parts.map((part) => (odd: unknown) => ({ ...entry, row: { ...entry.row, [part]: odd } })),
    ...Object.keys(entry).map((part) => (odd: unknown) => ({ ...entry, [part]: odd })),
    (odd: unknown) => ({ ...entry, row: { ...entry.row, failure: odd } }),
    (odd: unknown) => ({ ...entry, row: { ...entry.row, link: odd } }),
    (odd: unknown) => odd,
  ];
  for (const made of all) {
    for (const odd of ODD) {
      writeFileSync(join(folder, INDEX), `${JSON.stringify(made(odd))}\n`);
      const { rows, unreadable } = await listed(folder);
      expect(unreadable).toEqual([]);
      const { status, events, approvals, children, usage } = rows["a.jsonl"] as never;
      expect([typeof status, typeof events, typeof usage]).toEqual(["string", "number", "object"]);
      expect([approvals, children].every(Array.isArray)).toBe(true);
    }
  }
  rmSync(join(folder, INDEX));
  expect((await listed(folder)).rows).toEqual(before.rows);
});

it("reads a file that is shorter than a last line, whatever its row says", async () => {
  const folder = aFolder();
  put(folder, "a.jsonl", "a run");
  await listed(folder);
  const entry = JSON.parse(readFileSync(join(folder, INDEX), "utf8"));
  writeFileSync(join(folder, INDEX), `${JSON.stringify({ ...entry, size: 3 })}\n`);
  writeFileSync(join(folder, "a.jsonl"), "abc");
  expect((await listed(folder)).unreadable).toEqual([["a.jsonl", "journal.format"]]);
});

it("goes on behind an index that is torn anywhere", async () => {
  const folder = aFolderOf(3);
  const before = await listed(folder);
  const text = readFileSync(join(folder, INDEX));
  for (let at = 0; at < text.length; at += 17) {
    writeFileSync(join(folder, INDEX), text.subarray(0, at));
    expect((await listed(folder)).rows).toEqual(before.rows);
    expect((await listed(folder)).opened).toEqual([]);
  }
});

it.each<[name: string, make: (path: string) => void]>([
  ["of another version", (path) => appendVersion(path, 1)],
  ["of somebody else", (path) => writeFileSync(path, "\0\uffff\n{}\n[]\nnull\n".repeat(100))],
  ["that is empty", (path) => writeFileSync(path, "")],
  ["that is a folder", (path) => mkdirSync(path)],
  ["that is a link to nothing", (path) => symlinkSync("/nowhere/at/all", path)],
  ["that is a link to itself", (path) => symlinkSync(path, path)],
])("lists a folder with an index %s", async (_name, make) => {
  const folder = aFolderOf(3);
  await listed(folder);
  const text = readFileSync(join(folder, INDEX), "utf8");
  rmSync(join(folder, INDEX));
  writeFileSync(join(folder, "old"), text);
  make(join(folder, INDEX));
  const found = await listed(folder);
  expect([found.opened.length, found.unreadable]).toEqual([3, []]);
  await expectTrue(folder, found);
  await expectTrue(folder, await listed(folder));
});

/** Makes an index of rows that another version made. */
function appendVersion(path: string, version: number): void {
  const old = readFileSync(join(path, "..", "old"), "utf8");
  writeFileSync(path, old.replaceAll('{"version":2', `{"version":${version}`));
}

it.each([
  ["symbolic", symlinkSync],
  ["hard", linkSync],
])("writes through no %s link to a file of somebody's", async (_name, link) => {
  const folder = aFolderOf(3);
  const theirs = join(aFolder(), "theirs");
  writeFileSync(theirs, "precious\n");
  link(theirs, join(folder, INDEX));
  await expectTrue(folder, await listed(folder));
  expect(readFileSync(theirs, "utf8")).toBe("precious\n");
  expect((await listed(folder)).opened).toEqual([]);
});

it("is made by several at once", async () => {
  const folder = aFolderOf(9);
  const all = await Promise.all(Array.from({ length: 4 }, () => listed(folder)));
  for (const each of all) await expectTrue(folder, each);
  expect((await listed(folder)).opened).toEqual([]);
  // Each writes it anew while others append: rows may be made again, and are right.
  const many = Array.from({ length: 4 }, () => lister(folder));
  for (let day = 2; day < 14; day++) {
    for (let i = 0; i < 9; i += 3) put(folder, `deep/${i}.jsonl`, `day ${day}`, day);
    const [one, ...others] = await Promise.all(many.map((each) => each.list()));
    for (const other of others) expect(other.rows).toEqual(one?.rows);
    expect(one?.titles["deep/0.jsonl"]).toBe(`day ${day}`);
  }
  await expectTrue(folder, await listed(folder));
});

it("lists a run that is being written at each of its lines, and torn anywhere", async () => {
  const folder = aFolder();
  const whole = journalOf(
    [0, 1, 2].map((seq) =>
      event(seq, seq === 0 ? { type: "start", input: 1 } : { type: "message", content: "more" }),
    ),
  );
  const path = join(folder, "a.jsonl");
  writeFileSync(path, "");
  const process = lister(folder);
  for (let at = 0; at < whole.length; at += 7) {
    appendFileSync(path, whole.slice(at, at + 7));
    const lines = readFileSync(path, "utf8").split("\n").length - 1;
    for (const list of [process.list, () => listed(folder)]) {
      const { events, unreadable } = await list();
      if (lines === 0) expect(unreadable).toEqual([["a.jsonl", "journal.empty"]]);
      else expect(events["a.jsonl"]).toBe(lines - 1);
    }
  }
});

it("says of a journal that was damaged that it is, and what it says when it is mended", async () => {
  const folder = aFolderOf(3);
  const process = lister(folder);
  await process.list();
  const path = join(folder, "1.jsonl");
  const text = readFileSync(path, "utf8");
  for (const again of [process, lister(folder)]) {
    writeFileSync(path, text.replace("run 1", "nothing"));
    touch(folder, "1.jsonl", 5);
    expect((await again.list()).unreadable).toEqual([["1.jsonl", "journal.chain"]]);
    expect((await again.list()).opened).toEqual([]);
    // Only this process need not look again: another may read more.
    expect((await listed(folder)).opened).toEqual(["1.jsonl"]);
    truncateSync(path, 10);
    expect((await again.list()).unreadable).toEqual([["1.jsonl", "journal.empty"]]);
    writeFileSync(path, text);
    expect((await again.list()).titles["1.jsonl"]).toBe("run 1");
  }
});

it("does not list a fork as before when the run that it shares lines with is gone", async () => {
  const folder = aFolder();
  const look = tool({ name: "look", execute: () => 1 });
  const model = scriptedModel([{ calls: [{ name: "look", input: {} }] }, "Done."]);
  const original = join(folder, "a.jsonl");
  await run(agent({ name: "a", tools: [look] }), "go", { model, journal: original });
  await fork(original, { at: 1, to: join(folder, "f.jsonl") });
  await expectTrue(folder, await listed(folder));
  expect((await listed(folder)).opened).toEqual([]);
  renameSync(original, join(folder, "elsewhere"));
  const { unreadable } = await listed(folder);
  expect(unreadable).toEqual([["f.jsonl", "journal.link"]]);
  renameSync(join(folder, "elsewhere"), original);
  await expectTrue(folder, await listed(folder));
});

it("reads part of a folder, and the rest at the next lists", async () => {
  const folder = aFolderOf(10);
  const found = folderJournals(anIo(folder), ".") ?? [];
  const runs = new RunFolder(folder, (name) => fileJournal(join(folder, name)));
  const counts: number[][] = [];
  for (let i = 0; i < 3; i++) {
    const { rows, pending } = await runs.list(found, 4);
    counts.push([rows.length, pending]);
  }
  expect(counts).toEqual([
    [4, 6],
    [8, 2],
    [10, 0],
  ]);
  expect((await listed(folder)).opened).toEqual([]);
});
