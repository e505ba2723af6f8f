// Reading what models say: leniently, safely, in linear time.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  jsonIn,
  parseConnections,
  parseScore,
  parseScores,
  parseVerdict,
} from "../../../../src/thoughts.js";

/** Texts with what they say; `null` where nothing can be made of them. */
const table = <T>(name: string): [string, T | null][] =>
  JSON.parse(
    readFileSync(new URL(`../../../fixtures/answers/${name}.json`, import.meta.url), "utf8"),
  );

// The held-out half was written before the parsers, and kept apart while they were.
describe.each(["scores", "scores.held-out"])("a score: %s", (name) => {
  it.each(table<number>(name))("%j is %s", (text, expected) => {
    expect(parseScore(text) ?? null).toBe(expected);
  });
});

describe.each(["verdicts", "verdicts.held-out"])("a verdict: %s", (name) => {
  it.each(table<boolean>(name))("%j is %s", (text, expected) => {
    expect(parseVerdict(text) ?? null).toBe(expected);
  });
});

describe("scores", () => {
  it("of several thoughts: an array, or one in each line", () => {
    expect(parseScores("so [1, 2.5, 3]")).toEqual([1, 2.5, 3]);
    expect(parseScores('{"scores": [{"score": 4}, 5]}')).toEqual([4, 5]);
    expect(parseScores("A score: 4\nB score: 6/10")).toEqual([4, 6]);
    expect(parseScores("well")).toBeUndefined();
    expect(parseScores("A score: 4\nB score: 6-7")).toBeUndefined();
    expect(parseScores("[1, 20]")).toBeUndefined();
  });
});

describe("connections", () => {
  it.each([
    ["CONNECTION: [a] -> [b] : [why]", [{ from: "a", to: "b", description: "why" }]],
    [
      "- **CONNECTION:** [a/0] → [b] : they agree",
      [{ from: "a/0", to: "b", description: "they agree" }],
    ],
    ["connection: [a] -> [b]: x", [{ from: "a", to: "b", description: "x" }]],
    ["CONNECTION: a -> b : no brackets", []],
    ["CONNECTION: [a] -> [b] :  ", []],
    ["none", []],
  ])("%j", (text, expected) => expect(parseConnections(text)).toEqual(expected));
});

describe("JSON in prose", () => {
  it("is found, in order, whatever stands around it", () => {
    expect(jsonIn('First [1, 2], then ```json\n{"a": "}"}\n``` and [3')).toEqual([
      [1, 2],
      { a: "}" },
    ]);
    expect(jsonIn("a [note] and [4]")).toEqual([[4]]);
    expect(jsonIn("no")).toEqual([]);
  });

  it("leaves out what must not enter", () => {
    expect(jsonIn('{"__proto__": {"polluted": true}}')).toEqual([]);
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });

  const readAll = (text: string) => {
    jsonIn(text);
    parseScore(text);
    parseScores(text);
    parseVerdict(text);
    parseConnections(text);
  };
  /** The least time of several readings: what else the machine does only adds to it. */
  const timeOf = (text: string) => {
    const times = Array.from({ length: 5 }, () => {
      const began = performance.now();
      readAll(text);
      return performance.now() - began;
    });
    return Math.min(...times);
  };

  it.each<[string, (size: number) => string]>([
    ["brackets", (size) => "[".repeat(size)],
    ["braces and quotes", (size) => '{"'.repeat(size / 2)],
    ["digits", (size) => "1".repeat(size)],
    ["a label and spaces", (size) => `score${" ".repeat(size / 2)}`.repeat(2)],
    ["connections", (size) => "CONNECTION: [".repeat(size / 13)],
  ])("a flood of %s is read in time that grows as it does", (_, flood) => {
    readAll(flood(25_000));
    // Eight times as much: were it quadratic, it would take sixty-four times as long.
    expect(timeOf(flood(200_000)) / timeOf(flood(25_000))).toBeLessThan(32);
  });
});
