// Schemas as a family takes them, and answers as the run's state has them.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { FAMILIES, type Request } from "../../../../../src/adapters/ai-sdk/families/index.js";
import { strictSchema } from "../../../../../src/adapters/ai-sdk/families/strict-schema.js";
import { type JsonObject, toJson } from "../../../../../src/core/kernel/values/index.js";
import { jsonSchemaOf } from "../../../../../src/core/kernel/vocabulary/index.js";
import { faultsOf } from "../../../../support/faults-of.js";
import { call, look, mended, named, result, said, target, text, user } from "./support.js";

const json = (schema: z.ZodType) => jsonSchemaOf(schema, "the schema");
const strict = (schema: z.ZodType) => {
  const made = strictSchema(json(schema));
  if (!("schema" in made)) throw new Error(made.reason);
  const { $schema: _uri, ...rest } = made.schema;
  return rest;
};
const asked = (schema: JsonObject, more: Partial<Request> = {}): Request => ({
  messages: [user("go")],
  responseFormat: { type: "json", schema },
  ...more,
});
const schemaIn = ({ responseFormat }: Request) =>
  responseFormat?.type === "json" ? responseFormat.schema : undefined;

describe("a strict schema", () => {
  it("is closed and requires all; an optional property may be null", () => {
    const made = strict(
      z.object({
        id: z.string(),
        limit: z.number().optional(),
        kind: z.enum(["a", "b"]).optional(),
        at: z.object({ x: z.number().optional() }).optional(),
        either: z.union([z.string(), z.object({})]).optional(),
        some: z.string().nullish(),
      }),
    );
    expect(made).toEqual({
      type: "object",
      properties: {
        id: { type: "string" },
        limit: { type: ["number", "null"] },
        kind: { type: ["string", "null"], enum: ["a", "b", null] },
        at: {
          type: ["object", "null"],
          properties: { x: { type: ["number", "null"] } },
          required: ["x"],
          additionalProperties: false,
        },
        either: {
          anyOf: [
            { type: "string" },
            { type: "object", properties: {}, required: [], additionalProperties: false },
            { type: "null" },
          ],
        },
        some: { type: ["string", "null"] },
      },
      required: ["id", "limit", "kind", "at", "either", "some"],
      additionalProperties: false,
    });
  });

  it("tells in words what the mode refuses, and keeps what it takes", () => {
    const made = strict(
      z.object({
        name: z.string().min(2).describe("The name."),
        size: z.number().min(1).max(9),
        mail: z.string().regex(/^(?=.*@).+$/),
        link: z.url(),
      }),
    ) as { properties: Record<string, JsonObject> };
    expect(made.properties).toEqual({
      name: { type: "string", description: "The name. (minLength: 2)" },
      size: { type: "number", minimum: 1, maximum: 9 },
      mail: { type: "string", description: '(pattern: "^(?=.*@).+$")' },
      link: { type: "string", description: '(format: "uri")' },
    });
  });

  it("has one form of a union for another, and definitions in its own terms", () => {
    type Tree = { name: string; of?: Tree[] | undefined };
    const tree: z.ZodType<Tree> = z.lazy(() =>
      z.object({ name: z.string(), of: z.array(tree).optional() }),
    );
    const made = strictSchema(
      json(
        z.object({
          tree,
          shape: z.discriminatedUnion("k", [
            z.object({ k: z.literal("a"), n: z.number().optional() }),
            z.object({ k: z.literal("b") }),
          ]),
        }),
      ),
    );
    const written = JSON.stringify(made);
    expect(written).not.toContain("oneOf");
    expect(written.match(/"additionalProperties":false/g)).toHaveLength(4);
    expect(written).toContain('"$ref"');
  });

  it.each([
    [{ type: "object" }, "an object with any properties"],
    [
      {
        type: "object",
        properties: { a: { type: "object", additionalProperties: { type: "string" } } },
      },
      "an object with any properties",
    ],
    [{ type: "object", properties: { a: {} } }, "a value of any kind"],
    [{ type: "object", properties: { a: { type: "array" } } }, "a list of any kind"],
    [{ type: "object", properties: { a: { allOf: [{ type: "string" }] } } }, "allOf"],
    [
      { type: "object", properties: { a: { enum: Array.from({ length: 1001 }, (_, i) => i) } } },
      "more than 1000 values in enums",
    ],
  ])("is none where it would mean less: %j", (schema, reason) => {
    expect(strictSchema(toJson(schema))).toEqual({ reason });
  });
});

