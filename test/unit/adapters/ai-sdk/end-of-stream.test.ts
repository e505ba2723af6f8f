// A stream without a `finish_reason`: the end of an answer where the provider said that it is done,
// and of a connection where it did not.
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAI as createOpenAIOf7 } from "@ai-sdk/openai-4";
import { describe, expect, it } from "vitest";
import { aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import { type Major, majors } from "../../../support/provider-model.js";
import { aCall, failureOf, hello, noTokens, streamOf } from "./support.js";
import { chunk, events, portTo } from "./wire-support.js";

const createOpenAIOf = (major: Major) => (major === 7 ? createOpenAIOf7 : createOpenAI);
const stream = { stream: true };
const words = [chunk({ role: "assistant", content: "All " }), chunk({ content: "said." })];
const called = chunk({
  tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "t", arguments: "{}" } }],
});

describe.each(majors)("a stream without a finish_reason, with the clients of ai %i", (major) => {
  it("is an answer where the provider said [DONE]", async () => {
    const port = await portTo("openai-chat", major, [{ body: events(words) }], stream);
    expect(await port.generate(hello, aCall())).toMatchObject({
      content: [{ type: "text", text: "All said." }],
      finishReason: "unknown",
    });
  });

  it("that calls tools is to go on with them", async () => {
    const port = await portTo("openai-chat", major, [{ body: events([called]) }], stream);
    expect(await port.generate(hello, aCall())).toMatchObject({
      content: [{ type: "tool-call", toolCallId: "c1", input: {} }],
      finishReason: "unknown",
    });
  });

  it("that ends behind the name of a call has lost its arguments", async () => {
    const cut = chunk({
      tool_calls: [
        { index: 0, id: "c1", type: "function", function: { name: "t", arguments: "" } },
      ],
    });
    const port = await portTo("openai-chat", major, [{ body: events([cut]) }], stream);
    expect(await failureOf(port.generate(hello, aCall()))).toMatchObject({ transient: true });
  });

  it.each([
    ["\r\n", "data: [DONE]\r\n\r\n"],
    ["no space", "data:[DONE]\n\n"],
    ["no end of line", "data: [DONE]"],
  ])("is known to be done, however that is written: %s", async (_, last) => {
    const port = await portTo("openai-chat", major, [{ body: events(words, last) }], stream);
    expect(await port.generate(hello, aCall())).toMatchObject({ finishReason: "unknown" });
  });

  it.each([
    ["", ""],
    ["the word in a text", events([chunk({ content: "data: [DONE]" })], "")],
  ])("is to be asked for again where it just ends: %j", async (_, last) => {
    const port = await portTo("openai-chat", major, [{ body: events(words, last) }], stream);
    expect(await failureOf(port.generate(hello, aCall()))).toMatchObject({
      code: "llm.failed",
      transient: true,
    });
  });

  it.each([
    ["openai-chat", chunk({ content: "All " })],
    ["openai-responses", { type: "response.output_text.done" }],
    // Its client says of a first piece itself that it is not to be tried again.
    [
      "anthropic-messages",
      { type: "message_start", message: { id: "m", model: "m", usage: { input_tokens: 1 } } },
    ],
  ] as const)("is to be asked for again where a piece of it is garbled: %s", async (api, first) => {
    const garbled = events([first], 'data: {"type":"mess\n\ndata: [DONE]\n\n');
    const port = await portTo(api, major, [{ body: garbled }], stream);
    expect(await failureOf(port.generate(hello, aCall()))).toMatchObject({
      code: "llm.failed",
      transient: true,
    });
  });

  it("is looked at through the fetch that the provider was given", async () => {
    const asked: unknown[] = [];
    const fetch = async (input: unknown) => {
      asked.push(input);
      return new Response(events(words), { headers: { "content-type": "text/event-stream" } });
    };
    const model = createOpenAIOf(major)({ apiKey: "none", fetch: fetch as never }).chat("m");
    const port = aiSdk(model, stream);
    expect(await port.generate(hello, aCall())).toMatchObject({ finishReason: "unknown" });
    expect(await port.generate(hello, aCall())).toMatchObject({ finishReason: "unknown" });
    expect(asked).toHaveLength(2);
  });

  it("says nothing of the next answer: each is looked at for itself", async () => {
    const said = [{ body: events(words) }, { body: events(words, "") }];
    const port = await portTo("openai-chat", major, said, stream);
    await port.generate(hello, aCall());
    expect(await failureOf(port.generate(hello, aCall()))).toMatchObject({ transient: true });
  });
});

