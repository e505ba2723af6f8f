// Each row of the rules: a request that breaks it is seen, and mended it breaks it no more. What the
// mends make of a request stands in the files beside this one.
import { describe, expect, it } from "vitest";
import {
  FAMILIES,
  type Request,
  RULES,
  type Target,
} from "../../../../../src/adapters/ai-sdk/families/index.js";
import type { JsonObject } from "../../../../../src/core/kernel/values/index.js";
import type { ToolSchema } from "../../../../../src/core/kernel/vocabulary/index.js";
import {
  call,
  from,
  look,
  named,
  pdf,
  png,
  result,
  said,
  sized,
  target,
  text,
  user,
} from "./support.js";

const many = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));
const asked = (...more: Request["messages"]): Request => ({ messages: [user("go"), ...more] });
const thinking = (type: string) => ({ providerOptions: { anthropic: { thinking: { type } } } });

const sql: ToolSchema = {
  ...named("look"),
  inputSchema: { type: "string" },
  provider: { id: "openai.custom", args: {} },
};
const open = { type: "object", properties: { a: { type: "string" } } };
const closed = { ...open, required: ["a"], additionalProperties: false };
const strict = { inputSchema: closed, strict: true };
const taking = (inputSchema: JsonObject) => ({ ...look, inputSchema });

