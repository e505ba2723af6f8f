// Arguments checked against JSON Schema: what fits, what the model reads of what does not, and which
// schemas are none.
import { jsonSchema as sdkSchema, tool as sdkTool } from "ai";
import { describe, expect, it } from "vitest";
import { fromAiSdkTools } from "../../../../src/adapters/ai-sdk/index.js";
import { jsonSchema } from "../../../../src/adapters/json-schema/index.js";
import { toJson } from "../../../../src/core/kernel/values/index.js";
import { validate } from "../../../../src/core/kernel/vocabulary/index.js";
import { agent, type JsonObject, tool } from "../../../../src/index.js";
import { answer, decided, resultsOf, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const pages: JsonObject = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    count: { type: "integer", minimum: 1, maximum: 400 },
    "a/b": { anyOf: [{ type: "string" }, { type: "null" }] },
    marks: { type: "array", items: { $ref: "#/$defs/mark" } },
  },
  required: ["path"],
  additionalProperties: false,
  $defs: { mark: { type: "object", properties: { at: { type: "number" } }, required: ["at"] } },
};
const issuesOf = (schema: JsonObject, value: unknown) => {
  const checked = validate(jsonSchema(schema), value);
  return checked.ok ? undefined : checked.issues;
};

/** A circle that is one only where what stands beside a reference counts. */
const beside = ($schema: string): JsonObject => ({
  $schema,
  items: { $ref: "#/definitions/text", anyOf: [{ $ref: "#/items" }] },
  definitions: { text: { type: "string" } },
});

const of2019 = "https://json-schema.org/draft/2019-09/schema";

describe("a value", () => {
  it.each([
    [{ path: "a" }],
    [{ path: "a", count: 400, "a/b": null, marks: [{ at: 0.5 }] }],
    [{ path: "a", marks: [] }],
  ])("that fits is handed on as it is: %j", (value) => {
    expect(validate(jsonSchema(pages), value)).toEqual({ ok: true, value });
  });

  it.each<[unknown, string]>([
    [{}, 'Instance does not have required property "path"'],
    [{ path: 5 }, 'path: Instance type "number" is invalid. Expected "string"'],
    [{ path: "" }, "path: String is too short (0 < 1)"],
    [{ path: "a", count: 0 }, "count: 0 is less than 1"],
    [{ path: "a", count: 1.5 }, 'count: Instance type "number" is invalid. Expected "integer"'],
    [{ path: "a", extra: 1 }, 'Property "extra" does not match additional properties schema'],
    [
      { path: "a", marks: [{ at: 1 }, { at: "x" }] },
      'marks.1.at: Instance type "string" is invalid. Expected "number"',
    ],
    [
      { path: "a", "a/b": 5 },
      'a/b: Instance type "number" is invalid. Expected "string"; a/b: Instance type "number" is invalid. Expected "null"',
    ],
    ["text", 'Instance type "string" is invalid. Expected "object"'],
    [
      { path: 5, count: 0 },
      'path: Instance type "number" is invalid. Expected "string"; count: 0 is less than 1',
    ],
  ])("that does not: %j", (value, issues) => expect(issuesOf(pages, value)).toBe(issues));

  it("with the names of what every object has is checked by what it has itself", () => {
    const schema: JsonObject = {
      type: "object",
      properties: { constructor: { type: "string" }, toString: { type: "string" } },
      required: ["constructor"],
    };
    expect(issuesOf(schema, {})).toContain('required property "constructor"');
    expect(issuesOf(schema, { constructor: "x" })).toBeUndefined();
  });

  it("where nothing is allowed says so", () => {
    expect(issuesOf({ type: "object", properties: { no: false } }, { no: 1 })).toBe(
      'Property "no" does not match schema',
    );
    expect(issuesOf({ not: {} }, {})).toBe('Instance matched "not" schema');
  });

  it("has each of its faults told, though one is in a property that is named as a keyword is", () => {
    const closed: JsonObject = { type: "object", additionalProperties: false };
    expect(
      issuesOf({ properties: { required: closed }, required: ["a"] }, { required: { x: 1 } }),
    ).toBe(
      'Instance does not have required property "a"; required: Property "x" does not match additional properties schema',
    );
  });
});

