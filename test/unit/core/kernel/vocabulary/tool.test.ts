// Tools: how they are defined, their defaults, and what is refused.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { messageOf } from "../../../../../src/core/kernel/values/index.js";
import { registry, tool, validate } from "../../../../../src/core/kernel/vocabulary/index.js";
import { refusal } from "../../../../support/thrown.js";

const execute = () => 1;

describe("a tool", () => {
  it("has the documented defaults", () => {
    expect(tool({ name: "t", execute })).toMatchObject({
      kind: "execute",
      idempotent: false,
      retries: 0,
      timeoutMs: 30_000,
      needsApproval: false,
      sequential: false,
      final: false,
    });
  });

  it("is tried once more where it is idempotent, and as often as it says", () => {
    expect(tool({ name: "t", idempotent: true, execute }).retries).toBe(1);
    expect(tool({ name: "t", idempotent: true, retries: 0, execute }).retries).toBe(0);
    expect(tool({ name: "t", retries: 4, execute }).retries).toBe(4);
  });

  it("takes no arguments where it has no schema", () => {
    expect(tool({ name: "t", execute }).schema).toEqual({
      name: "t",
      description: "",
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
    });
  });

  it("is described to models by its schema", () => {
    const inputSchema = z.object({
      path: z.string().describe("Where"),
      depth: z.number().optional(),
    });
    const { schema } = tool({ name: "t", description: "Lists", inputSchema, execute });
    expect(schema.description).toBe("Lists");
    expect(schema.inputSchema).toMatchObject({
      type: "object",
      properties: { path: { type: "string", description: "Where" }, depth: { type: "number" } },
      required: ["path"],
    });
  });

  it("keeps what its functions see as this", () => {
    class Prefixed {
      readonly name = "t";
      readonly prefix = "p";
      execute() {
        return this.prefix;
      }
    }
    const made = tool(new Prefixed());
    expect(made.execute?.({} as never, {} as never)).toBe("p");
  });
});

describe("a tool is refused", () => {
  const names = ["", "two words", "a.b", "x".repeat(65), "é", "__proto__", 5];
  for (const name of names) {
    it(`by the name ${JSON.stringify(name)}`, () => {
      expect(refusal(() => tool({ name: name as string, execute })).code).toBe("tool.invalid");
    });
  }

  // A schema that says nothing of itself as JSON Schema.
  const silent = { "~standard": { version: 1, vendor: "mute", validate: () => ({ value: 1 }) } };
  const definitions: readonly (readonly [string, object, string])[] = [
    ["without a function", {}, "exactly one of execute, reduce, issue or ask"],
    [
      "with two kinds",
      { execute, reduce: () => 1 },
      "exactly one of execute, reduce, issue or ask",
    ],
    [
      "with a kind that is undefined",
      { reduce: undefined },
      "exactly one of execute, reduce, issue or",
    ],
    [
      "with arguments that are no object",
      { execute, inputSchema: z.string() },
      'takes arguments of type "string", and a call\'s are an object; wrap them in one.',
    ],
    [
      "with a list as arguments",
      { execute, jsonSchema: { type: ["array", "null"] } },
      'takes arguments of type ["array","null"], and',
    ],
    ["with an issue and no settle", { issue: () => [] }, '"t" issues, so it needs a settle'],
    ["with a function that is none", { execute: "run" }, "execute must be a function"],
    [
      "with a generator",
      { execute: function* () {} },
      "execute must be a function; it is a generator function.",
    ],
    [
      "with a generator that is async",
      { execute: async function* () {} },
      "execute must be a function; it is an async generator function.",
    ],
    [
      "with half a retry",
      { execute, retries: 0.5 },
      "retries must be a whole number, 0 or more; it is ",
    ],
    [
      "with retries below 0",
      { execute, retries: -1 },
      "retries must be a whole number, 0 or more; it is ",
    ],
    [
      "with endless retries",
      { execute, retries: Number.POSITIVE_INFINITY },
      "retries must be a whole number, 0 or more; it is ",
    ],
    [
      "without time",
      { execute, timeoutMs: 0 },
      "timeoutMs must be a number of milliseconds above 0; it is ",
    ],
    [
      "with NaN of time",
      { execute, timeoutMs: Number.NaN },
      "timeoutMs must be a number of milliseconds above 0; it is ",
    ],
    [
      "with a schema that JSON Schema cannot say",
      { execute, inputSchema: z.object({ at: z.date() }) },
      '"t": its schema cannot be described as JSON Schema (Date',
    ],
    [
      "with a schema that says nothing of itself",
      { execute, inputSchema: silent },
      '"t": its mute schema cannot be turned into JSON Schema',
    ],
  ];
  for (const [name, rest, words] of definitions) {
    it(name, () => {
      const error = refusal(() => tool({ name: "t", ...rest } as never));
      expect([error.code, error.message]).toEqual(["tool.invalid", expect.stringContaining(words)]);
    });
  }

  it("beside another of its name", () => {
    const error = refusal(() =>
      registry([tool({ name: "t", execute }), tool({ name: "t", execute })]),
    );
    expect([error.code, error.message]).toEqual([
      "tool.invalid",
      "Two tools are named t; rename one.",
    ]);
  });
});

describe("schemas", () => {
  it("a schema that JSON Schema cannot say goes with one written beside it", () => {
    for (const either of [{}, { type: ["object", "null"] }]) {
      expect(tool({ name: "t", jsonSchema: either, execute }).schema.inputSchema).toEqual(either);
    }
    const jsonSchema = { type: "object" };
    const made = tool({ name: "t", inputSchema: z.object({ at: z.date() }), jsonSchema, execute });
    expect(made.schema.inputSchema).toEqual(jsonSchema);
  });

  it("issues are one line with the paths", () => {
    const schema = z.object({ a: z.object({ b: z.number() }), c: z.string() });
    const result = validate(schema, { a: { b: "x" } });
    expect(result.ok ? "" : result.issues).toMatch(/^a\.b: .*number.*; c: .*string/);
  });

  it("the parsed value is what comes out", () => {
    const schema = z.object({ n: z.coerce.number(), d: z.string().default("x") });
    expect(validate(schema, { n: "5" })).toEqual({ ok: true, value: { n: 5, d: "x" } });
  });

  it("one that validates asynchronously is refused", () => {
    const schema = z.string().refine(async () => true);
    expect(refusal(() => validate(schema, "x")).code).toBe("schema.async");
  });
});

describe("the message of what was thrown", () => {
  const hostile = {
    toString() {
      throw new Error("no");
    },
  };
  class Silent extends Error {
    override get message(): string {
      throw new Error("no");
    }
  }
  const thrown: readonly (readonly [string, unknown, string])[] = [
    ["an Error's", new Error("why"), "why"],
    ["an Error's name, where it has no message", new TypeError(""), "TypeError"],
    ["a string's", "why", "why"],
    ["nothing's", undefined, "undefined"],
    ["a symbol's", Symbol("s"), "Symbol(s)"],
    ["of an object without a prototype", Object.create(null), "an unknown error"],
    ["of an object that throws on its own", hostile, "an unknown error"],
    ["of an Error that throws on its own", new Silent(), "an unknown error"],
    [
      "of an Error whose message is no string",
      Object.assign(new Error(), { message: [1, 2] }),
      "1,2",
    ],
  ];
  for (const [name, value, message] of thrown) {
    it(`is ${name}`, () => expect(messageOf(value)).toBe(message));
  }
});
