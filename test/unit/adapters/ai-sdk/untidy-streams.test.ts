// Streams as servers send them: cut into pieces anywhere, broken off anywhere, and with calls that are
// not as OpenAI's own. What the clients leave out in silence is no answer.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createAnthropic as createAnthropicOf7 } from "@ai-sdk/anthropic-4";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAI as createOpenAIOf7 } from "@ai-sdk/openai-4";
import { describe, expect, it } from "vitest";
import { aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import type { ModelResponse } from "../../../../src/index.js";
import { ownConversation } from "../../../support/conversation-server.js";
import { type Major, majors } from "../../../support/provider-model.js";
import { aCall, hello } from "./support.js";
import { chunk, events } from "./wire-support.js";

/** A body in pieces of so many bytes. */
function inPieces(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

function answerOf(api: string, major: Major, body: string, size = 65_536): Promise<ModelResponse> {
  const fetch = (async () =>
    new Response(inPieces(body, size), {
      headers: { "content-type": "text/event-stream" },
    })) as never;
  const settings = { apiKey: "none", fetch };
  const openai = (major === 7 ? createOpenAIOf7 : createOpenAI)(settings);
  const model =
    api === "anthropic-messages"
      ? (major === 7 ? createAnthropicOf7 : createAnthropic)(settings)("claude-sonnet-4-5")
      : api === "openai-chat"
        ? openai.chat("gpt-4o-mini")
        : openai.responses("gpt-5-mini");
  return aiSdk(model, { stream: true }).generate(hello, aCall());
}

const recorded = [
  "anthropic-stream-thinking",
  "openai-chat-stream-malformed",
  "openai-responses-stream-reasoning",
].map((name) => {
  const { api, exchanges } = ownConversation(name);
  return [api, String(exchanges[0]?.response.body)] as const;
});

describe.each(majors)("with the clients of ai %i", (major) => {
  describe.each(recorded)("a recorded stream of %s", (api, body) => {
    it.each([1, 2, 3, 7, 64])("is the same in pieces of %i bytes", async (size) => {
      const whole = await answerOf(api, major, body);
      expect(whole.content.length).toBeGreaterThan(0);
      expect(await answerOf(api, major, body, size)).toEqual(whole);
    });

    it("is whole, or is to be asked for again, wherever it breaks off", async () => {
      const whole = await answerOf(api, major, body);
      for (let end = 0; end < body.length; end += 23) {
        const answer = await answerOf(api, major, body.slice(0, end)).catch((thrown) => thrown);
        if (answer instanceof Error) expect(answer).toMatchObject({ name: "ModelError" });
        else {
          // What it cost may come behind it.
          expect(answer.content).toEqual(whole.content);
          expect(answer.finishReason).toBe(whole.finishReason);
        }
      }
    });
  });

  const piece = (call: object) => chunk({ tool_calls: [call] });
  const named = (id: string | null, index: number | null, name: string, args: string) =>
    piece({ id, index, type: "function", function: { name, arguments: args } });
  const more = (index: number | null, args: string, id: string | null = null) =>
    piece({ id, index, function: { arguments: args } });
  const callsOf = async (...chunks: readonly object[]) => {
    const body = events([...chunks, chunk({}, "tool_calls")]);
    const { content } = await answerOf("openai-chat", major, body);
    return content.map((part) => part.type === "tool-call" && [part.toolName, part.input]);
  };

  it.each<[string, readonly object[], unknown]>([
    ["with indexes", [named("a", 0, "t", ""), more(0, '{"n"'), more(0, ":1}")], [["t", { n: 1 }]]],
    [
      "side by side",
      [named("a", 0, "t", '{"n"'), named("b", 1, "u", '{"m"'), more(0, ":1}"), more(1, ":2}")],
      [
        ["t", { n: 1 }],
        ["u", { m: 2 }],
      ],
    ],
    [
      "that are repeated whole",
      [named("a", 0, "t", '{"n":1}'), named("a", 0, "t", '{"n":1}')],
      [["t", { n: 1 }]],
    ],
    [
      "of one name with other arguments",
      [named("a", 0, "t", '{"n":1}'), named("b", 1, "t", '{"n":2}')],
      [
        ["t", { n: 1 }],
        ["t", { n: 2 }],
      ],
    ],
    [
      "of one name and the same arguments under two ids",
      [named("a", 0, "t", '{"n":1}'), named("b", 1, "t", '{"n":1}')],
      [
        ["t", { n: 1 }],
        ["t", { n: 1 }],
      ],
    ],
  ])("calls %s are read", async (_how, chunks, calls) => {
    expect(await callsOf(...chunks)).toEqual(calls);
  });

  it("pieces that belong to no call make no answer, and it is asked for again", async () => {
    const chunks = [
      named("a", 0, "t", '{"n":'),
      named("b", 1, "t", '{"n":'),
      // The id of one and the index of the other: the client leaves it out.
      more(1, "1}", "a"),
      more(1, "2}"),
    ];
    await expect(callsOf(...chunks)).rejects.toMatchObject({ error: { transient: true } });
  });
});
