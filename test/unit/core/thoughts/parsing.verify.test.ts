// Reading what models say: leniently, safely, at a cost that grows with the text.
import "../../../support/work.js";

import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { parsers } from "../../../../src/thoughts.js";
import { expectFlat } from "../../../support/work.js";

/** Texts with what they say; `null` where nothing can be made of them. */
const table = <T>(name: string): [string, T | null][] =>
  JSON.parse(
    readFileSync(new URL(`../../../fixtures/answers/${name}.json`, import.meta.url), "utf8"),
  );

// The held-out half was written before the parsers, and kept apart while they were; the edges are those
// of single rules; what is odd was written without a look at either parser, to see what is misread.
describe.each(["scores", "scores.held-out", "scores.edges", "scores.odd"])(
  "a score: %s",
  (name) => {
    it.each(table<number>(name))("%j is %s", (text, expected) => {
      expect(parsers.score(text) ?? null).toBe(expected);
    });
  },
);

describe.each(["verdicts", "verdicts.held-out", "verdicts.edges", "verdicts.odd"])(
  "a verdict: %s",
  (name) => {
    it.each(table<boolean>(name))("%j is %s", (text, expected) => {
      expect(parsers.verdict(text) ?? null).toBe(expected);
    });
  },
);

describe("scores", () => {
  it("of several thoughts: an array, or one in each line", () => {
    expect(parsers.scores("so [1, 2.5, 3]")).toEqual([1, 2.5, 3]);
    expect(parsers.scores('{"scores": [{"score": 4}, 5]}')).toEqual([4, 5]);
    expect(parsers.scores("A score: 4\nB score: 6/10")).toEqual([4, 6]);
    expect(parsers.scores("well")).toBeUndefined();
    expect(parsers.scores("A score: 4\nB score: 6-7")).toBeUndefined();
    expect(parsers.scores("[1, 20]")).toBeUndefined();
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
  ])("%j", (text, expected) => expect(parsers.connections(text)).toEqual(expected));
});

describe("JSON in prose", () => {
  it("is found, in order, whatever stands around it", () => {
    expect(parsers.json('First [1, 2], then ```json\n{"a": "}"}\n``` and [3')).toEqual([
      [1, 2],
      { a: "}" },
    ]);
    expect(parsers.json("a [note] and [4]")).toEqual([[4]]);
    expect(parsers.json("no")).toEqual([]);
  });

  it("leaves out what must not enter", () => {
    expect(parsers.json('{"__proto__": {"polluted": true}}')).toEqual([]);
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });

  const readAll = (text: string) => {
    parsers.json(text);
    parsers.score(text);
    parsers.scores(text);
    parsers.verdict(text);
    parsers.connections(text);
  };

  /** Whether a repetition without bound stands before the end: the search may begin anew at each place. */
  const beginsAnew = ({ source }: RegExp) =>
    // Behind a lookbehind, of a run of signs only the first is a beginning.
    !/^(?:\^|\(\?<!(\[[^\]]+\])\)\1\+\$$)/.test(source) &&
    /(?<!\\)(?:[*+]|\{\d+,\})\??(?!$)/.test(source.replace(/\\.|\[(?:\\.|[^\]])*\]/g, "x"));

  /**
   * How many characters regular expressions go through at most while something is done, from their last
   * place to the end of what they find; where they begin anew, the square of it.
   */
  const matchedBy = (work: () => void): number => {
    const searches: (readonly [RegExp, number])[] = [];
    const { exec } = RegExp.prototype;
    const spy = vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (
      this: RegExp,
      text,
    ) {
      const from = this.global || this.sticky ? this.lastIndex : 0;
      const match = exec.call(this, text);
      // Who is sticky, as when a text is split, looks at one place alone.
      const none = this.sticky && !beginsAnew(this) ? from + 1 : text.length;
      searches.push([this, (match === null ? none : match.index + match[0].length) - from]);
      return match;
    });
    work();
    spy.mockRestore();
    return searches.reduce((sum, [by, length]) => sum + (beginsAnew(by) ? length ** 2 : length), 0);
  };

  it.each<[string, (size: number) => string]>([
    ["brackets", (size) => "[".repeat(size)],
    ["braces and quotes", (size) => '{"'.repeat(size / 2)],
    ["signs that end no sentence", (size) => `${"!".repeat(size)}x`],
    ["digits", (size) => "1".repeat(size)],
    ["a label and spaces", (size) => `score${" ".repeat(size / 2)}`.repeat(2)],
    ["connections", (size) => "CONNECTION: [".repeat(size / 13)],
  ])("a flood of %s is read at a cost that grows as it does", async (_, flood) => {
    // What is long enough is not read whole, and would hide what grows.
    const prepare = (size: number) => () => readAll(flood(size));
    await expectFlat(prepare, 1_000, 8_000, 2);
    const [few, many] = [1_000, 8_000].map((size) => matchedBy(prepare(size)));
    expect((many as number) / (few as number)).toBeLessThan(12);
  });
});
