// The SDK's own tools, of both majors, as tools of an agent: what they are told, what they come to,
// and what of them cannot be carried out here.
import { anthropic } from "@ai-sdk/anthropic";
import { anthropic as anthropicOf7 } from "@ai-sdk/anthropic-4";
import { openai } from "@ai-sdk/openai";
import { openai as openaiOf7 } from "@ai-sdk/openai-4";
import * as ai from "ai";
import * as aiOf7 from "ai-7";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { aiSdk, fromAiSdkTools } from "../../../../src/adapters/ai-sdk/index.js";
import {
  agent,
  type Message,
  run,
  scriptedModel,
  type Tool,
  ToolError,
  toArray,
} from "../../../../src/index.js";
import { refusal } from "../../../support/thrown.js";

const sdks = [
  [6, ai, openai, anthropic],
  [7, aiOf7, openaiOf7, anthropicOf7],
] as const;

/** What the model reads of one call of the only tool. */
async function readOf(tools: readonly Tool[], args: object = {}, services?: unknown) {
  const [{ name }] = tools as [Tool];
  const model = scriptedModel([{ calls: [{ name, input: args as never }] }, "done"]);
  const end = await run(agent({ name: "a", tools }), "go", { model, services });
  const messages: readonly Message[] = toArray(end.context.messages);
  const result = messages.find(({ role }) => role === "tool") as Extract<Message, { role: "tool" }>;
  return result.content[0]?.output;
}

