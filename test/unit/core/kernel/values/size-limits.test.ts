// A text that is too long is cut once, however often it is looked at, and says how much is missing.
import { expect, it } from "vitest";
import { cutText } from "../../../../../src/core/kernel/values/index.js";

it("leaves a text as it is that is short enough, or was cut before", () => {
  expect(cutText("short", 5)).toBe("short");
  const cut = cutText("x".repeat(1_000), 10);
  expect(cut).toBe(`${"x".repeat(10)} [cut: 990 more characters]`);
  expect(cutText(cut, 10)).toBe(cut);
});

it("says of a text that is cut again how many are missing of the first", () => {
  const cut = cutText("x".repeat(1_000), 100);
  expect(cutText(cut, 10)).toBe(`${"x".repeat(10)} [cut: 990 more characters]`);
});

it("cuts no letter in half", () => {
  expect(cutText("ab😀cd", 3)).toBe("ab [cut: 4 more characters]");
});
