// Snapshots are side files that can be lost: each replaced as a whole, its owner's alone, never in the way.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import type { SnapshotStore } from "../../../../src/runtime/index.js";
import { place } from "./place.js";

const storeOf = (path: string) => fileJournal(path).snapshots as SnapshotStore;

it("lie in a folder beside the journal, and leave no draft", async () => {
  const path = await place();
  expect(await storeOf(path).write(3, () => "state")).toBe(5);
  expect(readFileSync(`${path}.snapshots/3.json`, "utf8")).toBe("state");
  expect(readdirSync(`${path}.snapshots`)).toEqual(["3.json"]);
});

it("are their owner's alone, as the journal is", async () => {
  const path = await place();
  await storeOf(path).write(3, () => "state");
  await (await fileJournal(path).open("create")).close();
  for (const each of [path, `${path}.snapshots/3.json`])
    expect(statSync(each).mode & 0o777).toBe(0o600);
  expect(statSync(`${path}.snapshots`).mode & 0o777).toBe(0o700);
});

it("do not pile up as drafts of killed processes", async () => {
  const path = await place();
  mkdirSync(`${path}.snapshots`);
  writeFileSync(`${path}.snapshots/7.json.tmp`, "half of a much longer st");
  const store = storeOf(path);
  await store.write(8, () => "state");
  expect(await store.list()).toEqual([{ seq: 8, size: 5 }]);
  expect(readdirSync(`${path}.snapshots`)).toEqual(["8.json"]);
});

it("are found by a link to the journal", async () => {
  const path = await place();
  writeFileSync(path, "");
  await storeOf(path).write(3, () => "state");
  const link = join(dirname(path), "link.jsonl");
  symlinkSync(path, link);
  expect(await storeOf(link).read(3)).toBe("state");
});

it("hang nobody and kill nobody, whatever lies in their place", async () => {
  const path = await place();
  mkdirSync(`${path}.snapshots/1.json`, { recursive: true });
  execFileSync("mkfifo", [`${path}.snapshots/2.json`]);
  symlinkSync(`${path}.snapshots/3.json`, `${path}.snapshots/3.json`);
  writeFileSync(`${path}.snapshots/x.json`, "?");
  const store = storeOf(path);
  expect(await store.list()).toEqual([]);
  expect(await store.read(2)).toBeUndefined();
  for (const seq of [1, 3]) {
    const read = await store.read(seq).catch(() => undefined);
    expect(read).toBeUndefined();
  }
});

it("can be tried again where one could not be written", async () => {
  const path = await place();
  writeFileSync(`${path}.snapshots`, "in the way");
  await expect(storeOf(path).write(1, () => "state")).rejects.toThrow();
  await expect(
    storeOf(path).write(1, () => {
      throw new RangeError("Invalid string length");
    }),
  ).rejects.toThrow("Invalid string length");
});

it("that are being drafted are left alone by whoever only reads", async () => {
  const path = await place();
  mkdirSync(`${path}.snapshots`);
  writeFileSync(`${path}.snapshots/7.json.tmp`, "half");
  expect(await storeOf(path).list()).toEqual([]);
  expect(readdirSync(`${path}.snapshots`)).toEqual(["7.json.tmp"]);
});

it("wait for no pipe that lies where they are drafted", async () => {
  const path = await place();
  const store = storeOf(path);
  await store.write(1, () => "one");
  execFileSync("mkfifo", [`${path}.snapshots/2.json.tmp`]);
  await store.write(2, () => "two");
  expect(readFileSync(`${path}.snapshots/2.json`, "utf8")).toBe("two");
});
