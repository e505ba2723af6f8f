import { describe, expect, it } from "vitest";
import { spokenText } from "../../../../../src/core/kernel/vocabulary/index.js";

describe("what a model's text says behind its thinking", () => {
  it.each([
    ["Five.", "Five."],
    ["\ufeff Five. ", "Five. "],
    ["<think>Two and three.</think>\n\nFive.", "Five."],
    ["<think>\n</think><think>Again.</think> Five.", "Five."],
    ["<Thinking>Two.</Thinking>Five.", "Five."],
    ["<reasoning>Two.</reasoning>Five.", "Five."],
    ["Two and three.</think>Five.", "Five."],
    ["<think>Two and three", ""],
    ["<think>Two.</think>", ""],
    // A text about the tags is no thinking.
    ["Close it with </think>", "Close it with </think>"],
    ["The tag <think>x</think> is for models.", "is for models."],
    ["<b>Five.</b>", "<b>Five.</b>"],
    ["<think>a</think>Write </think> behind it.", "Write </think> behind it."],
    ["", ""],
  ])("%j says %j", (text, said) => expect(spokenText(text)).toBe(said));

  it("is looked for in a time that the text's length sets", () => {
    expect(spokenText("<think>x</think>".repeat(100_000))).toBe("");
    expect(spokenText(`<think>${"<think>".repeat(100_000)}`)).toBe("");
    expect(spokenText(`${" ".repeat(500_000)}x`)).toBe("x");
  });
});