describe.each(sdks)("tools of ai %i", (_, sdk, openaiTools, anthropicTools) => {
  const define = (definition: object): Tool[] =>
    fromAiSdkTools({ look: (sdk.tool as (definition: object) => object)(definition) });

  it("are shown to the model with schema, strict and options", () => {
    const [look] = define({
      description: "Looks",
      inputSchema: z.object({ at: z.string() }),
      strict: true,
      providerOptions: { anthropic: { deferLoading: true } },
      execute: () => "",
    }) as [Tool];
    expect(look.schema).toMatchObject({
      name: "look",
      description: "Looks",
      inputSchema: { type: "object", properties: { at: { type: "string" } } },
      strict: true,
      providerOptions: { anthropic: { deferLoading: true } },
    });
  });

  it("run with their input and the options that there are", async () => {
    const seen: unknown[] = [];
    const tools = define({
      inputSchema: z.object({ at: z.string().default("here") }),
      execute: (input: unknown, options: { abortSignal: AbortSignal; toolCallId: string }) => {
        seen.push(input, options.toolCallId, options.abortSignal instanceof AbortSignal);
        return { ok: true };
      },
    });
    expect(await readOf(tools)).toEqual({ type: "json", value: { ok: true } });
    expect(seen).toEqual([{ at: "here" }, expect.stringContaining("tool/0/0"), true]);
  });

  it("are given the run's services as their context", async () => {
    const tools = define({
      inputSchema: z.object({}),
      execute: (_input: unknown, { context, experimental_context }: Record<string, unknown>) =>
        JSON.stringify([context, experimental_context]),
    });
    expect(await readOf(tools, {}, { db: 1 })).toMatchObject({ value: '[{"db":1},{"db":1}]' });
    expect(await readOf(tools)).toMatchObject({ value: "[null,null]" });
  });

  it("that yield come to what they yield last", async () => {
    const tools = define({
      inputSchema: z.object({}),
      async *execute() {
        yield "one";
        yield "two";
      },
    });
    expect(await readOf(tools)).toEqual({ type: "text", value: "two" });
  });

  it("with a schema of the SDK's own are checked before they run", async () => {
    const tools = define({
      inputSchema: sdk.jsonSchema(
        { type: "object", properties: { n: { type: "number" } } },
        {
          validate: async (value) =>
            typeof (value as { n?: unknown }).n === "number"
              ? { success: true, value: { n: (value as { n: number }).n + 1 } }
              : { success: false, error: new Error("n must be a number") },
        },
      ),
      execute: (input: { n: number }) => String(input.n),
    });
    expect(tools[0]?.schema.inputSchema).toMatchObject({ properties: { n: { type: "number" } } });
    expect(await readOf(tools, { n: 1 })).toEqual({ type: "text", value: "2" });
    expect(await readOf(tools, { n: "x" })).toMatchObject({
      type: "error-text",
      value: expect.stringContaining("n must be a number"),
    });
  });

  it("are asked with all that the SDK would tell them here", async () => {
    const asked: unknown[] = [];
    const tools = define({
      inputSchema: z.object({ n: z.number() }),
      needsApproval: (input: unknown, options: unknown) => {
        asked.push([input, options]);
        return false;
      },
      execute: (_: unknown, { messages }: { messages: unknown }) => messages as never,
      toModelOutput: (given: unknown) => {
        asked.push(given);
        return { type: "text", value: "read" };
      },
    });
    expect(await readOf(tools, { n: 1 })).toMatchObject({
      value: [{ type: "text", text: "read" }],
    });
    expect(asked).toContainEqual([{ n: 1 }, { toolCallId: "", messages: [] }]);
    expect(asked).toContainEqual({
      toolCallId: expect.stringContaining("tool/0/0"),
      input: { n: 1 },
      output: [],
    });
  });

  it("may come to nothing, and to null", async () => {
    for (const came of [null, undefined]) {
      const tools = define({ inputSchema: z.object({}), execute: () => came });
      expect(await readOf(tools)).toMatchObject({ value: null });
    }
  });

  it("that throw fail, and the model reads that", async () => {
    const throwing = (thrown: Error) =>
      define({
        inputSchema: z.object({}),
        execute: () => {
          throw thrown;
        },
      });
    const read = await readOf(throwing(new Error("it is dark")));
    expect(read).toEqual({ type: "error-text", value: expect.stringContaining("threw an error") });
    expect(await readOf(throwing(new ToolError("It is dark.")))).toMatchObject({
      value: expect.stringContaining("It is dark."),
    });
  });

  it("that ran and cannot say what the model is to read are read by their output", async () => {
    const tools = define({
      inputSchema: z.object({}),
      execute: () => ({ at: new Date(0) }),
      toModelOutput: () => {
        throw new Error("no");
      },
    });
    const value = { at: "1970-01-01T00:00:00.000Z" };
    expect(await readOf(tools)).toEqual({ type: "json", value });
  });

  it.each([
    [
      { type: "text", value: "ok" },
      { type: "text", value: "ok" },
    ],
    [
      { type: "text", value: "seen" },
      { type: "content", value: [{ type: "text", text: "seen" }] },
    ],
    [
      { type: "json", value: { a: 1 } },
      { type: "content", value: [{ type: "text", text: '{"a":1}' }] },
    ],
    [
      {
        type: "content",
        value: [
          { type: "text", text: "t" },
          { type: "image-data", data: "aGk=", mediaType: "image/png" },
          { type: "image-url", url: "https://a.test/i.png" },
          { type: "file-data", data: "aGk=", mediaType: "text/plain", filename: "a.txt" },
          { type: "file", data: { type: "data", data: new Uint8Array([104]) }, mediaType: "image" },
          { type: "custom", providerOptions: { anthropic: { type: "tool-reference" } } },
        ],
      },
      {
        type: "content",
        value: [
          { type: "text", text: "t" },
          { type: "image", image: "aGk=", mediaType: "image/png" },
          { type: "image", image: "https://a.test/i.png" },
          { type: "file", data: "aGk=", mediaType: "text/plain", filename: "a.txt" },
          { type: "image", image: "aA==", mediaType: "image" },
          { type: "custom", providerOptions: { anthropic: { type: "tool-reference" } } },
        ],
      },
    ],
    [
      { type: "error-text", value: "no" },
      { type: "error-text", value: "Tool execution failed: no" },
    ],
    [
      { type: "execution-denied", reason: "never" },
      { type: "error-text", value: "Tool execution failed: never" },
    ],
    [
      { type: "content", value: [{ type: "image-file-id", fileId: "f1" }] },
      {
        type: "content",
        value: [{ type: "text", text: expect.stringContaining("image-file-id") }],
      },
    ],
  ])("say to the model what they want it to read: %j", async (said, read) => {
    const tools = define({
      inputSchema: z.object({}),
      execute: () => "ok",
      toModelOutput: () => said,
    });
    expect(await readOf(tools)).toEqual(read);
  });

  it.each([
    [true, true],
    [() => false, false],
    [({ n }: { n: number }) => n > 1, true],
    [async () => false, true],
    [() => Promise.reject(new Error("x")), true],
  ])("ask for approval where they say so at once, or cannot: %#", (needsApproval, asked) => {
    const [look] = define({ inputSchema: z.object({}), needsApproval, execute: () => "" }) as [
      Tool,
    ];
    const asks = look.needsApproval;
    expect(typeof asks === "function" ? asks({ n: 2 } as never, {} as never) : asks).toBe(asked);
  });

  it("that a provider carries out are passed through", () => {
    const tools = fromAiSdkTools({
      web: openaiTools.tools.webSearch({ searchContextSize: "low" }) as object,
      find: anthropicTools.tools.webSearch_20250305({ maxUses: 1 }) as object,
    });
    expect(tools.map(({ kind, schema }) => [kind, schema.name, schema.provider])).toEqual([
      ["provider", "web", { id: "openai.web_search", args: { searchContextSize: "low" } }],
      ["provider", "find", { id: "anthropic.web_search_20250305", args: { maxUses: 1 } }],
    ]);
  });

  it("that a provider defines and we carry out keep its id", async () => {
    const tools = fromAiSdkTools({
      bash: anthropicTools.tools.bash_20250124({
        execute: async ({ command }: { command?: string }) => `ran ${command}`,
      }) as object,
    });
    expect(tools[0]?.schema.provider).toEqual({ id: "anthropic.bash_20250124", args: {} });
    expect(await readOf(tools, { command: "ls" })).toEqual({ type: "text", value: "ran ls" });
  });

  it("that nobody here can carry out are refused, each by its name", () => {
    expect(() => define({ inputSchema: z.object({}) })).toThrow(
      expect.objectContaining({
        code: "tool.invalid",
        message: expect.stringMatching(/"look" of the AI SDK has no execute/),
      }),
    );
    const inputSchema = sdk.jsonSchema(Promise.resolve({ type: "object" } as const) as never);
    expect(() => define({ inputSchema, execute: () => "" })).toThrow(/describes its input/);
  });
});

