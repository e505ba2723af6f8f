// Servers in a fetch of their own, behind the SDK's clients of both majors: each refuses what its
// provider's rules refuse, written down once more here, and answers by a script.
import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAmazonBedrock as createAmazonBedrockOf7 } from "@ai-sdk/amazon-bedrock-5";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createAnthropic as createAnthropicOf7 } from "@ai-sdk/anthropic-4";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createGoogleGenerativeAI as createGoogleOf7 } from "@ai-sdk/google-4";
import { createMistral } from "@ai-sdk/mistral";
import { createMistral as createMistralOf7 } from "@ai-sdk/mistral-4";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAI as createOpenAIOf7 } from "@ai-sdk/openai-4";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenAICompatible as createCompatibleOf7 } from "@ai-sdk/openai-compatible-3";
import type { AiSdkModel } from "reckoner/ai-sdk";
import {
  anthropicFault,
  type Body,
  bedrockFault,
  chatFault,
  type Fault,
  geminiFault,
  mistralFault,
  responsesFault,
} from "./provider-faults.js";
import type { Major } from "./provider-model.js";

/** What a model says: a text, or calls of tools by their names. */
export type Said =
  | string
  | readonly { readonly id: string; readonly name: string; readonly input: object }[];

/** A provider: its client, what its server refuses, and how it writes an answer. */
interface Server {
  model(major: Major, fetch: typeof globalThis.fetch): AiSdkModel;
  readonly fault: Fault;
  write(said: Said): object;
}

const chatAnswer = (said: Said) => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  choices: [
    {
      index: 0,
      finish_reason: typeof said === "string" ? "stop" : "tool_calls",
      message: {
        role: "assistant",
        content: typeof said === "string" ? said : null,
        ...(typeof said === "string"
          ? {}
          : {
              tool_calls: said.map(({ id, name, input }) => ({
                id,
                type: "function",
                function: { name, arguments: JSON.stringify(input) },
              })),
            }),
      },
    },
  ],
});

const settings = (fetch: typeof globalThis.fetch) => ({ apiKey: "k", fetch });

/** The servers, by family. */
export const servers = {
  "openai-chat": {
    model: (major, fetch) =>
      (major === 6 ? createOpenAI : createOpenAIOf7)(settings(fetch)).chat("gpt-4o"),
    fault: chatFault,
    write: chatAnswer,
  },
  "openai-responses": {
    model: (major, fetch) =>
      (major === 6 ? createOpenAI : createOpenAIOf7)(settings(fetch)).responses("gpt-4o"),
    fault: responsesFault,
    write: (said) => ({
      id: "r",
      object: "response",
      created_at: 1,
      model: "m",
      status: "completed",
      output:
        typeof said === "string"
          ? [
              {
                type: "message",
                id: "msg_1",
                role: "assistant",
                status: "completed",
                content: [{ type: "output_text", text: said, annotations: [] }],
              },
            ]
          : said.map(({ id, name, input }) => ({
              type: "function_call",
              id: `fc_${id.replace(/\W/g, "")}`,
              call_id: id,
              name,
              arguments: JSON.stringify(input),
              status: "completed",
            })),
      usage: {
        input_tokens: 1,
        output_tokens: 1,
        total_tokens: 2,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    }),
  },
  anthropic: {
    model: (major, fetch) =>
      (major === 6 ? createAnthropic : createAnthropicOf7)(settings(fetch))("claude-sonnet-4-5"),
    fault: anthropicFault,
    write: (said) => ({
      id: "m",
      type: "message",
      role: "assistant",
      model: "m",
      content:
        typeof said === "string"
          ? [{ type: "text", text: said }]
          : said.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
      stop_reason: typeof said === "string" ? "end_turn" : "tool_use",
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  },
  google: {
    model: (major, fetch) =>
      (major === 6 ? createGoogleGenerativeAI : createGoogleOf7)(settings(fetch))(
        "gemini-2.5-flash",
      ),
    fault: geminiFault,
    write: (said) => ({
      candidates: [
        {
          finishReason: "STOP",
          content: {
            role: "model",
            parts:
              typeof said === "string"
                ? [{ text: said }]
                : said.map(({ name, input }) => ({ functionCall: { name, args: input } })),
          },
        },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    }),
  },
  bedrock: {
    model: (major, fetch) =>
      (major === 6 ? createAmazonBedrock : createAmazonBedrockOf7)({
        region: "us-east-1",
        apiKey: "k",
        fetch,
      })("us.amazon.nova-pro-v1:0"),
    fault: bedrockFault,
    write: (said) => ({
      output: {
        message: {
          role: "assistant",
          content:
            typeof said === "string"
              ? [{ text: said }]
              : said.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } })),
        },
      },
      stopReason: typeof said === "string" ? "end_turn" : "tool_use",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    }),
  },
  mistral: {
    model: (major, fetch) =>
      (major === 6 ? createMistral : createMistralOf7)(settings(fetch))("mistral-large-latest"),
    fault: mistralFault,
    write: chatAnswer,
  },
  "openai-compatible": {
    model: (major, fetch) =>
      (major === 6 ? createOpenAICompatible : createCompatibleOf7)({
        name: "local",
        baseURL: "http://local.test/v1",
        ...settings(fetch),
      })("qwen3"),
    fault: chatFault,
    write: chatAnswer,
  },
} satisfies { readonly [family: string]: Server };

export type ServerName = keyof typeof servers;

/** A model behind a server that answers by a script, and the bodies that it was sent. */
export function strictModel(
  name: ServerName,
  major: Major,
  script: (turn: number, body: Body) => Said,
): { readonly model: AiSdkModel; readonly bodies: Body[] } {
  const bodies: Body[] = [];
  const server: Server = servers[name];
  const json = (status: number, value: object) =>
    new Response(JSON.stringify(value), {
      status,
      headers: { "content-type": "application/json" },
    });
  const fetch = (async (_url: unknown, init: { readonly body: string }) => {
    const body = JSON.parse(init.body);
    bodies.push(body);
    const fault = server.fault(body);
    if (fault !== undefined)
      return json(400, {
        error: { message: fault, type: "invalid_request_error" },
        message: fault,
      });
    return json(200, server.write(script(bodies.length - 1, body)));
  }) as unknown as typeof globalThis.fetch;
  return { model: server.model(major, fetch), bodies };
}
