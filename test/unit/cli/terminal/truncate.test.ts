// Texts that are cut for people: no half of a letter is shown, wherever the cut falls.
import { describe, expect, it } from "vitest";
import { junitOf } from "../../../../src/cli/terminal/junit.js";
import { paragraph } from "../../../../src/cli/terminal/paragraph.js";
import { shortened } from "../../../../src/cli/terminal/print-difference.js";
import { fitted, slice } from "../../../../src/cli/terminal/truncate.js";

const HALF = /\p{Surrogate}/u;
const text = "🙂🙃".repeat(10);

describe("a cut", () => {
  it("leaves a letter out that it falls into", () => {
    for (let from = 0; from <= 5; from++) {
      for (let until = from; until <= 9; until++)
        expect(slice(text, from, until)).not.toMatch(HALF);
    }
    expect(slice("a🙂b", 0, 2)).toBe("a");
    expect(slice("a🙂b", 2, 4)).toBe("b");
    expect(slice("a🙂b", 1, 3)).toBe("🙂");
  });

  it("fits from the beginning, within a width", () => {
    expect(fitted("a🙂b", 4)).toBe("a🙂b");
    expect(fitted("a🙂bc", 3)).toBe("a…");
  });
});

it.each([0, 1])("a paragraph shows letters whole, %i letters behind its beginning", (n) => {
  const long = `${"x".repeat(n)}${"🙂".repeat(9_000)}`;
  for (const full of [true, false]) {
    const lines = paragraph("", long, "", { columns: 41, full });
    expect(lines.join("\n")).not.toMatch(HALF);
    if (full) expect(lines.join("")).toBe(long);
  }
});

it.each([0, 1])("a difference shows letters whole, %i letters behind its beginning", (n) => {
  const long = `${"x".repeat(n)}${"🙂".repeat(700)}`;
  for (const side of shortened(`${long}a${long}x`, `${long}b${long}x`)) {
    expect(side).not.toMatch(HALF);
  }
});

it.each([0, 1])("JUnit has letters whole, %i letters behind the message's beginning", (n) => {
  const message = `${"x".repeat(n)}${"🙂".repeat(4_000)}`;
  const xml = junitOf("a", [{ suite: "s", name: "n", error: message }]);
  expect(xml).not.toMatch(/\p{Surrogate}|\\ud83d/u);
});