describe("a tool by its form", () => {
  const execute = () => "";
  const made = (definition: object) => fromAiSdkTools({ look: definition })[0] as Tool;

  it("is the provider's where it has an id and says so, in the words of either major", () => {
    for (const type of ["provider", "provider-defined"]) {
      const look = made({ type, id: "acme.look", args: { n: 1 } });
      expect([look.kind, look.schema.provider]).toEqual([
        "provider",
        { id: "acme.look", args: { n: 1 } },
      ]);
    }
    for (const type of ["function", "not-of-a-provider", undefined]) {
      const look = made({ type, id: "acme.look", inputSchema: z.object({}), execute });
      expect([look.kind, look.schema.provider]).toEqual(["execute", undefined]);
    }
    expect(made({ type: "provider", inputSchema: z.object({}), execute }).kind).toBe("execute");
    expect(() => made({ type: "provider" })).toThrow("has no execute");
  });

  it("is shown with deferred loading where it asks for that, and with nothing that it does not say", () => {
    const inputSchema = z.object({});
    expect(made({ inputSchema, deferLoading: true, execute }).schema.deferLoading).toBe(true);
    const bare = made({ inputSchema, execute }).schema;
    for (const key of ["deferLoading", "strict", "providerOptions", "provider"])
      expect(bare).not.toHaveProperty(key);
  });
});

describe("what the SDK's tools do not say", () => {
  it("is said beside them, by name", () => {
    const look = ai.tool({ inputSchema: z.object({}), execute: () => "" }) as object;
    const [first, second] = fromAiSdkTools(
      { look, constructor: look },
      { look: { idempotent: true, retries: 2, final: true } },
    ) as [Tool, Tool];
    expect([first.idempotent, first.retries, first.final]).toEqual([true, 2, true]);
    expect([second.idempotent, second.retries, second.final]).toEqual([false, 0, false]);
  });
});

describe("a description that is a function", () => {
  it("is asked when the tool is made", () => {
    const look = { description: () => "Looks", inputSchema: z.object({}), execute: () => "" };
    expect(fromAiSdkTools({ look })[0]?.schema.description).toBe("Looks");
  });
});

describe("what is none is refused", () => {
  const look = { inputSchema: z.object({}), execute: () => 1 };
  it.each([
    ["fromAiSdkTools takes tools of the AI SDK by their names", undefined, undefined],
    ["fromAiSdkTools takes tools of the AI SDK by their names", [look], undefined],
    ['Tool "look" is not a tool of the AI SDK.', { look: null }, undefined],
    ["options name loook, which is not a tool; look are.", { look }, { loook: { retries: 2 } }],
    ['Tool "look" cannot be: retries must be a whole', { look }, { look: { retries: "2" } }],
  ])("%s", (words, tools, options) => {
    const { code, message } = refusal(() => fromAiSdkTools(tools as never, options as never));
    expect([code, message]).toEqual(["tool.invalid", expect.stringContaining(words)]);
  });

  const model = openai("gpt-4o");
  it.each([
    ["The model of aiSdk must be a model of the AI SDK", undefined, undefined],
    ["The model of aiSdk must be a model of the AI SDK", "", undefined],
    ["The model of aiSdk must be a model of the AI SDK", openai, undefined],
    ["streams is not an option of aiSdk; stream, name,", model, { streams: true }],
    ["isRejectedCall of aiSdk must be a function; it is true.", model, { isRejectedCall: true }],
  ])("%s: %#", (words, given, options) => {
    const { code, message } = refusal(() => aiSdk(given as never, options as never));
    expect([code, message]).toEqual(["option.invalid", expect.stringContaining(words)]);
  });
});