describe("a client that takes a missing finish_reason for an error, as openai-compatible does", () => {
  const unsaid = "Response stream ended without a finish reason.";
  const portOf = (
    last: string,
    complaint: object,
    streamed: (parts: never) => unknown = streamOf,
  ) => {
    const model = {
      specificationVersion: "v3",
      provider: "compatible.chat",
      modelId: "m",
      supportedUrls: {},
      config: {
        fetch: async () =>
          new Response(events(words, last), { headers: { "content-type": "text/event-stream" } }),
      },
      async doStream() {
        const response = await (this.config.fetch as typeof fetch)("http://127.0.0.1:9/v1");
        await response.text();
        const error = Object.assign(new Error(unsaid), {
          name: "AI_InvalidResponseDataError",
          ...complaint,
        });
        const parts = [
          { type: "text-start", id: "0" },
          { type: "text-delta", id: "0", delta: "All said." },
          { type: "error", error },
          { type: "finish", finishReason: { unified: "error", raw: undefined }, usage: noTokens },
        ];
        return { stream: streamed(parts as never) };
      },
    };
    return aiSdk(model as never, stream);
  };

  it("answered where the provider said [DONE], and broke off where it did not", async () => {
    expect(await portOf("data: [DONE]\n\n", {}).generate(hello, aCall())).toMatchObject({
      content: [{ type: "text", text: "All said." }],
      finishReason: "unknown",
    });
    const failed = await failureOf(portOf("", {}).generate(hello, aCall()));
    expect(failed).toMatchObject({ code: "llm.failed", transient: true });
  });

  it("answered though it leaves its stream open, where the provider said [DONE]", async () => {
    const open = (parts: readonly object[]) =>
      new ReadableStream({ start: (each) => parts.forEach((part) => void each.enqueue(part)) });
    const answer = portOf("data: [DONE]\n\n", {}, open).generate(hello, aCall());
    expect(await answer).toMatchObject({ finishReason: "unknown" });
  });

  it.each([
    { name: "AI_APICallError" },
    { data: { choices: 5 } },
    { message: "Expected 'id' to be a string." },
  ])("failed by any other complaint: %j", async (complaint) => {
    const failed = await failureOf(portOf("data: [DONE]\n\n", complaint).generate(hello, aCall()));
    expect(failed).toMatchObject({ code: "llm.failed", transient: false });
  });
});

describe("a model that cannot be looked through", () => {
  class Sealed {
    readonly specificationVersion = "v3";
    readonly provider = "sealed";
    readonly modelId = "m";
    readonly supportedUrls = {};
    readonly config = { fetch: globalThis.fetch };
    readonly #words = "mine alone";
    async doGenerate() {
      return { content: [{ type: "text", text: this.#words }], finishReason: "stop", usage: {} };
    }
    async doStream() {
      throw new Error(this.#words);
    }
  }

  it("is asked as it is", async () => {
    expect((await aiSdk(new Sealed()).generate(hello, aCall())).content).toEqual([
      { type: "text", text: "mine alone" },
    ]);
  });

  it("may be frozen, and stays as it is", async () => {
    const model = createOpenAI({ apiKey: "none", baseURL: "http://127.0.0.1:9/v1" }).chat("m");
    const config = (model as unknown as { config: object }).config;
    Object.freeze(config);
    Object.freeze(model);
    expect(await failureOf(aiSdk(model).generate(hello, aCall()))).toMatchObject({
      transient: true,
    });
    expect((model as unknown as { config: object }).config).toBe(config);
  });
});
