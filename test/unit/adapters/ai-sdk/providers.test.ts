// Through the providers' own clients and over HTTP: what a model port gives for an answer as OpenAI
// and Anthropic really put it, and what it sends back.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import type { Message } from "../../../../src/core/kernel/vocabulary/index.js";
import type { ModelPort, ModelRequest, ModelResponse } from "../../../../src/runtime/index.js";
import {
  type ConversationServer,
  ownConversation,
  serveConversation,
} from "../../../support/conversation-server.js";
import { type Major, majors, providerModel } from "../../../support/provider-model.js";
import { aCall, failureOf } from "./support.js";

let server: ConversationServer | undefined;
let clients: Major = 6;
afterEach(() => server?.close());

const tools: ModelRequest["tools"] = [
  {
    name: "weather",
    description: "The weather in a city",
    inputSchema: {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    },
  },
];
const thinking = {
  providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } } },
};

async function portTo(name: string, model: string): Promise<ModelPort> {
  const conversation = ownConversation(name);
  server = await serveConversation(conversation);
  return aiSdk(providerModel(conversation.api, model, server.url, clients), {
    stream: name.includes("stream"),
  });
}

/** The transcript after an answer, its tool calls answered as the conversation expects it. */
function answered(messages: readonly Message[], response: ModelResponse): readonly Message[] {
  const weather: Record<string, string> = { Lisbon: "Lisbon: rain", Oslo: "Oslo: snow" };
  const results = response.content.flatMap((part) => {
    if (part.type !== "tool-call") return [];
    const { toolCallId, toolName, input, malformed } = part;
    const { city } = input as { city: string };
    const value = malformed === true ? "no JSON" : (weather[city] ?? "unknown");
    return [
      { type: "tool-result", toolCallId, toolName, output: { type: "text", value } } as const,
    ];
  });
  return [
    ...messages,
    { role: "assistant", content: response.content },
    { role: "tool", content: results },
  ];
}

const luggage = {
  system: "Advise on luggage.",
  messages: [{ role: "user", content: "Lisbon, then Oslo: umbrella or coat?" }],
  tools,
} as const satisfies ModelRequest;

