// Texts measured in columns of a terminal, and wrapped to its width.
import { describe, expect, it } from "vitest";
import { columnsOf, endWithin, wrap } from "../../../../src/cli/terminal/columns.js";

describe("the columns of a text", () => {
  it.each([
    ["", 0],
    ["plain ~", 7],
    ["na\u0301ïve", 5],
    ["你好", 4],
    ["한글 ｗ", 7],
    ["👩‍👩‍👧", 2],
    ["❤\uFE0F", 2],
    ["❤", 1],
    ["🇩🇪!", 3],
    ["a\u200bb", 2],
  ])("%j are %d", (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });
});

describe("the end of a text", () => {
  it("is the text where that fits, and else what fits behind a …", () => {
    expect(endWithin("abcdef", 6)).toBe("abcdef");
    expect(endWithin("abcdefg", 6)).toBe("…cdefg");
    expect(endWithin("ab你好你好", 6)).toBe("…你好");
    expect(endWithin("x👩‍👩‍👧👩‍👩‍👧", 4)).toBe("…👩‍👩‍👧");
    expect(endWithin("a".repeat(1_000_000), 20)).toBe(`…${"a".repeat(19)}`);
  });
});

describe("a wrapped line", () => {
  it.each<[string, number, string[]]>([
    ["", 5, [""]],
    ["one two three", 7, ["one two", "three"]],
    ["one two three", 8, ["one two ", "three"]],
    ["  indented text", 10, ["  indented", "text"]],
    ["a   b", 3, ["a", "  b"]],
    ["abcdefgh ij", 4, ["abcd", "efgh", "ij"]],
    ["go abcdefgh", 4, ["go a", "bcde", "fgh"]],
    ["你好你 好", 5, ["你好", "你 好"]],
    ["e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]],
  ])("%j at %d columns", (line, width, lines) => {
    expect(wrap(line, width)).toEqual(lines);
  });

  it("is never wider than it may be, keeps words that fit whole, and loses nothing", () => {
    const words = Array.from({ length: 300 }, (_, i) =>
      "wörd 你 x".repeat((i % 3) + 1).slice(i % 5),
    );
    const line = words.join(" ");
    for (const width of [20, 33, 80]) {
      const lines = wrap(line, width);
      expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(width);
      expect(lines.join(" ").replace(/ +/g, " ")).toBe(line.replace(/ +/g, " "));
    }
  });
});
