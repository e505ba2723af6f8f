// What is given for JSON Schema and is none is refused where it is defined: by a tool, by an agent's
// output, and by what checks arguments.
import { jsonSchema } from "reckoner/json-schema";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonSchemaFault } from "../../../../../src/core/kernel/vocabulary/index.js";
import { agent, type JsonObject, tool } from "../../../../../src/index.js";
import { refusal } from "../../../../support/thrown.js";

describe("what is not JSON Schema", () => {
  it.each<readonly [JsonObject, string]>([
    [
      { type: "zap" },
      "type must be string, number, integer, boolean, object, array or null, or a list of these; it is a string",
    ],
    [{ type: [] }, "type must be"],
    [{ type: "object", properties: { a: { type: "str" } } }, "properties.a.type must be"],
    [{ properties: ["a"] }, "properties must be an object of schemas by their names"],
    [{ properties: { a: "string" } }, "properties.a must be a schema: an object, true or false"],
    [
      { properties: { a: { type: "string", required: true } } },
      "properties.a.required must be a list of strings; it is true",
    ],
    [{ required: "path" }, "required must be a list of strings; it is a string"],
    [{ enum: "a" }, "enum must be a list of values"],
    [{ items: "string" }, "items must be a schema: an object, true or false or a list of schemas"],
    [{ items: [{ type: "text" }] }, "items[0].type must be"],
    [{ anyOf: [] }, "anyOf must be a list of schemas"],
    [
      { anyOf: [true, { minLength: -1 }] },
      "anyOf[1].minLength must be a whole number, 0 or more; it is -1",
    ],
    [
      { additionalProperties: "no" },
      "additionalProperties must be a schema: an object, true or false",
    ],
    [{ $defs: { a: { not: { pattern: 5 } } } }, "$defs.a.not.pattern must be a string; it is 5"],
    [{ multipleOf: 0 }, "multipleOf must be a number above 0"],
    [{ minimum: "1" }, "minimum must be a number"],
  ])("%j", (schema, words) => {
    expect(jsonSchemaFault(schema)).toContain(words);
  });

  it.each<JsonObject>([
    {},
    { type: ["string", "null"], format: "uri", "x-own": { type: "zap" } },
    { properties: { type: { type: "string" }, required: { type: "boolean" } }, required: [] },
    { const: { type: "zap" }, default: { type: "zap" }, enum: [{ type: "zap" }], examples: ["x"] },
    { minimum: 0, exclusiveMinimum: true },
    { dependencies: { a: ["b"], c: { required: ["d"] } }, items: false },
    z.toJSONSchema(
      z.object({
        a: z.array(z.union([z.string().min(1), z.null()])),
        b: z.record(z.string(), z.int()).optional(),
      }),
    ) as JsonObject,
  ])("is not %j, with keywords of others", (schema) => {
    expect(jsonSchemaFault(schema)).toBeUndefined();
  });

  it("is refused by whoever is given it", () => {
    const properties = { at: { type: "date" } };
    const given = { type: "object", properties };
    const made = refusal(() => tool({ name: "see", jsonSchema: given, reduce: () => 1 }));
    expect([made.code, made.message]).toEqual([
      "tool.invalid",
      expect.stringContaining(
        'Tool "see" cannot be: its jsonSchema is invalid: properties.at.type must be',
      ),
    ]);
    const answering = { schema: z.object({}), jsonSchema: given };
    const output = refusal(() =>
      agent<JsonObject, typeof answering.schema>({ name: "a", output: answering }),
    );
    expect([output.code, output.message]).toEqual([
      "agent.invalid",
      expect.stringContaining("Agent a: output.jsonSchema is invalid: properties.at.type must be"),
    ]);
    const checked = refusal(() => jsonSchema(given));
    expect([checked.code, checked.message]).toEqual([
      "tool.invalid",
      expect.stringContaining("jsonSchema: properties.at.type must be"),
    ]);
  });
});
