// Journals in a folder and texts in files: which files are journals, what an index file keeps, and
// what becomes of a draft that cannot take its place.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { agent, scriptedModel } from "../../../../src/index.js";
import { fileTextStore, folderJournals, folderTraces } from "../../../../src/trace/files/index.js";
import { rejection } from "../../../support/thrown.js";
import { lived } from "../../../support/traced.js";

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-trace-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const talker = agent({ name: "talker" }) as never;
const record = (path: string, runId: string) =>
  lived(talker, "hello", { journal: fileJournal(path), model: scriptedModel(["Hi."]), runId });

describe("the journals of a folder", () => {
  it("are its .jsonl files and those of the folders in it, in order, and nothing else", async () => {
    const folder = temporary();
    for (const name of ["b", "b/c", "a.jsonl"]) mkdirSync(join(folder, name));
    for (const name of [
      "z.jsonl",
      "c.jsonl",
      "note.txt",
      "jsonl",
      "b.jsonl",
      "b/c/x.jsonl",
      "a.jsonl/y.jsonl",
    ])
      writeFileSync(join(folder, name), "");
    const names = (await folderJournals(folder)).map(({ name }) => name);
    expect(names).toEqual(
      ["a.jsonl/y.jsonl", "b.jsonl", "b/c/x.jsonl", "c.jsonl", "z.jsonl"].map((name) =>
        join(folder, name),
      ),
    );
  });

  it("may be links to files; one that leads nowhere or to a folder is passed over", async () => {
    const folder = temporary();
    const elsewhere = temporary();
    writeFileSync(join(elsewhere, "real.jsonl"), "");
    symlinkSync(join(elsewhere, "real.jsonl"), join(folder, "linked.jsonl"));
    symlinkSync(join(elsewhere, "gone.jsonl"), join(folder, "dangling.jsonl"));
    symlinkSync(folder, join(folder, "round.jsonl"));
    const names = (await folderJournals(folder)).map(({ name }) => name);
    expect(names).toEqual([join(folder, "linked.jsonl")]);
  });

  it("cannot be told where a folder cannot be read: it is named, and why", async () => {
    const file = join(temporary(), "file");
    writeFileSync(file, "");
    expect(await rejection(folderJournals(file))).toMatchObject({
      code: "trace.unreachable",
      place: file,
      message: expect.stringMatching(/^The folder .*file cannot be read: .*ENOTDIR/),
      cause: { code: "ENOTDIR" },
    });
  });
});

describe("the traces of a folder", () => {
  it("are kept in an index file, in the folder or where it is said, or nowhere", async () => {
    const folder = temporary();
    await record(join(folder, "one.jsonl"), "one");
    const files = () => readdirSync(folder).filter((name) => !name.endsWith(".snapshots"));
    const ids = async (options?: object) =>
      (await folderTraces(folder, options).read({}, {})).events.map(({ id }) => id);
    const expected = ["one#@0", "one#llm/0"];

    expect(await ids({ indexFile: false })).toEqual(expected);
    expect(existsSync("false")).toBe(false);
    expect(files()).toEqual(["one.jsonl"]);

    const elsewhere = join(temporary(), "index");
    expect(await ids({ indexFile: elsewhere })).toEqual(expected);
    expect(files()).toEqual(["one.jsonl"]);
    expect(readFileSync(elsewhere, "utf8")).toContain("one#llm/0");

    expect(await ids()).toEqual(expected);
    expect(files().sort()).toEqual([".reckoner-trace", "one.jsonl"]);
    expect(await ids()).toEqual(expected);
  });

  it("may be of one journal file, whatever its name, beside which nothing is kept", async () => {
    const folder = temporary();
    for (const name of ["one.jsonl", "two"]) {
      await record(join(folder, name), name);
      const { events, unread } = await folderTraces(join(folder, name)).read({}, {});
      expect(unread).toEqual([]);
      expect(events.map(({ id }) => id)).toEqual([`${name}#@0`, `${name}#llm/0`]);
    }
    const files = readdirSync(folder).filter((name) => !name.endsWith(".snapshots"));
    expect(files.sort()).toEqual(["one.jsonl", "two"]);
    expect(await rejection(folderTraces(join(folder, "gone.jsonl")).read({}, {}))).toMatchObject({
      code: "trace.unreachable",
    });
  });

  it("have the folder's name, unless they are given one", () => {
    expect(folderTraces("somewhere").name).toBe("somewhere");
    expect(folderTraces("somewhere", { name: "ours" }).name).toBe("ours");
  });
});

describe("a text in a file", () => {
  it("is what was saved last, and nothing where nothing was", async () => {
    const folder = temporary();
    const text = fileTextStore(join(folder, "index"));
    expect(await text.load()).toBeUndefined();
    await text.save("one");
    await text.save("two");
    expect(await text.load()).toBe("two");
    expect(readdirSync(folder)).toEqual(["index"]);
    expect(statSync(join(folder, "index")).mode & 0o777).toBe(0o600);
  });

  it("that cannot be read is not a string that is not there", async () => {
    const folder = temporary();
    await expect(fileTextStore(folder).load()).rejects.toMatchObject({ code: "EISDIR" });
  });

  it("that cannot take its place leaves no draft, and what was there", async () => {
    const folder = temporary();
    const path = join(folder, "index");
    mkdirSync(path);
    writeFileSync(join(path, "in-the-way"), "");
    await expect(fileTextStore(path).save("one")).rejects.toMatchObject({ syscall: "rename" });
    expect(readdirSync(folder)).toEqual(["index"]);
  });

  it("whose draft cannot be written says so, and not that there is no draft to take away", async () => {
    const path = join(temporary(), "no-folder", "index");
    await expect(fileTextStore(path).save("one")).rejects.toMatchObject({ syscall: "open" });
  });
});