describe("a schema", () => {
  it.each([
    ["http://json-schema.org/draft-07/schema#"],
    ["https://json-schema.org/draft/2019-09/schema"],
  ])("of an earlier draft is read as such: %s", ($schema) => {
    const pair: JsonObject = { $schema, type: "array", items: [{ type: "string" }] };
    expect(issuesOf(pair, ["a", 1])).toBeUndefined();
    expect(issuesOf(pair, [1])).toContain("Expected");
  });

  it("of draft 7 takes nothing beside a reference into account", () => {
    const schema: JsonObject = {
      $ref: "#/definitions/any",
      type: "string",
      definitions: { any: {} },
    };
    const $schema = "http://json-schema.org/draft-07/schema#";
    expect(issuesOf({ ...schema, $schema }, 5)).toBeUndefined();
    expect(issuesOf(schema, 5)).toContain("Expected");
  });

  it("of draft 4 says beside a bound whether the bound itself is out", () => {
    const $schema = "http://json-schema.org/draft-04/schema#";
    const below: JsonObject = { $schema, maximum: 5, exclusiveMaximum: true };
    expect(issuesOf(below, 5)).toContain("5 is greater than or equal to");
    expect(issuesOf({ ...below, exclusiveMaximum: false }, 5)).toBeUndefined();
  });

  it.each(["04", "07"])("of draft %s has no circle in what stands beside a reference", (draft) => {
    const schema = beside(`http://json-schema.org/draft-${draft}/schema#`);
    expect(issuesOf(schema, ["a"])).toBeUndefined();
    expect(issuesOf(schema, [5])).toContain("Expected");
  });

  it("may name one part in many places", () => {
    const schema: JsonObject = {
      anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }],
      not: { $ref: "#/$defs/none" },
      $defs: { a: { $ref: "#/$defs/b" }, b: { type: "string" }, none: { enum: ["no"] } },
    };
    expect(issuesOf(schema, "yes")).toBeUndefined();
    expect(issuesOf(schema, "no")).toBe('Instance matched "not" schema');
  });

  it("may refer to itself", () => {
    const tree: JsonObject = {
      type: "object",
      properties: { next: { $ref: "#" }, value: { type: "number" } },
      required: ["value"],
    };
    expect(issuesOf(tree, { value: 1, next: { value: 2 } })).toBeUndefined();
    expect(issuesOf(tree, { value: 1, next: { value: 2, next: {} } })).toContain("next.next");
    const other = {
      ...tree,
      $schema: of2019,
      $recursiveAnchor: true,
      properties: { next: { $recursiveRef: "#" } },
    };
    expect(issuesOf(other, { value: 1, next: { value: 2 } })).toBeUndefined();
    expect(issuesOf(other, { value: 1, next: { value: 2, next: {} } })).toContain("next.next");
  });

  it.each<[string, unknown, string]>([
    ["no object", 5, "a schema is an object"],
    ["nothing", null, "a schema is an object"],
    ["a list", [], "a schema is an object"],
    [
      "a reference to nothing",
      { $ref: "#/$defs/none" },
      'reference "#/$defs/none" leads to nothing',
    ],
    [
      "a reference elsewhere",
      { properties: { a: { $ref: "https://x.test/s" } } },
      "leads to nothing",
    ],
    [
      "a pattern that is none",
      { properties: { a: { pattern: "(" } } },
      'pattern "(" is not a regular',
    ],
    ["such a key", { patternProperties: { "[": {} } }, 'pattern "[" is not a regular'],
    ["a circle", { $ref: "#" }, "form a cycle"],
    ["one further in", { properties: { a: { $ref: "#/properties/a" } } }, "form a cycle"],
    ...["allOf", "anyOf", "oneOf"].map((keyword): [string, unknown, string] => [
      `one through ${keyword}`,
      { items: { [keyword]: [{ type: "string" }, { $ref: "#/items" }] } },
      "form a cycle",
    ]),
    ...["not", "if", "then", "else"].map((keyword): [string, unknown, string] => [
      `one through ${keyword}`,
      { items: { if: { type: "string" }, [keyword]: { $ref: "#/items" } } },
      "form a cycle",
    ]),
    ...["dependentSchemas", "dependencies"].map((keyword): [string, unknown, string] => [
      `one through ${keyword}`,
      { [keyword]: { a: { $ref: "#" }, b: ["a"] } },
      "form a cycle",
    ]),
    [
      "one of two references, in a part that nothing refers to",
      { $defs: { a: { $ref: "#/$defs/b" }, b: { anyOf: [{ $ref: "#/$defs/a" }] } } },
      "form a cycle",
    ],
    [
      "one beside a reference",
      beside("https://json-schema.org/draft/2020-12/schema"),
      "form a cycle",
    ],
    ...["04", "07"].map((draft): [string, unknown, string] => [
      `one that is no reference's in draft ${draft}`,
      {
        $schema: `http://json-schema.org/draft-${draft}/schema#`,
        items: { anyOf: [{ $ref: "#/items" }] },
      },
      "form a cycle",
    ]),
    ["one of its own words", { $schema: of2019, $recursiveRef: "#" }, "form a cycle"],
    [
      "one further in of its own words",
      {
        $schema: of2019,
        properties: { a: { $recursiveAnchor: true, $recursiveRef: "#" } },
      },
      "form a cycle",
    ],
    [
      "one of its own words among others",
      { $schema: of2019, items: { $recursiveAnchor: true, anyOf: [{ $recursiveRef: "#" }] } },
      "form a cycle",
    ],
  ])("that is none is refused when it is defined: %s", (_what, schema, text) => {
    expect(() => jsonSchema(schema as JsonObject)).toThrow(
      expect.objectContaining({ code: "tool.invalid", message: expect.stringContaining(text) }),
    );
  });

  it("is the caller's: it is neither marked nor looked at again", () => {
    const given = structuredClone(pages) as { required: string[] };
    const schema = jsonSchema(given as unknown as JsonObject);
    expect(given).toEqual(pages);
    expect(Object.getOwnPropertyNames(given)).not.toContain("__absolute_uri__");
    given.required = ["nothing"];
    expect(validate(schema, { path: "a" }).ok).toBe(true);
    expect(() => jsonSchema(toJson(pages) as JsonObject)).not.toThrow();
  });

  it("runs where no code may be made of text", () => {
    const { Function: real } = globalThis;
    globalThis.Function = (() => {
      throw new Error("no eval");
    }) as never;
    try {
      expect(issuesOf(pages, {})).toContain("path");
    } finally {
      globalThis.Function = real;
    }
  });
});

