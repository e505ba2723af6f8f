// Texts set for a terminal: whole, no wider than it, and in a time that their length sets.
import { describe, expect, it } from "vitest";
import { paragraph } from "../../../../src/cli/terminal/paragraph.js";

const full = { columns: 40, full: true };
const words = (n: number) => Array.from({ length: n }, (_, i) => `word${i}`).join(" ");

describe("a paragraph", () => {
  it.each([
    ["a word", "x".repeat(200_000)],
    ["a word of wide letters", "你".repeat(100_000)],
    ["spaces", `a${" ".repeat(200_000)}b`],
    ["marks", "a\u0301\u0302\u0303".repeat(25_000)],
    ["words", words(400)],
    ["wide letters and words", `${"你好".repeat(9)} `.repeat(60)],
    ["emoji of several parts", "👩‍👩‍👧 ".repeat(150)],
  ])("of %s that is very long is set, and nothing of it is lost", (_what, text) => {
    const lines = paragraph("", text, "", full);
    expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    expect(paragraph("", text, "", { columns: 40, full: false })).toHaveLength(12);
  });

  it("is cut at twelve lines, and says how much there is", () => {
    const cut = (text: string) => paragraph("", text, "", { columns: 40, full: false });
    expect(cut("x".repeat(480))).toHaveLength(12);
    expect(cut("x".repeat(481)).slice(10)).toEqual([
      "x".repeat(40),
      "… (2 more lines; --full shows them)",
    ]);
    expect(cut("x".repeat(8_000)).at(-1)).toBe("… (189 more lines; --full shows them)");
    expect(cut("x".repeat(8_001)).at(-1)).toBe("… (8001 letters in all; --full shows them)");
    // No more of it is wrapped than may be shown.
    expect(cut("👩‍👩‍👧".repeat(2_000_000)).at(-1)).toMatch(/^… \(\d+ letters in all; /);
  });

  it("of nothing is an empty line", () => {
    expect(paragraph("", "", "  ", full)).toEqual([""]);
  });
});
