// Null where an optional property was meant to be absent: strict modes have no other word for it.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonSchema } from "../../../../../src/adapters/json-schema/index.js";
import { admitsObject, validate } from "../../../../../src/core/kernel/vocabulary/index.js";
import { tool } from "../../../../../src/index.js";

const address = z.object({ street: z.string(), flat: z.number().optional() });
const person = z.object({
  name: z.string(),
  age: z.number().optional(),
  nick: z.string().nullable(),
  note: z.string().nullish(),
  homes: z.array(address),
});

describe("a null", () => {
  it("that the schema refuses is an absent optional property, at any depth", () => {
    const given = {
      name: "A",
      age: null,
      nick: null,
      note: null,
      homes: [{ street: "s", flat: null }],
    };
    expect(validate(person, given)).toEqual({
      ok: true,
      value: { name: "A", nick: null, note: null, homes: [{ street: "s" }] },
    });
    expect(given.age).toBeNull();
  });

  it("that stands for a required property is refused, in the words for the null", () => {
    expect(validate(person, { name: null, nick: null, homes: [] })).toEqual({
      ok: false,
      issues: expect.stringMatching(/^name: .*null/),
    });
  });

  it("in a list stays, and is refused", () => {
    expect(validate(z.object({ all: z.array(z.number()) }), { all: [1, null] }).ok).toBe(false);
  });

  it("in one form of a union is left out alone", () => {
    const form = z.union([
      z.object({ kind: z.literal("a"), x: z.number().optional(), keep: z.string().nullable() }),
      z.object({ kind: z.literal("b"), y: z.string() }),
    ]);
    expect(validate(form, { kind: "a", x: null, keep: null })).toEqual({
      ok: true,
      value: { kind: "a", keep: null },
    });
    const two = z.union([
      z.object({ a: z.number().optional(), b: z.number().optional() }),
      z.string(),
    ]);
    expect(validate(two, { a: null, b: null })).toEqual({ ok: true, value: {} });
  });

  it("is left out for a schema of JSON Schema as well", () => {
    const schema = jsonSchema({
      type: "object",
      properties: { q: { type: "string" }, limit: { type: "number" } },
      required: ["q"],
    });
    expect(validate(schema, { q: "x", limit: null })).toEqual({ ok: true, value: { q: "x" } });
    expect(validate(schema, { q: null }).ok).toBe(false);
  });
});

describe("a schema that no object fits", () => {
  it.each([
    [{ type: "string" }],
    [{ anyOf: [{ type: "string" }, { type: "number" }] }],
    [{ oneOf: [{ const: 1 }, { enum: ["a", null] }] }],
    [{ $ref: "#/$defs/t", $defs: { t: { type: "array" } } }],
    [{ allOf: [{ type: "object" }, { type: ["string", "null"] }] }],
  ])("is refused when a tool is defined: %j", (json) => {
    expect(admitsObject(json)).toBe(false);
    expect(() => tool({ name: "t", jsonSchema: json, execute: () => 1 })).toThrow(
      /takes arguments .*, and a call's are an object; wrap them in one/,
    );
  });

  it.each([
    [{}],
    [{ anyOf: [{ type: "string" }, { type: "object" }] }],
    [{ type: ["object", "null"] }],
    [{ $ref: "#" }],
    [{ $ref: "https://elsewhere.test/s" }],
    [{ enum: [{ a: 1 }, "x"] }],
    [{ anyOf: [true] }],
  ])("is not one where some do: %j", (json) => {
    expect(admitsObject(json)).toBe(true);
  });

  it("of texts alone, as zod has it, is refused; a union of objects is not", () => {
    const texts = z.union([z.literal("a"), z.literal("b")]);
    expect(() => tool({ name: "t", inputSchema: texts, execute: () => 1 })).toThrow(
      /call's are an object/,
    );
    const objects = z.discriminatedUnion("k", [
      z.object({ k: z.literal(1) }),
      z.object({ k: z.literal(2) }),
    ]);
    expect(tool({ name: "t", inputSchema: objects, execute: () => 1 }).name).toBe("t");
  });
});
