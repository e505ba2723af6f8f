// The names of files after ids stay as they are: a journal of today finds its forks tomorrow.
import { describe, expect, it } from "vitest";
import { fileName } from "../../../../src/adapters/file-journal/file-name.js";
import { childPath, idFromRoot, ofChild, parentOf } from "../../../../src/core/journal/index.js";

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

describe("ids that never meet", () => {
  const long = "x".repeat(4_000);
  const ids = [
    ...[
      "a",
      "a/b",
      "A",
      "a.1",
      "aǍ",
      "a%2fb",
      "a%2Fb",
      "a\\b",
      ".",
      "..",
      "",
      "~",
      "~a",
      "a:b",
      "a%3ab",
    ],
    ...[
      "r:a",
      "a b",
      "a\n",
      "a\0",
      "é",
      "e\u0301",
      "İ",
      "ſ",
      "s",
      "K",
      "k",
      "con",
      long,
      `${long}y`,
      long.toUpperCase(),
    ],
    ...[
      "%",
      "%25",
      "%c7%8d",
      "Ǎ",
      "-",
      "_",
      "\ud800",
      "\udfff",
      "\ufffd",
      "%ud800",
      `${long}\ud800`,
      `${long}\ufffd`,
      "tool/0/0",
      "tool/00",
      "tool%2f0%2f0",
    ],
  ];

  it("have names of their own, also on a file system to which the case does not matter", () => {
    const names = ids.map((id) => fileName(id).toLowerCase().normalize("NFD"));
    expect(new Set(names).size).toBe(ids.length);
    for (const id of ids) {
      const name = fileName(id);
      expect(name).toMatch(/^[a-z0-9_%~-]*$/);
      expect(Buffer.byteLength(`${name}.jsonl.snapshots`)).toBeLessThan(255);
    }
  });

  it("are those of runs and approvals in trees, however deep", () => {
    const pairs = ids.flatMap((a) => ids.map((b) => [a, b] as const));
    const paths = pairs.map(([a, b]) => childPath(childPath("", a), b));
    expect(new Set(paths).size).toBe(pairs.length);
    for (const [n, [a, b]] of pairs.entries()) {
      const path = paths[n] as string;
      expect(parentOf(path)).toEqual([childPath("", a), b]);
    }
    for (const nested of [
      pairs.map(([a, b]) => ofChild(ofChild("r", childPath("", a)), childPath("", b))),
      pairs.map(([a, b]) => idFromRoot(childPath(childPath("", a), b), "approval")),
    ]) {
      expect(new Set(nested).size).toBe(nested.length);
    }
  });
});