describe("a tool", () => {
  const reading = () =>
    tool({
      name: "read",
      inputSchema: jsonSchema<{ readonly path: string }>(pages),
      needsApproval: true,
      execute: ({ path }) => path,
    });
  const started = () => byHand(agent({ name: "a", tools: [reading()] }), "x");

  it("shows it to the model, and has its arguments checked before anybody is asked", () => {
    expect(reading().schema.inputSchema).toEqual(pages);
    const run = started();
    run.take(answer(0, wish("read", { path: 5 })));
    expect(run.owed).toEqual(["llm/1"]);
    expect(resultsOf(run.context)).toEqual([
      'Error: tool arguments did not match the schema (path: Instance type "number" is invalid. Expected "string"). Please retry with valid arguments.',
    ]);
  });

  it("has the arguments checked that a person edited", () => {
    const run = started();
    run.take(answer(0, wish("read", { path: "a" })));
    run.take(decided("approval/0/0", true, { input: { path: "" } }));
    expect(run.owed).toEqual(["approval/0/0"]);
    expect(run.step.ignored?.message).toContain("String is too short");
  });

  it("of the AI SDK that brings JSON Schema alone is checked where that is asked", () => {
    const sdk = {
      read: sdkTool({ inputSchema: sdkSchema(pages as never), execute: async () => "read" }),
    };
    const resultOf = (tools: ReturnType<typeof fromAiSdkTools>) => {
      const run = byHand(agent({ name: "a", tools }), "x");
      run.take(answer(0, wish("read", { path: 5 })));
      return run.owed;
    };
    expect(resultOf(fromAiSdkTools(sdk))).toEqual(["tool/0/0"]);
    expect(resultOf(fromAiSdkTools(sdk, {}, { jsonSchema }))).toEqual(["llm/1"]);
  });
});
