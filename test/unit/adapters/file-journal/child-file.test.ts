// The names of child runs' files stay as they are: a journal of today finds its children tomorrow.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { childFile, fileName, rootOf } from "../../../../src/adapters/file-journal/child-file.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { folder, refusal } from "./place.js";

it.each([
  ["run_0-a", "run_0-a"],
  ["run/0", "run%2f0"],
  ["A.b c", "%41%2eb%20c"],
  ["é😀", "%c3%a9%f0%9f%98%80"],
  ["\ud800", "%ud800"],
  ["x".repeat(120), "x".repeat(120)],
])("%j is %s", (id, name) => {
  expect(fileName(id)).toBe(name);
});

it("what would be too long for a file system is a digest in one case of letters", () => {
  const name = fileName("x".repeat(121));
  expect(name).toMatch(/^~[0-9a-f]{48}$/);
  expect(fileName("x".repeat(122))).not.toBe(name);
  expect(fileName("A".repeat(41))).toMatch(/^~/);
});

it("lie in a folder of the parent's", () => {
  expect(childFile("/runs/a.jsonl", "run/0")).toBe("/runs/a.jsonl.runs/run%2f0.jsonl");
});

it("have the lock of the journal at the root of their tree, as far as that is there", async () => {
  const at = await folder();
  const root = join(at, "a.jsonl");
  const child = childFile(root, "c");
  const grandchild = childFile(child, "d");
  expect(rootOf(root)).toBe(root);
  expect(rootOf(grandchild)).toBe(grandchild);
  mkdirSync(`${child}.runs`, { recursive: true });
  writeFileSync(child, "");
  expect(rootOf(grandchild)).toBe(child);
  mkdirSync(root);
  expect(rootOf(grandchild)).toBe(child);
  expect(rootOf(`${at}/b.runs.jsonl`)).toBe(`${at}/b.runs.jsonl`);
  const other = join(at, "o.jsonl");
  mkdirSync(`${childFile(other, "c")}.runs`, { recursive: true });
  writeFileSync(other, "");
  writeFileSync(childFile(other, "c"), "");
  expect(rootOf(childFile(childFile(other, "c"), "d"))).toBe(other);
  expect(rootOf(String.raw`${other}.runs\c.jsonl`)).toBe(other);
});

it("cannot be written beside their parent's writer, though they are opened by themselves", async () => {
  const path = join(await folder(), "a.jsonl");
  const parent = fileJournal(path);
  const writer = await parent.open("create");
  const child = parent.child?.("c");
  await (await child?.open("create"))?.close();
  const alone = fileJournal(childFile(path, "c"));
  expect(await refusal(alone.open("append"))).toMatch(/^journal\.locked: /);
  await writer.close();
  const own = await alone.open("append");
  expect(await refusal(fileJournal(path).open("append"))).toMatch(/^journal\.locked: /);
  await own.close();
});
