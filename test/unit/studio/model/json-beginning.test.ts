import { describe, expect, it } from "vitest";
import { jsonBeginning } from "../../../../src/studio/model/index.js";

describe("the beginning of a value as JSON", () => {
  it("is all of a short one, and of a text the text itself", () => {
    for (const value of [{ a: [1, null, "x"], b: { c: true } }, [], {}, 7, null])
      expect(jsonBeginning(value, 100)).toBe(JSON.stringify(value));
    expect(jsonBeginning("as it is", 4)).toBe("as i");
    const named = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
    expect(jsonBeginning(named, 100)).toBe('{"__proto__":{"a":1},"constructor":2}');
  });

  it("costs what is asked for, however long the value is", () => {
    let read = 0;
    const item = (): never =>
      Object.defineProperty({}, "text", {
        enumerable: true,
        get: () => {
          read += 1;
          return "z".repeat(1_000);
        },
      }) as never;
    for (const value of [
      Array.from({ length: 10_000 }, item),
      Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`p${i}`, item()])),
    ]) {
      read = 0;
      const text = jsonBeginning(value as never, 300);
      expect(text.length).toBeLessThan(2_000);
      expect(JSON.stringify(value).startsWith(text.slice(0, 300))).toBe(true);
      read = 0;
      jsonBeginning(value as never, 300);
      expect(read).toBeLessThan(3);
    }
    expect(jsonBeginning(["z".repeat(5_000_000)], 300).length).toBeLessThan(400);
  });
});
