// Arguments that a model in a world calls tools with: they fit, and go to the ends of what fits.

import { describe, expect, it } from "vitest";
import { everyChoice } from "../../../../src/testing/checking/choose.js";
import { sampleSchema } from "../../../../src/testing/index.js";

const all = (schema: object) =>
  everyChoice((choose) => ({ value: sampleSchema(schema as never, choose) }), [{}], 64).found.map(
    ({ value }) => value,
  );

describe.each<[string, object, unknown[]]>([
  ["any number", { type: "integer" }, [1, 0, 2, -3, 10]],
  [
    "what lies between two",
    { type: "integer", minimum: 1, maximum: 1_000 },
    [1, 2, 10, 1_000, 500],
  ],
  ["what lies far off", { type: "number", minimum: 50, maximum: 60 }, [50, 60, 55]],
  ["what is above", { type: "integer", exclusiveMinimum: 0 }, [1, 2, 10]],
  ["what is above, and not whole", { type: "number", exclusiveMinimum: 0 }, [1, 2, 10, 0.5]],
  ["what is below", { type: "integer", exclusiveMaximum: -5 }, [-6]],
  [
    "what is safe",
    { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
    [1, 0, 2, -3, 10],
  ],
  ["any text", { type: "string" }, ["a", "", "two words", "../b", "\u{1F9EA}"]],
  [
    "texts of a length",
    { type: "string", minLength: 3, maxLength: 4 },
    ["aaa", "two ", "../b", "\u{1F9EA}aa"],
  ],
  ["a day", { type: "string", format: "date" }, ["2024-02-29"]],
  [
    "texts of a form that is not known",
    { type: "string", format: "x" },
    ["a", "", "two words", "../b", "\u{1F9EA}"],
  ],
  [
    "what is above, where there is little room",
    { type: "number", exclusiveMinimum: 0, maximum: 0.1 },
    [0.05, 0.1],
  ],
  [
    "what is between, where there is little room",
    { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.1 },
    [0.05],
  ],
  [
    "what is above the higher of two ends",
    { type: "integer", minimum: 20, exclusiveMinimum: 0 },
    [20],
  ],
  [
    "what is below the lower of two ends",
    { type: "integer", maximum: -5, exclusiveMaximum: -5 },
    [-6],
  ],
  [
    "whole numbers between others",
    { type: "integer", minimum: 0.5, exclusiveMaximum: 2.5 },
    [1, 2],
  ],
  [
    "texts of letters, not of characters",
    { type: "string", minLength: 2, maxLength: 2 },
    ["aa", "tw", "..", "\u{1F9EA}a"],
  ],
  ["a list that is not longer", { type: "array", maxItems: 1, items: { const: 1 } }, [[], [1]]],
  [
    "a property of any name",
    JSON.parse('{ "properties": { "__proto__": { "const": 1 } }, "required": ["__proto__"] }'),
    [JSON.parse('{ "__proto__": 1 }')],
  ],
  ["an impossible number", { type: "integer", minimum: 5, maximum: 4 }, [5]],
])("%s", (_, schema, values) => {
  it("fits, the plainest first", () => expect(all(schema)).toEqual(values));
});