describe("an answer's schema", () => {
  const open = json(z.object({ verdict: z.string(), note: z.string().optional() }));

  it.each(["openai-chat", "openai-responses"] as const)("is strict with %s", (family) => {
    const { request, notices } = mended(family, asked(open));
    expect(schemaIn(request)).toMatchObject({
      required: ["verdict", "note"],
      additionalProperties: false,
    });
    expect(notices).toEqual([]);
  });

  it("that no strict one says is sent as it is, without strict mode, and a notice says so", () => {
    const free = json(z.object({ counts: z.record(z.string(), z.number()) }));
    const { request, notices } = mended("openai-chat", asked(free));
    expect(schemaIn(request)).toEqual(free);
    expect(request.settings?.providerOptions).toEqual({ openai: { strictJsonSchema: false } });
    expect(notices).toEqual([
      "openai.chat:gpt-4o does not hold the answer to its schema, which no strict one says: an object with any properties.",
    ]);
    const said = asked(open, {
      settings: { providerOptions: { openai: { strictJsonSchema: false } } },
    });
    expect(schemaIn(mended("openai-chat", said).request)).toEqual(open);
  });

  it("is shown to a model whose client sends none", () => {
    const { request } = mended("openai-compatible", asked(open, { system: "Judge." }));
    expect(request.system).toBe(
      `Judge.\n\nAnswer with JSON that fits this JSON Schema, and with nothing else:\n${JSON.stringify(open)}`,
    );
    const sent = mended("openai-compatible", asked(open), { structuredOutputs: true }).request;
    expect(sent.system).toBeUndefined();
    expect(schemaIn(sent)).toMatchObject({ additionalProperties: false });
  });

  it("is shown beside tools to Gemini 2.5, and sent to Gemini 3", () => {
    const request = asked(open, { tools: [look] });
    const old = mended("google", request);
    expect(old.request).not.toHaveProperty("responseFormat");
    expect(old.request.system).toContain(JSON.stringify(open));
    expect(old.notices).toHaveLength(1);
    expect(
      mended("google", request, { modelId: "gemini-3-pro" }).request.responseFormat,
    ).toBeDefined();
  });

  it.each(FAMILIES)("that is no object is one for %s, and the answer is not", (family) => {
    const list = json(z.array(z.object({ n: z.number() })));
    const earlier = [said(text('[{"n":0}]')), user("Again.")];
    const { request, back } = mended(family, asked(list, { messages: [user("go"), ...earlier] }));
    const sent = JSON.stringify(request);
    expect(sent).toMatch(/\\?"required\\?":\[\\?"value\\?"\]/);
    expect(request.messages[1]).toEqual(said(text('{"value":[{"n":0}]}')));
    expect(back([text('{"value":[{"n":1}]}')])).toEqual([text('[{"n":1}]')]);
    expect(back([text('Here:\n```json\n{"value": []}\n```')])).toEqual([text("[]")]);
    // A model that leaves the wrapper out, or says something else.
    expect(back([text('[{"n":1}]'), text("I cannot."), text('{"value":1,"more":2}')])).toEqual([
      text('[{"n":1}]'),
      text("I cannot."),
      text('{"value":1,"more":2}'),
    ]);
    expect(faultsOf(request, target(family))).toEqual([]);
  });

  it("keeps its references when it is wrapped", () => {
    const schema = toJson<JsonObject>({
      anyOf: [{ $ref: "#/$defs/leaf" }, { type: "array", items: { $ref: "#" } }],
      $defs: { leaf: { type: "string" } },
    });
    expect(schemaIn(mended("anthropic", asked(schema)).request)).toEqual({
      type: "object",
      properties: {
        value: {
          anyOf: [
            { $ref: "#/$defs/leaf" },
            { type: "array", items: { $ref: "#/properties/value" } },
          ],
        },
      },
      required: ["value"],
      additionalProperties: false,
      $defs: { leaf: { type: "string" } },
    });
  });

  it("has a name that the family takes, and JSON mode the word", () => {
    const schema = toJson<JsonObject>({
      type: "object",
      properties: {},
      required: [],
      additionalProperties: false,
    });
    const request: Request = {
      messages: [user("go")],
      responseFormat: { type: "json", schema, name: "my answer" },
    };
    expect(mended("openai-chat", request).request.responseFormat).toMatchObject({
      name: "my_answer",
    });
    const mode: Request = {
      system: "Be brief.",
      messages: [user("go")],
      responseFormat: { type: "json" },
    };
    expect(mended("openai-responses", mode).request.system).toBe(
      "Be brief.\n\nAnswer with JSON, and with nothing else.",
    );
    expect(mended("openai-chat", { ...mode, system: "Write json." }).request.system).toBe(
      "Write json.",
    );
  });
});

