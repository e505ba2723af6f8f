// How answers are compared when thoughts vote: what is said, and not how it is written.
import { describe, expect, it } from "vitest";
import {
  normaliseAnswer,
  normaliseText,
} from "../../../../../src/core/thoughts/operations/vote.js";

describe("an answer as it is compared", () => {
  it.each([
    ["**Answer:** 42.", "42"],
    ["It follows.\n#### 42 !", "42"],
    ["first answer: 1, then the answer is  \\boxed{42}..", "42"],
    ["Forty  Two!?", "forty two!?"],
    ["The answer is **42.** ", "42"],
    ["4.2", "4.2"],
    ["...", ""],
  ])("%j", (content, answer) => {
    expect(normaliseAnswer({ content })).toBe(answer);
  });

  it("is found in a time that its length sets", () => {
    const content = `${".".repeat(1_000_000)}x`;
    expect(normaliseAnswer({ content })).toBe(content);
    expect(normaliseText({ content: ` A${" ".repeat(1_000_000)}b ` })).toBe("a b");
  });
});
