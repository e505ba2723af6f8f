// Reading what models say: leniently, safely, in linear time.
import { describe, expect, it } from "vitest";
import {
  jsonIn,
  parseConnections,
  parseScore,
  parseScores,
  parseVerdict,
} from "../../../../src/index.js";

describe("a score", () => {
  it.each([
    ["Score: 7", 7],
    ["**Score:** 8.5", 8.5],
    ["I give it 7 out of 10.", 7],
    ["Rating is 4/5", 8],
    ["70%", 7],
    ['Here: {"score": 3}. Done.', 3],
    ["Step 1 is fine, step 2 is not. score = 2", 2],
    ["9", 9],
    ["none", undefined],
    ["Score: 70", undefined],
    ["Score: -1", undefined],
    ["", undefined],
    ["4/0", undefined],
  ])("%j is %s", (text, expected) => expect(parseScore(text)).toBe(expected));

  it("of several: an array, or one in each line", () => {
    expect(parseScores("so [1, 2.5, 3]")).toEqual([1, 2.5, 3]);
    expect(parseScores('{"scores": [{"score": 4}, 5]}')).toEqual([4, 5]);
    expect(parseScores("A score: 4\nB score: 6/10")).toEqual([4, 6]);
    expect(parseScores("well")).toBeUndefined();
  });
});

describe("a verdict", () => {
  it.each([
    ["It is valid.", true],
    ["This is not valid", false],
    ["invalid", false],
    ["Yes, at first. But in the end: no", false],
    ['{"valid": true} (no doubt)', true],
    ["perhaps", undefined],
  ])("%j is %s", (text, expected) => expect(parseVerdict(text)).toBe(expected));
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

  it.each([
    ["brackets", "[".repeat(200_000)],
    ["braces and quotes", '{"'.repeat(100_000)],
    ["digits", "1".repeat(200_000)],
    ["a label and spaces", `score${" ".repeat(100_000)}`.repeat(2)],
    ["connections", "CONNECTION: [".repeat(20_000)],
  ])("a flood of %s is read in no time", (_, text) => {
    const began = performance.now();
    jsonIn(text);
    parseScore(text);
    parseScores(text);
    parseVerdict(text);
    parseConnections(text);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
