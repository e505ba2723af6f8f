// Patterns written for an engine without the flag u, as servers of tools have them.
import { describe, expect, it } from "vitest";
import { flagged } from "../../../../src/adapters/json-schema/flagged.js";
import { jsonSchema } from "../../../../src/adapters/json-schema/index.js";
import { validate } from "../../../../src/core/kernel/vocabulary/index.js";

describe("a pattern", () => {
  it.each([
    ["^mailto\\:", ["mailto:a", "mailto:"], ["mail:"]],
    ["^\\d{2}\\-\\d{2,}$", ["12-345"], ["1-2", "12-3"]],
    ["^[\\w\\-\\.\\@]+$", ["a-b.c@d"], ["a b"]],
    ["^{[^}]*}$", ["{x}", "{}"], ["x"]],
    ["^\\#[0-9a-f]{6}$", ["#00ff00"], ["#00ff0"]],
    ["a]$", ["a]"], ["a"]],
    ["^x{,2}$", ["x{,2}"], ["xx"]],
  ])("means the same with the flag: %s", (pattern, good, bad) => {
    expect(() => new RegExp(pattern, "u")).toThrow();
    const written = new RegExp(flagged(pattern), "u");
    const without = new RegExp(pattern);
    for (const text of [...good, ...bad]) expect(written.test(text)).toBe(without.test(text));
    const schema = jsonSchema({ type: "object", properties: { p: { type: "string", pattern } } });
    for (const p of good) expect(validate(schema, { p }).ok).toBe(true);
    for (const p of bad) expect(validate(schema, { p }).ok).toBe(false);
  });

  it("stays as it is where the flag takes it, or no engine does", () => {
    expect(flagged("^\\p{L}+$")).toBe("^\\p{L}+$");
    expect(flagged("(")).toBe("(");
    expect(() => jsonSchema({ pattern: "(" })).toThrow(/is not a regular expression/);
  });

  it("of property names is one as well", () => {
    const schema = jsonSchema({
      type: "object",
      patternProperties: { "^x\\-": { type: "number" } },
      additionalProperties: false,
    });
    expect(validate(schema, { "x-a": 1 }).ok).toBe(true);
    expect(validate(schema, { "x-a": "1" }).ok).toBe(false);
    expect(validate(schema, { y: 1 }).ok).toBe(false);
  });
});
