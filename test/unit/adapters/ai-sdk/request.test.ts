// What a model is asked: our request in the provider interface's words, with nothing lost, nothing
// changed in place, and nothing in it that a provider would refuse.
import { describe, expect, it } from "vitest";
import type { Message } from "../../../../src/core/kernel/vocabulary/index.js";
import { asked, hello } from "./support.js";

const weather = {
  name: "weather",
  description: "Tells the weather",
  inputSchema: { type: "object", properties: { city: { type: "string" } } },
};

describe("messages", () => {
  it("go in their order, the system prompt first", async () => {
    const { prompt } = await asked({
      system: "be brief",
      messages: [
        { role: "user", content: "a" },
        { role: "assistant", content: [{ type: "text", text: "b" }] },
        { role: "user", content: [{ type: "text", text: "c" }] },
      ],
    });
    expect(prompt).toMatchObject([
      { role: "system", content: "be brief" },
      { role: "user", content: [{ type: "text", text: "a" }] },
      { role: "assistant", content: [{ type: "text", text: "b" }] },
      { role: "user", content: [{ type: "text", text: "c" }] },
    ]);
  });

  it("may begin with further instructions, and nothing is printed about it", async () => {
    const { prompt } = await asked({
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: "a" },
      ],
    });
    expect(prompt.map(({ role }) => role)).toEqual(["system", "user"]);
  });

  it("take a provider's own data back to it", async () => {
    const signed = { anthropic: { signature: "sig" } };
    const { prompt } = await asked(
      {
        messages: [
          { role: "user", content: "a" },
          {
            role: "assistant",
            content: [{ type: "reasoning", text: "hm", providerOptions: signed }],
            providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
          },
          { role: "user", content: "b" },
        ],
      },
      "anthropic.messages",
    );
    expect(prompt[1]).toMatchObject({
      content: [{ type: "reasoning", text: "hm", providerOptions: signed }],
      providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
    });
  });

  it("carry files as base64 and as what a data URL holds", async () => {
    const { prompt } = await asked({
      messages: [
        {
          role: "user",
          content: [
            { type: "image", image: "data:image/png;base64,iVBORw0KGgo=" },
            { type: "file", data: "aGk=", mediaType: "text/plain", filename: "hi.txt" },
          ],
        },
      ],
    });
    expect(prompt[0]?.content).toMatchObject([
      { type: "file", data: "iVBORw0KGgo=", mediaType: "image/png" },
      { type: "file", data: "aGk=", mediaType: "text/plain", filename: "hi.txt" },
    ]);
  });

  it("pair tool results with their calls", async () => {
    const { prompt } = await asked({ messages: [...called({ city: "Rome" })] });
    expect(prompt.slice(1)).toMatchObject([
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "c1", input: { city: "Rome" } }],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "c1", output: { type: "text", value: "sunny" } },
        ],
      },
    ]);
  });

  it.each([
    ["malformed", '{"city": "Ro'],
    ["a number", 5],
    ["a list", ["Rome"]],
    ["null", null],
  ])("send arguments that are no object as they were, in one: %s", async (_, input) => {
    const { prompt } = await asked({ messages: [...called(input)] });
    expect(prompt[1]?.content).toEqual([
      expect.objectContaining({
        type: "tool-call",
        toolCallId: "c1",
        input: { rawInvalidInput: input },
      }),
    ]);
    expect(JSON.stringify(prompt)).not.toContain("malformed");
  });

  it("leave out an assistant's message that says nothing", async () => {
    const { prompt } = await asked({
      messages: [
        { role: "user", content: "a" },
        { role: "assistant", content: [] },
        { role: "assistant", content: "" },
        { role: "user", content: "b" },
      ],
    });
    expect(prompt.map(({ role }) => role)).toEqual(["user", "user"]);
  });
});

describe("tools", () => {
  it("go with name, description and schema; the model may choose", async () => {
    expect(await asked({ ...hello, tools: [weather] })).toMatchObject({
      tools: [{ type: "function", ...weather }],
      toolChoice: { type: "auto" },
    });
  });

  it("go without an empty description", async () => {
    const { tools } = await asked({ ...hello, tools: [{ ...weather, description: "" }] });
    expect(tools?.[0]).not.toHaveProperty("description");
  });

  it.each([
    ["auto", { type: "auto" }],
    ["none", { type: "none" }],
    ["required", { type: "required" }],
    [{ tool: "weather" }, { type: "tool", toolName: "weather" }],
  ] as const)("are chosen as told: %j", async (toolChoice, expected) => {
    const options = await asked({ ...hello, tools: [weather], toolChoice });
    expect(options.toolChoice).toEqual(expected);
  });

  it("are not spoken of where there are none", async () => {
    const options = await asked({ ...hello, tools: [], toolChoice: "required" });
    expect(options).not.toHaveProperty("tools");
    expect(options).not.toHaveProperty("toolChoice");
  });
});

describe("settings", () => {
  it("are passed on", async () => {
    const settings = {
      maxOutputTokens: 100,
      temperature: 0,
      topP: 0.5,
      topK: 3,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      stopSequences: ["END"],
      seed: 7,
      providerOptions: { acme: { effort: "low" } },
    };
    expect(await asked({ ...hello, settings })).toMatchObject(settings);
  });

  it("that are absent stay the provider's", async () => {
    const options = await asked(hello);
    expect(Object.keys(options).sort()).toEqual(["abortSignal", "prompt", "providerOptions"]);
  });

  it.each([
    { type: "json" },
    { type: "json", schema: { type: "object" }, name: "answer" },
    { type: "text" },
  ] as const)("include the form of the answer: %j", async (responseFormat) => {
    expect((await asked({ ...hello, responseFormat })).responseFormat).toEqual(responseFormat);
  });
});

describe("the provider's storage", () => {
  const optionsFor = async (provider: string, providerOptions?: Record<string, { a?: 1 }>) => {
    const settings = providerOptions === undefined ? {} : { providerOptions };
    return (await asked({ ...hello, settings }, provider)).providerOptions;
  };

  it("is not relied upon with OpenAI's Responses API", async () => {
    expect(await optionsFor("openai.responses")).toEqual({ openai: { store: false } });
    expect(await optionsFor("openai.responses", { openai: { a: 1 } })).toEqual({
      openai: { store: false, a: 1 },
    });
  });

  it("is used where the settings say so", async () => {
    const options = await asked(
      { ...hello, settings: { providerOptions: { openai: { store: true } } } },
      "openai.responses",
    );
    expect(options.providerOptions).toEqual({ openai: { store: true } });
  });

  it("is not relied upon with Azure either, and its options stay visible", async () => {
    expect(await optionsFor("azure.responses")).toEqual({ azure: { store: false } });
    expect(await optionsFor("azure.responses", { openai: { a: 1 } })).toEqual({
      openai: { store: false, a: 1 },
    });
  });

  it("is nothing that other interfaces are told about", async () => {
    expect(await optionsFor("openai.chat")).toEqual({});
    expect(await optionsFor("anthropic.messages", { anthropic: { a: 1 } })).toEqual({
      anthropic: { a: 1 },
    });
  });
});

function called(input: unknown): readonly Message[] {
  return [
    { role: "user", content: "weather?" },
    {
      role: "assistant",
      content: [
        {
          type: "tool-call",
          toolCallId: "c1",
          toolName: "weather",
          input: input as string,
          ...(typeof input === "string" ? { malformed: true as const } : {}),
        },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "c1",
          toolName: "weather",
          output: { type: "text", value: "sunny" },
        },
      ],
    },
  ];
}
