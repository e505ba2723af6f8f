// The names of child runs' files stay as they are: a journal of today finds its children tomorrow.
import { expect, it } from "vitest";
import { childFile, fileName } from "../../../../src/adapters/file-journal/child-file.js";

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