/** By rule: requests that break it, with the model where it is for some alone. */
const broken: { readonly [rule: string]: readonly (readonly [Request, Partial<Target>?])[] } = {
  "parts.unknown": [
    [asked(said({ type: "step-start" } as never, text("x")))],
    [asked(said(call("a"), { type: "tool-approval-request" } as never), result("a"))],
  ],
  "results.paired": [
    [asked(said(call("a")))],
    [asked(said(call("a")), user("well?"), result("a"))],
    [asked(result("a"))],
    [asked(said(call("a"), call("b")), result("b"), result("a"))],
  ],
  "parts.server-tools": [
    [asked(said(call("s", { providerExecuted: true, ...from("elsewhere.chat:m") })))],
  ],
  "parts.bound": [
    [asked(said({ type: "reasoning", text: "hm" }))],
    [asked(said({ ...text("x"), ...from("elsewhere.chat:m", { elsewhere: { id: "1" } }) }))],
    [asked(said({ type: "source", sourceType: "url", id: "1", url: "https://a.test" }))],
    [asked(said({ type: "custom", kind: "elsewhere.compaction" }))],
    [asked(said({ type: "reasoning-file", data: "aGk=", mediaType: "image/png" }))],
  ],
  "thinking.begun-elsewhere": [
    [{ ...asked(said(call("a")), result("a")), settings: thinking("enabled") }],
  ],
  "calls.arguments": [
    [asked(said(call("a", { input: '{"at": ', malformed: true })), result("a"))],
    [asked(said(call("a", { input: [1] })), result("a"))],
    [asked(said(call("a", { input: null })), result("a"))],
    ...FAMILIES.filter((family) => family !== "openai-responses").map(
      (family) =>
        [
          { ...asked(said(call("a", { input: "SELECT" })), result("a")), tools: [sql] },
          { family },
        ] as const,
    ),
  ],
  "system.in-the-middle": [[asked({ role: "system", content: "be brief" })]],
  "system.once": [
    [{ system: "a", messages: [{ role: "system", content: "b" }, user("go")] }],
    [{ messages: [{ role: "system", content: "b" }, user("go")] }],
  ],
  "texts.blank": [[asked(said(text(""), text("x")))], [asked(user([text(""), png]))]],
  "messages.empty": [
    [{ system: " \n", messages: [user("go")] }],
    [{ messages: [user("")] }],
    [{ messages: [user([])] }],
    [asked(said())],
    [asked({ role: "assistant", content: "" })],
    [{ messages: [{ role: "system", content: "" }, user("go")] }],
  ],
  "results.empty": [
    [asked(said(call("a")), result("a", ""))],
    [asked(said(call("a")), result("a", { type: "content", value: [] }))],
    [asked(said(call("a")), result("a", { type: "content", value: [text(" "), png] }))],
    [asked(said(call("a")), result("a", { type: "error-content", value: [] }))],
  ],
  "results.failed": [
    [asked(said(call("a")), result("a", { type: "error-content", value: [text("no"), png] }))],
  ],
  "results.merged": [
    [asked(said(call("a"), call("b")), result("a"), result("b"))],
    [asked(said(call("a")), { ...result("a"), providerOptions: { acme: {} } })],
  ],
  "limits.media": [
    [asked(user(many(101, () => ({ ...png })))), { family: "anthropic" }],
    [asked(user([sized(8_001, 10)])), { family: "anthropic" }],
    [asked(user(many(21, () => sized(2_001, 10)))), { family: "anthropic" }],
    [asked(user([{ ...pdf, data: "A".repeat(28_000_001) }])), { family: "anthropic" }],
    [asked(user([{ ...png, image: "A".repeat(20_971_521) }])), { family: "openai-responses" }],
  ],
  "limits.messages": [[asked(...many(100_000, () => user("more")))]],
  "results.text-only": [
    [asked(said(call("a")), result("a", { type: "content", value: [text("x"), png] }))],
  ],
  "roles.first-user": [[{ messages: [said(text("hi"))] }], [{ system: "x", messages: [] }]],
  "documents.beside-text": [[asked(user([pdf]))]],
  "roles.joined": [[asked(user("more"))], [asked(said(text("a")), said(text("b")), user("c"))]],
  "roles.word-between": [
    [asked(said(call("a")), result("a"), user([text("and?"), pdf])), { family: "bedrock" }],
    [
      asked(said(call("a")), result("a"), user("and?")),
      { family: "bedrock", modelId: "meta.llama3-1-70b-instruct-v1:0" },
    ],
    [asked(said(call("a")), result("a"), user("and?")), { family: "mistral" }],
    [
      asked(said(call("a")), result("a"), user("and?")),
      { family: "openai-compatible", modelId: "mistralai/Ministral-8B" },
    ],
  ],
  "roles.last-user": [[asked(said(text("so")))]],
  "tools.absent": [[asked(said(call("a")), result("a"))]],
  "choice.without-tools": [
    [{ ...asked(), toolChoice: "required" }],
    [{ ...asked(), tools: [], toolChoice: "auto" }],
  ],
  "choice.of-none": [[{ ...asked(), tools: [look], toolChoice: { tool: "other" } }]],
  "choice.forced": [
    [
      { ...asked(), tools: [look], toolChoice: "required" },
      { family: "anthropic", modelId: "claude-opus-5-5" },
    ],
    [
      { ...asked(), tools: [look], toolChoice: "required", settings: thinking("enabled") },
      { family: "anthropic" },
    ],
    [
      { ...asked(), tools: [look], toolChoice: { tool: "look" } },
      { family: "bedrock", modelId: "meta.llama3-1-70b-instruct-v1:0" },
    ],
    [
      { ...asked(), tools: [look], toolChoice: "required" },
      { family: "openai-compatible", modelId: "kimi-k2" },
    ],
  ],
  "choice.none-in-words": [[{ ...asked(), tools: [look], toolChoice: "none" }]],
  "choice.none-without-tools": [[{ ...asked(), tools: [look], toolChoice: "none" }]],
  "limits.tools": [[{ ...asked(), tools: many(129, (i) => named(`t${i}`)) }]],
  "schemas.tool-roots": [
    [{ ...asked(), tools: [taking({ anyOf: [{ type: "object" }] })] }],
    [{ ...asked(), tools: [taking({ type: ["object", "null"] })] }],
    [{ ...asked(), tools: [taking({})] }],
  ],
  "schemas.shapes": [
    [{ ...asked(), tools: [taking({ type: "object" })] }],
    [{ ...asked(), tools: [taking({ ...open, properties: { all: { type: "array" } } })] }],
  ],
  "schemas.keywords": [
    [{ ...asked(), tools: [taking({ ...open, properties: { a: { const: "x" } } })] }],
    [{ ...asked(), responseFormat: { type: "json", schema: { ...closed, title: "Answer" } } }],
  ],
  "schemas.strict-tools": [
    [{ ...asked(), tools: [{ ...taking(open), strict: true }] }],
    [{ ...asked(), tools: [{ ...taking({ type: "object" }), strict: true }] }],
    [
      { ...asked(), tools: many(21, (i) => ({ ...named(`t${i}`), ...strict })) },
      { family: "anthropic" },
    ],
    [{ ...asked(), tools: [{ ...look, ...strict }] }, { family: "bedrock" }],
  ],
  "schemas.output-root": [
    [{ ...asked(), responseFormat: { type: "json", schema: { type: "array", items: {} } } }],
    [{ ...asked(), responseFormat: { type: "json", schema: {} } }],
  ],
  "schemas.strict-output": [
    [{ ...asked(), responseFormat: { type: "json", schema: open } }],
    [{ ...asked(), responseFormat: { type: "json", schema: { type: "object" } } }],
    [
      { ...asked(), responseFormat: { type: "json", schema: open } },
      { family: "openai-compatible", structuredOutputs: true },
    ],
  ],
  "schemas.name": [
    [{ ...asked(), responseFormat: { type: "json", schema: closed, name: "the answer" } }],
  ],
  "schemas.shown": [[{ ...asked(), responseFormat: { type: "json", schema: closed } }]],
  "schemas.beside-tools": [
    [{ ...asked(), tools: [look], responseFormat: { type: "json", schema: closed } }],
  ],
  "json.in-words": [[{ ...asked(), system: "be brief", responseFormat: { type: "json" } }]],
  "tools.names": [
    [asked(said(call("a", { toolName: "a.b c" })), result("a", "no", "a.b c")), {}],
    [asked(said(call("a", { toolName: "" })), result("a", "no", ""))],
  ],
  "calls.ids": [
    [asked(said(call("call_0")), result("call_0"), said(call("call_0")), result("call_0"))],
    [asked(said(call("")), result(""))],
    [asked(said(call("functions.look:0")), result("functions.look:0"))],
    [asked(said(call("c".repeat(80))), result("c".repeat(80)))],
  ],
  "stop.empty": [[{ ...asked(), settings: { stopSequences: [] } }]],
  "stop.none": [[{ ...asked(), settings: { stopSequences: ["x"] } }, { modelId: "o4-mini" }]],
  "stop.most": [[{ ...asked(), settings: { stopSequences: ["a", "b", "c", "d", "e"] } }]],
  "settings.top-k": [[{ ...asked(), settings: { topK: 3 } }]],
  "store.said": [[asked()], [{ ...asked(), settings: { providerOptions: { openai: {} } } }]],
};

describe("the rows of the rules", () => {
  it("have a name each, and a request here that breaks them", () => {
    const names = RULES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(broken).sort()).toEqual([...names].sort());
  });

  describe.each(RULES.map((rule) => [rule.name, rule] as const))("%s", (name, rule) => {
    it("says what is demanded, and where that stands", () => {
      expect(rule.demands).not.toBe("");
      expect(rule.source).not.toBe("");
      expect(rule.families).not.toEqual([]);
    });

    const cases = (broken[name] ?? []).flatMap(([request, more = {}]) =>
      rule.families
        .filter((family) => more.family === undefined || more.family === family)
        .map((family) => [target(family, more), request] as const)
        .filter(([to]) => rule.only?.(to) !== false),
    );

    it.each(cases)("sees what breaks it, and mends it: %j", (to, request) => {
      const before = structuredClone(request);
      expect(rule.fault(request, to)).toEqual(expect.any(String));
      const { request: now } = rule.mend(request, to);
      expect(rule.fault(now, to)).toBeUndefined();
      expect(request).toEqual(before);
    });
  });
});
