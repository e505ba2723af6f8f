// What is noted beside a journal: each note whole or not at all, its owner's alone, never in the way.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { noteFiles } from "../../../../src/adapters/file-journal/note-files.js";
import { openIn, place } from "./place.js";

async function made() {
  const path = await place();
  return { path, notes: noteFiles(() => path) };
}

describe("notes", () => {
  it("are none where nothing was noted", async () => {
    const { notes } = await made();
    for (const kind of ["head", "checkpoints", "forks"] as const) {
      expect(await notes.list(kind)).toEqual([]);
    }
  });

  it.each(["n\0ne", "n".repeat(300)])("are none where no file can be: %j", async (name) => {
    const notes = noteFiles(() => name);
    for (const kind of ["head", "forks"] as const) expect(await notes.list(kind)).toEqual([]);
  });

  it("lie in files of their own, those of a kind in a folder, the head beside the journal", async () => {
    const { path, notes } = await made();
    expect(await notes.write("checkpoints", "one", "1", undefined)).toBe(true);
    expect(await notes.write("checkpoints", "../two", "2", undefined)).toBe(true);
    expect(await notes.write("head", "any", "h", undefined)).toBe(true);
    expect(readdirSync(dirname(path)).sort()).toEqual(["run.jsonl.checkpoints", "run.jsonl.head"]);
    expect(readdirSync(`${path}.checkpoints`).sort()).toEqual(["%2e%2e%2ftwo.json", "one.json"]);
    expect([...(await notes.list("checkpoints"))].sort()).toEqual(["1", "2"]);
    expect(await notes.list("head")).toEqual(["h"]);
    for (const file of [`${path}.head`, `${path}.checkpoints/one.json`]) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    expect(statSync(`${path}.checkpoints`).mode & 0o777).toBe(0o700);
  });

  it("that are new replace none, and those over another do", async () => {
    const { path, notes } = await made();
    await notes.write("forks", "a", "first", undefined);
    expect(await notes.write("forks", "a", "second", undefined)).toBe(false);
    expect(await notes.list("forks")).toEqual(["first"]);
    expect(await notes.write("forks", "a", "third", "another")).toBe(false);
    expect(await notes.write("forks", "b", "third", "gone")).toBe(false);
    expect(await notes.write("forks", "a", "third", "first")).toBe(true);
    expect(await notes.list("forks")).toEqual(["third"]);
    expect(readdirSync(`${path}.forks`)).toEqual(["a.json"]);
  });

  it("are written where files can have no second name, and replace none there either", async () => {
    const { path } = await made();
    const link = () => {
      throw Object.assign(new Error("EPERM: operation not permitted, link"), { code: "EPERM" });
    };
    const notes = noteFiles(() => path, { ...nodeCalls, link });
    expect(await notes.write("forks", "a", "first", undefined)).toBe(true);
    expect(await notes.write("forks", "a", "second", undefined)).toBe(false);
    expect(await notes.list("forks")).toEqual(["first"]);
    expect(readdirSync(`${path}.forks`)).toEqual(["a.json"]);
    expect(statSync(`${path}.forks/a.json`).mode & 0o777).toBe(0o600);
  });

  it("are removed one by one, and what is not there is gone already", async () => {
    const { notes } = await made();
    await notes.write("forks", "a", "A", undefined);
    await notes.write("forks", "b", "B", undefined);
    await notes.remove("forks", "a");
    await notes.remove("forks", "a");
    expect(await notes.list("forks")).toEqual(["B"]);
  });

  it("that cannot be written say so, and leave no draft", async () => {
    const { path, notes } = await made();
    mkdirSync(`${path}.head`);
    expect(await notes.write("head", "any", "h", undefined)).toBe(false);
    const rename = () => Promise.reject(new Error("EIO"));
    const failing = noteFiles(() => path, { ...nodeCalls, rename });
    await failing.write("forks", "a", "first", undefined);
    await expect(failing.write("forks", "a", "second", "first")).rejects.toThrow("EIO");
    expect(await notes.list("forks")).toEqual(["first"]);
    expect(readdirSync(dirname(path))).toEqual(["run.jsonl.forks", "run.jsonl.head"]);
    expect(readdirSync(`${path}.forks`)).toEqual(["a.json"]);
  });

  it("are durable when they are written: the text before its name, and the name in its folder", async () => {
    const { path } = await made();
    const done: string[] = [];
    const said = (file: string) => file.replace(path, "run").replace(/[0-9a-f]{12}/, "x");
    const notes = noteFiles(() => path, {
      ...nodeCalls,
      syncPath(file) {
        done.push(`sync ${file === dirname(path) ? "folder" : said(file)}`);
        return nodeCalls.syncPath(file);
      },
      link(from, to) {
        done.push(`link ${said(to)}`);
        return nodeCalls.link(from, to);
      },
      rename(from, to) {
        done.push(`rename ${said(to)}`);
        return nodeCalls.rename(from, to);
      },
    });
    await notes.write("head", "any", "1", undefined);
    expect(done.splice(0)).toEqual(["sync run.head.x.tmp", "link run.head", "sync folder"]);
    await notes.write("head", "any", "2", "1");
    expect(done.splice(0)).toEqual(["sync run.head.x.tmp", "rename run.head", "sync folder"]);
    await notes.write("checkpoints", "a", "1", undefined);
    expect(done).toEqual([
      "sync folder",
      "sync run.checkpoints/a.json.x.tmp",
      "link run.checkpoints/a.json",
      "sync run.checkpoints",
    ]);
  });

  it("are without a text where something else lies in their place, and hang nobody", async () => {
    const { path, notes } = await made();
    mkdirSync(`${path}.checkpoints/folder.json`, { recursive: true });
    execFileSync("mkfifo", [`${path}.checkpoints/pipe.json`]);
    symlinkSync("nowhere", `${path}.checkpoints/link.json`);
    writeFileSync(`${path}.checkpoints/draft.json.tmp`, "half");
    writeFileSync(`${path}.checkpoints/good.json`, "good");
    expect([...(await notes.list("checkpoints"))].sort()).toEqual(["", "", "", "good"]);
    expect(readFileSync(`${path}.checkpoints/draft.json.tmp`, "utf8")).toBe("half");
  });

  it("are read up to 16 MiB, and a longer one is without a text", async () => {
    const { path, notes } = await made();
    writeFileSync(`${path}.head`, "");
    truncateSync(`${path}.head`, 16 * 1024 * 1024);
    expect((await notes.list("head"))[0]).toHaveLength(16 * 1024 * 1024);
    truncateSync(`${path}.head`, 16 * 1024 * 1024 + 1);
    expect(await notes.list("head")).toEqual([""]);
  });

  it("are noted of a journal whose folder is there, and no folder is made for it", async () => {
    const at = dirname(await place());
    const notes = noteFiles(() => `${at}/none/run.jsonl`);
    await expect(notes.write("head", "h", "h", undefined)).rejects.toThrow("ENOENT");
    expect(readdirSync(at)).toEqual([]);
  });

  it("are none of a journal below what is no folder", async () => {
    const path = await place();
    writeFileSync(path, "");
    const notes = noteFiles(() => `${path}/run.jsonl`);
    for (const kind of ["head", "checkpoints", "forks"] as const) {
      expect(await notes.list(kind)).toEqual([]);
    }
  });

  it("leave no file open behind them", async () => {
    const { path, notes } = await made();
    for (let i = 0; i < 20; i++) await notes.write("forks", `n${i}`, "noted", undefined);
    truncateSync(`${path}.forks/n3.json`, 16 * 1024 * 1024 + 1);
    expect(await notes.list("forks")).toHaveLength(20);
    expect(openIn(dirname(path))).toEqual([]);
  });

  it("of a folder that cannot be read are no notes that are not there", async () => {
    const { path, notes } = await made();
    writeFileSync(`${path}.forks`, "no folder");
    await expect(notes.list("forks")).rejects.toThrow("ENOTDIR");
    symlinkSync("nowhere", `${path}.checkpoints`);
    await expect(notes.list("checkpoints")).rejects.toThrow("ENOENT");
  });
});
