// An update of a library renders the same definitions otherwise. That is no other configuration, and no other approval.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { think } from "../../../../../src/capabilities/index.js";
import { definitionOf, schemaForm } from "../../../../../src/core/kernel/vocabulary/index.js";
import { decisions } from "../../../../../src/decisions.js";
import {
  agent,
  type JsonObject,
  memoryJournal,
  reactBehaviour,
  resume,
  run,
  type Schema,
  scriptedModel,
  tool,
} from "../../../../../src/index.js";
import { beamSearch, thoughts } from "../../../../../src/thoughts.js";
import { traceTools } from "../../../../../src/trace.js";

/** A schema that says of itself what is given, as a version of a schema library does. */
function rendered(as: JsonObject): Schema<{ readonly to?: string }> {
  const validate = (value: unknown) => ({ value: value as { readonly to?: string } });
  const jsonSchema = { input: () => as, output: () => as };
  return { "~standard": { version: 1, vendor: "other", validate, jsonSchema } } as Schema<{
    readonly to?: string;
  }>;
}

const to = { $ref: "#/definitions/Name" };
const early: JsonObject = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: { to, n: { type: "integer" }, kind: { const: "a" } },
  required: ["to", "n"],
  definitions: { Name: { type: "string", description: "Whom." } },
};
const later: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $defs: { Name: { description: "Whom.", type: ["string"] } },
  additionalProperties: {},
  properties: {
    kind: { enum: ["a"] },
    n: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    to: { $ref: "#/$defs/Name" },
  },
  required: ["n", "to"],
  type: "object",
};

const execute = () => "paid";
const pay = (schema: JsonObject, more: object = {}) =>
  tool({ name: "pay", inputSchema: rendered(schema), needsApproval: true, execute, ...more });
const payer = (schema: JsonObject, more: object = {}) =>
  agent({ name: "payer", tools: [pay(schema, more)] });

describe("a definition that is rendered otherwise", () => {
  it("leaves the fingerprint and its parts, of tools, outputs and questions", () => {
    expect(payer(later).fingerprint).toBe(payer(early).fingerprint);
    expect(payer(later).configuration).toEqual(payer(early).configuration);
    const output = (as: JsonObject, via: "tool" | "json") =>
      agent({ name: "payer", output: { schema: rendered(as), via } as never }).fingerprint;
    expect(output(later, "tool")).toBe(output(early, "tool"));
    expect(output(later, "json")).toBe(output(early, "json"));
    const asking = (as: JsonObject) =>
      agent({ name: "payer", tools: [tool({ name: "ask", ask: rendered(as) })] }).fingerprint;
    expect(asking(later)).toBe(asking(early));
  });

  it.each<[string, JsonObject]>([
    ["a bound", { properties: { n: { type: "integer", minimum: 1 } } }],
    ["a name", { properties: { to, m: { type: "integer" } } }],
    ["a demand", { required: ["to"] }],
    ["a text", { definitions: { Name: { type: "string", description: "Who." } } }],
    ["a closed object", { additionalProperties: false }],
    ["an order that means something", { oneOf: [{ required: ["to"] }] }],
  ])("is another one with %s that differs", (_what, more) => {
    expect(payer({ ...early, ...more }).fingerprint).not.toBe(payer(early).fingerprint);
  });

  it("is another one with another description of the tool", () => {
    expect(payer(early, { description: "Pays." }).fingerprint).not.toBe(payer(early).fingerprint);
  });

  it("does not upgrade a waiting run, and the yes that a person gave is one", async () => {
    const journal = memoryJournal();
    const asked = { calls: [{ name: "pay", input: { to: "x", n: 1 } }] };
    const model = scriptedModel([asked, "done"]);
    const waiting = await run(payer(early), "go", { model, journal });
    const { approvals } = waiting as { readonly approvals: readonly { readonly of?: string }[] };
    const decided = { "approval/0/0": { approve: true, of: approvals[0]?.of } };
    const end = await resume(payer(later), journal, { model, approvals: decided });
    expect(end).toMatchObject({ status: "done", output: "done" });
  });
});

it("a tool of ours counts by its name: a later version words its texts otherwise", () => {
  const ours = [
    ...(reactBehaviour.tools ?? []),
    ...(decisions().tools ?? []),
    ...traceTools(),
    think(thoughts({ policy: beamSearch({ score: false }) })),
  ];
  expect(ours.length).toBeGreaterThan(15);
  for (const each of ours) expect(definitionOf(each)).toEqual({ name: each.name, builtIn: true });
  const own = think(thoughts({ policy: beamSearch({ score: false }) }), { description: "Think." });
  expect(definitionOf(own)).toMatchObject({ description: "Think." });
});

it("a tool without arguments has no schema in its definition, however that is said", () => {
  const none = tool({ name: "t", execute });
  const empty = tool({ name: "t", jsonSchema: { type: "object", properties: {} }, execute });
  expect([definitionOf(none), definitionOf(empty)]).toEqual([{ name: "t" }, { name: "t" }]);
});

it("the schemas of zod have one form under both drafts", () => {
  const schemas = {
    order: z.object({ id: z.string().describe("Its id."), n: z.int().optional() }),
    union: z.discriminatedUnion("t", [
      z.object({ t: z.literal("a"), at: z.tuple([z.string(), z.number()]) }),
      z.object({ t: z.literal("b"), tags: z.record(z.string(), z.boolean()) }),
    ]),
    nested: z.object({ list: z.array(z.object({ of: z.nullable(z.enum(["x", "y"])) })) }),
    recursive: z.object({
      name: z.string(),
      get below() {
        return z.array(z.object({ name: z.string() }).meta({ id: "Below" }));
      },
    }),
  };
  const forms = Object.values(schemas).map((schema) => {
    const at = (target: "draft-7" | "draft-2020-12") => z.toJSONSchema(schema, { target });
    expect(at("draft-7")).not.toEqual(at("draft-2020-12"));
    expect(schemaForm(at("draft-7") as never)).toEqual(schemaForm(at("draft-2020-12") as never));
    return JSON.stringify(schemaForm(at("draft-7") as never));
  });
  expect(new Set(forms).size).toBe(forms.length);
});
