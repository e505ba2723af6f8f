// Conversations with a provider over HTTP that a test writes down itself, through the SDK's own
// clients of either major.
import { afterEach } from "vitest";
import { type AiSdkOptions, aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import type { ModelPort } from "../../../../src/runtime/index.js";
import {
  type Conversation,
  type ConversationServer,
  type Exchange,
  serveConversation,
} from "../../../support/conversation-server.js";
import { type Major, providerModel } from "../../../support/provider-model.js";

const paths = {
  "openai-chat": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
  "anthropic-messages": "/v1/messages",
};

let server: ConversationServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** What the server was asked, and in what that differed from what it expected. */
export function report(): ConversationServer["report"] {
  if (server === undefined) throw new Error("nothing is served");
  return server.report;
}

/** An answer of the server: JSON, or the text of an event stream; and what the request must hold. */
export interface Said {
  readonly body: unknown;
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  readonly expect?: unknown;
  readonly cut?: boolean;
}

/** A model that gets these answers, one after the other. */
export async function portTo(
  api: Conversation["api"],
  major: Major,
  said: readonly Said[],
  options: AiSdkOptions & { readonly model?: string } = {},
): Promise<ModelPort> {
  const { model = api.startsWith("openai") ? "gpt-5-mini" : "claude-sonnet-4-5", ...rest } =
    options;
  const exchanges = said.map(
    ({ body, status = 200, headers, expect = {}, cut }): Exchange => ({
      request: { method: "POST", path: paths[api], body: expect },
      response: {
        status,
        contentType:
          typeof body === "string" && body.startsWith("data:")
            ? "text/event-stream"
            : "application/json",
        body,
        ...(headers === undefined ? {} : { headers }),
        ...(cut === undefined ? {} : { cut }),
      },
    }),
  );
  server = await serveConversation({ name: "inline", api, about: "", exchanges });
  return aiSdk(providerModel(api, model, server.url, major), rest);
}

/** An event stream of these chunks; the last word is said where it is given. */
export function events(chunks: readonly object[], last = "data: [DONE]\n\n"): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("") + last;
}

/** A piece of a chat completion's stream. */
export function chunk(
  delta: object,
  finish_reason: string | null = null,
  more: object = {},
): object {
  return {
    id: "c1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  };
}

/** An answer of Anthropic's. */
export function anthropicMessage(content: readonly object[], stop_reason = "end_turn"): object {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content,
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 2 },
  };
}

/** An answer of OpenAI's Responses API. */
export function openaiResponse(output: readonly object[]): object {
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    model: "gpt-5-mini",
    output,
    error: null,
    incomplete_details: null,
    usage: {
      input_tokens: 3,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 2,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 5,
    },
  };
}

/** A text of OpenAI's Responses API. */
export function openaiText(text: string): object {
  return {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
  };
}