describe.each(majors)("with the clients of ai %i", (major) => {
  beforeEach(() => {
    clients = major;
  });

  describe("OpenAI's chat completions", () => {
    it("call tools side by side and tell of the cache", async () => {
      const port = await portTo("openai-chat-parallel", "gpt-4o-mini");
      const first = await port.generate(luggage, aCall());
      expect(first).toEqual({
        content: [
          {
            type: "tool-call",
            toolCallId: "call_lis",
            toolName: "weather",
            input: { city: "Lisbon" },
          },
          {
            type: "tool-call",
            toolCallId: "call_osl",
            toolName: "weather",
            input: { city: "Oslo" },
          },
        ],
        finishReason: "tool-calls",
        usage: {
          inputTokens: 71,
          outputTokens: 32,
          totalTokens: 103,
          cacheCreationInputTokens: 0,
          cacheReadInputTokens: 0,
          reasoningTokens: 0,
        },
        model: "gpt-4o-mini-2024-07-18",
        responseId: "chatcmpl-own-1",
        providerMetadata: {
          openai: { acceptedPredictionTokens: 0, rejectedPredictionTokens: 0 },
        },
      });
      const second = await port.generate(
        { ...luggage, messages: answered(luggage.messages, first) },
        aCall(),
      );
      expect(second).toMatchObject({
        content: [{ type: "text", text: "Both: Lisbon is wet, Oslo is white." }],
        finishReason: "stop",
        usage: { inputTokens: 128, cacheReadInputTokens: 64 },
      });
      expect(server?.report).toEqual({ served: 2, mismatches: [] });
    });

    it("bring malformed arguments as they are, and take them back in an object", async () => {
      const port = await portTo("openai-chat-stream-malformed", "gpt-4o-mini");
      let messages: readonly Message[] = [{ role: "user", content: "How is Lisbon?" }];
      const call = aCall();
      const first = await port.generate({ messages, tools }, call);
      expect(first.content).toEqual([
        { type: "text", text: "Let me look." },
        {
          type: "tool-call",
          toolCallId: "call_one",
          toolName: "weather",
          input: '{"city": "Lis',
          malformed: true,
        },
      ]);
      expect(call.deltas).toEqual([
        { type: "text", text: "Let me " },
        { type: "text", text: "look." },
        { type: "tool-input", text: '{"city"', toolCallId: "call_one", toolName: "weather" },
        { type: "tool-input", text: ': "Lis', toolCallId: "call_one", toolName: "weather" },
      ]);
      messages = answered(messages, first);
      messages = answered(messages, await port.generate({ messages, tools }, aCall()));
      const last = await port.generate({ messages, tools }, aCall());
      expect(last).toMatchObject({
        content: [{ type: "text", text: "It rains." }],
        usage: { totalTokens: 99 },
      });
      expect(server?.report).toEqual({ served: 3, mismatches: [] });
    });

    it("fail with the status, the wait and OpenAI's own words, and are not asked twice", async () => {
      const port = await portTo("openai-chat-bad-day", "gpt-4o-mini");
      const request = { messages: [{ role: "user", content: "How is Oslo?" }], tools } as const;
      expect(await failureOf(port.generate(request, aCall()))).toEqual({
        code: "llm.failed",
        message: "Rate limit reached for requests",
        status: 429,
        retryAfterMs: 7000,
        transient: true,
        detail: {
          error: {
            message: "Rate limit reached for requests",
            type: "requests",
            param: null,
            code: "rate_limit_exceeded",
          },
        },
      });
      expect(server?.report.served).toBe(1);
      const messages = answered(request.messages, await port.generate(request, aCall()));
      expect(await failureOf(port.generate({ messages, tools }, aCall()))).toMatchObject({
        status: 500,
        transient: true,
        detail: { error: { type: "server_error" } },
      });
      expect(server?.report).toEqual({ served: 3, mismatches: [] });
    });
  });

  describe("OpenAI's Responses API", () => {
    it.each(["openai-responses-reasoning", "openai-responses-stream-reasoning"])(
      "gets its sealed reasoning back whole, with nothing stored: %s",
      async (name) => {
        const port = await portTo(name, "gpt-5-mini");
        const messages = [{ role: "user", content: "Do I need a coat in Oslo?" }] as const;
        const call = aCall();
        const first = await port.generate({ messages, tools }, call);
        expect(first).toMatchObject({
          content: [
            {
              type: "reasoning",
              text: "Oslo may be cold; look.",
              providerOptions: { openai: { reasoningEncryptedContent: "c2VhbGVkIHRob3VnaHRz" } },
            },
            { type: "tool-call", toolCallId: "call_osl", input: { city: "Oslo" } },
          ],
          usage: { inputTokens: 60, outputTokens: 40, totalTokens: 100 },
          responseId: "resp_own_1",
        });
        if (name.includes("stream")) {
          expect(call.deltas.map(({ type }) => type)).toEqual([
            "reasoning",
            "reasoning",
            "tool-input",
            "tool-input",
          ]);
        }
        const second = await port.generate({ messages: answered(messages, first), tools }, aCall());
        expect(second).toMatchObject({
          content: [{ type: "text", text: "Yes, it snows." }],
          finishReason: "stop",
          usage: { cacheReadInputTokens: 96 },
        });
        expect(server?.report).toEqual({ served: 2, mismatches: [] });
      },
    );
  });

  describe("Anthropic's messages", () => {
    it.each(["anthropic-thinking", "anthropic-stream-thinking"])(
      "get their signed and sealed thinking back, and tell of the cache: %s",
      async (name) => {
        const port = await portTo(name, "claude-sonnet-4-5");
        const request = { ...luggage, settings: thinking };
        const first = await port.generate(request, aCall());
        expect(first).toMatchObject({
          content: [
            {
              type: "reasoning",
              text: "Two cities, two questions.",
              providerOptions: { anthropic: { signature: "c2lnbmVkIGJ5IG5vYm9keQ==" } },
            },
            {
              type: "reasoning",
              text: "",
              providerOptions: { anthropic: { redactedData: "bm90aGluZyB0byBzZWU=" } },
            },
            { type: "text", text: "I will look at both." },
            { type: "tool-call", toolCallId: "toolu_lis", input: { city: "Lisbon" } },
            { type: "tool-call", toolCallId: "toolu_osl", input: { city: "Oslo" } },
          ],
          finishReason: "tool-calls",
          usage: {
            inputTokens: 1230,
            outputTokens: 90,
            totalTokens: 1320,
            cacheCreationInputTokens: 1200,
            cacheReadInputTokens: 0,
          },
        });
        const next = { ...request, messages: answered(request.messages, first) };
        if (name.includes("stream")) {
          expect(await failureOf(port.generate(next, aCall()))).toMatchObject({
            message: "Overloaded",
            transient: true,
            detail: { type: "error", error: { type: "overloaded_error" } },
          });
          expect(await failureOf(port.generate(next, aCall()))).toMatchObject({ transient: true });
        }
        expect(await port.generate(next, aCall())).toMatchObject({
          content: [{ type: "text", text: "Both: Lisbon is wet, Oslo is white." }],
          finishReason: "stop",
          usage: { inputTokens: 1360, cacheReadInputTokens: 1200, cacheCreationInputTokens: 0 },
        });
        expect(server?.report.mismatches).toEqual([]);
      },
    );
  });
});

describe("a provider that is not there", () => {
  it("is worth another try", async () => {
    const port = await portTo("openai-chat-parallel", "gpt-4o-mini");
    await server?.close();
    server = undefined;
    const error = await failureOf(port.generate(luggage, aCall()));
    expect(error).toMatchObject({ code: "llm.failed", transient: true });
    expect(error).not.toHaveProperty("status");
  });
});

describe("an abort", () => {
  it("ends the request", async () => {
    const port = await portTo("openai-chat-parallel", "gpt-4o-mini");
    const controller = new AbortController();
    const answer = port.generate(luggage, aCall(controller.signal));
    controller.abort();
    expect(await failureOf(answer)).toMatchObject({ transient: false });
  });
});