describe("a tool's schema", () => {
  const union = json(
    z.discriminatedUnion("k", [z.object({ k: z.literal("a") }), z.object({ k: z.literal("b") })]),
  );
  const tool = (inputSchema: JsonObject, more: object = {}) => ({
    ...named("look"),
    inputSchema,
    ...more,
  });

  it.each(FAMILIES)(
    "that is a union is in an object for %s: in definition, history and answer",
    (family) => {
      const history = [said(call("abcdefghi", { input: { k: "a" } })), result("abcdefghi")];
      const request: Request = {
        messages: [user("go"), ...history],
        tools: [tool(union)],
        toolChoice: { tool: "look" },
      };
      const { request: now, back } = mended(family, request, { modelId: "claude-haiku-4-5" });
      expect(now.tools?.[0]?.inputSchema).toMatchObject({ type: "object", required: ["value"] });
      expect(now.toolChoice).toEqual({ tool: "look" });
      expect(now.messages[1]).toEqual(said(call("abcdefghi", { input: { value: { k: "a" } } })));
      expect(
        back([call("n", { input: { value: { k: "b" } } }), call("m", { input: { k: "b" } })]),
      ).toEqual([call("n", { input: { k: "b" } }), call("m", { input: { k: "b" } })]);
      expect(faultsOf(now, target(family, { modelId: "claude-haiku-4-5" }))).toEqual([]);
    },
  );

  it("that means an object says so, without a wrapper", () => {
    const sent = (schema: JsonObject) =>
      mended("anthropic", { messages: [user("go")], tools: [tool(schema)] }).request.tools?.[0]
        ?.inputSchema;
    expect(sent({ type: ["object", "null"] })).toEqual({ type: "object" });
    expect(sent({ properties: { a: {} } })).toEqual({ type: "object", properties: { a: {} } });
    expect(sent({})).toMatchObject({ required: ["value"] });
  });

  it("that is strict is closed: all required with OpenAI, as it says with Anthropic", () => {
    const schema = json(z.object({ q: z.string(), limit: z.number().optional() }));
    const sent = (family: "openai-chat" | "anthropic") =>
      mended(family, { messages: [user("go")], tools: [tool(schema, { strict: true })] }).request
        .tools?.[0];
    expect(sent("openai-chat")).toMatchObject({
      strict: true,
      inputSchema: { required: ["q", "limit"], additionalProperties: false },
    });
    expect(sent("anthropic")).toMatchObject({
      strict: true,
      inputSchema: {
        required: ["q"],
        additionalProperties: false,
        properties: { limit: { type: "number" } },
      },
    });
  });

  it("that cannot be strict is not, and a notice says so", () => {
    const schema = json(z.object({ counts: z.record(z.string(), z.number()) }));
    const request: Request = { messages: [user("go")], tools: [tool(schema, { strict: true })] };
    for (const family of ["openai-responses", "anthropic", "bedrock"] as const) {
      const { request: now, notices } = mended(family, request);
      expect(now.tools?.[0]).not.toHaveProperty("strict");
      expect(notices).toEqual([
        expect.stringContaining("does not hold calls of look to its schema"),
      ]);
    }
  });

  it("has properties and items for servers of OpenAI's interface", () => {
    const schema = toJson<JsonObject>({
      type: "object",
      properties: { all: { type: "array" }, any: { type: "object" } },
    });
    const { request } = mended("openai-chat", { messages: [user("go")], tools: [tool(schema)] });
    expect(request.tools?.[0]?.inputSchema).toEqual({
      type: "object",
      properties: { all: { type: "array", items: {} }, any: { type: "object", properties: {} } },
    });
  });
});

describe("a schema for Google", () => {
  const tool = (inputSchema: JsonObject) => {
    const { request } = mended("google", {
      messages: [user("go")],
      tools: [{ ...look, inputSchema }],
    });
    return request.tools?.[0]?.inputSchema;
  };

  it("has what is refused, or left out unsaid, in words", () => {
    const given = json(
      z.object({
        kind: z.literal("exact"),
        size: z.union([z.literal(1), z.literal(2)]),
        count: z.int().positive().max(9).describe("How many"),
        code: z.string().regex(/^a/).min(2).max(3),
        all: z.array(z.string()).min(1).max(3),
        none: z.null(),
      }),
    );
    expect(tool({ ...given, title: "Arguments" })).toMatchObject({
      type: "object",
      properties: {
        kind: { type: "string", enum: ["exact"] },
        size: {
          anyOf: [
            { type: "number", description: "(enum: [1])" },
            { type: "number", description: "(enum: [2])" },
          ],
        },
        count: { type: "integer", description: "How many (exclusiveMinimum: 0, maximum: 9)" },
        code: { type: "string", minLength: 2, description: '(maxLength: 3, pattern: "^a")' },
        all: {
          type: "array",
          items: { type: "string" },
          minItems: 1,
          description: "(maxItems: 3)",
        },
      },
      required: ["kind", "size", "count", "code", "all", "none"],
    });
    expect(JSON.stringify(tool({ ...given, title: "Arguments" }))).not.toContain("title");
  });

  it("keeps properties that have a keyword's name", () => {
    const given = {
      type: "object",
      properties: {
        title: { type: "string" },
        pattern: { type: "string" },
        const: { type: "number" },
      },
      required: ["title"],
    };
    expect(tool(given)).toEqual(given);
  });

  it("of an answer likewise", () => {
    const schema = { type: "object", properties: { a: { const: "x" } }, required: ["a"] };
    const { request } = mended("google", asked(schema));
    expect(schemaIn(request)).toMatchObject({ properties: { a: { enum: ["x"] } } });
  });
});
