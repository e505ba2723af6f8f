// What a provider says beside its text: sources, citations, what its own tools did, and parts that
// are nobody else's. Each has its place in a message, is plain JSON, and goes back as it came.
import { describe, expect, it } from "vitest";
import { toJson } from "../../../../src/core/kernel/values/index.js";
import type { Message } from "../../../../src/core/kernel/vocabulary/index.js";
import type { ModelRequest, ModelResponse } from "../../../../src/runtime/index.js";
import { majors } from "../../../support/provider-model.js";
import { aCall } from "./support.js";
import {
  anthropicMessage,
  events,
  openaiResponse,
  openaiText,
  portTo,
  report,
} from "./wire-support.js";

const asked: Message = { role: "user", content: "Who won?" };
/** The request after an answer. */
const afterwards = (answer: ModelResponse, more: Partial<ModelRequest> = {}): ModelRequest => ({
  ...more,
  messages: [
    asked,
    // As it stands in a journal.
    toJson<Message>({ role: "assistant", content: answer.content }),
    { role: "user", content: "Sure?" },
  ],
});

const search = {
  name: "search",
  description: "",
  inputSchema: {},
  provider: { id: "anthropic.web_search_20250305", args: { maxUses: 2 } },
};
const citation = {
  type: "web_search_result_location",
  cited_text: "Ada won.",
  url: "https://news.test/a",
  title: "News",
  encrypted_index: "c2VhbGVk",
};
const searched = [
  { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "who won" } },
  {
    type: "web_search_tool_result",
    tool_use_id: "srvtoolu_1",
    content: [
      {
        type: "web_search_result",
        url: "https://news.test/a",
        title: "News",
        encrypted_content: "c2VhbGVkIHBhZ2U=",
        page_age: "1 day",
      },
    ],
  },
  { type: "text", text: "Ada won.", citations: [citation] },
];

describe.each(majors)("Anthropic's search, with the clients of ai %i", (major) => {
  it("is passed through; its call, result and sources are parts, and go back", async () => {
    const port = await portTo("anthropic-messages", major, [
      {
        body: anthropicMessage(searched),
        expect: { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 2 }] },
      },
      {
        body: anthropicMessage([{ type: "text", text: "Yes." }]),
        expect: {
          messages: [
            {},
            {
              role: "assistant",
              content: [
                searched[0]!,
                searched[1]!,
                // The clients of 6 drop what is cited.
                major === 7 ? searched[2]! : { type: "text", text: "Ada won." },
              ],
            },
            {},
          ],
        },
      },
    ]);
    const first = await port.generate({ messages: [asked], tools: [search] }, aCall());
    const source = {
      type: "source",
      sourceType: "url",
      id: expect.any(String),
      url: "https://news.test/a",
      title: "News",
    };
    expect(first.content.filter(({ type }) => type !== "source")).toMatchObject([
      {
        type: "tool-call",
        toolCallId: "srvtoolu_1",
        toolName: "search",
        input: { query: "who won" },
        providerExecuted: true,
      },
      {
        type: "tool-result",
        toolCallId: "srvtoolu_1",
        toolName: "search",
        output: { type: "json", value: [{ url: "https://news.test/a" }] },
      },
      major === 7
        ? {
            type: "text",
            text: "Ada won.",
            citations: [{ source, citedText: "Ada won." }],
            providerOptions: { anthropic: { citations: [citation] } },
          }
        : { type: "text", text: "Ada won." },
    ]);
    const sources = first.content.filter(({ type }) => type === "source");
    expect(sources.length).toBeGreaterThan(0);
    expect(sources[0]).toMatchObject(source);
    expect(first.content).toEqual(toJson(first.content));
    await port.generate(afterwards(first, { tools: [search] }), aCall());
    expect(report()).toEqual({ served: 2, mismatches: [] });
  });

  it("comes to the same where it is streamed", async () => {
    const parts = searched.flatMap((block, index) => {
      const { citations, ...begun } = block as {
        type: string;
        citations?: object[];
        text?: string;
      };
      const input = (block as { input?: object }).input;
      const start =
        begun.type === "text"
          ? { type: "text", text: "" }
          : { ...begun, ...(input && { input: {} }) };
      return [
        { type: "content_block_start", index, content_block: start },
        ...(input === undefined
          ? []
          : [delta(index, { type: "input_json_delta", partial_json: JSON.stringify(input) })]),
        ...(citations ?? []).map((each) =>
          delta(index, { type: "citations_delta", citation: each }),
        ),
        ...(begun.type === "text" ? [delta(index, { type: "text_delta", text: begun.text })] : []),
        { type: "content_block_stop", index },
      ];
    });
    const stream = events(
      [
        { type: "message_start", message: { ...anthropicMessage([]), stop_reason: null } },
        ...parts,
        { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
        { type: "message_stop" },
      ],
      "",
    );
    const said = [{ body: anthropicMessage(searched) }];
    const request = { messages: [asked], tools: [search] };
    const whole = await (await portTo("anthropic-messages", major, said)).generate(
      request,
      aCall(),
    );
    const port = await portTo("anthropic-messages", major, [{ body: stream }], { stream: true });
    const streamed = await port.generate(request, aCall());
    const withoutSources = ({ content }: ModelResponse) =>
      JSON.parse(
        JSON.stringify(content.filter(({ type }) => type !== "source")).replace(
          /"id":"[^"]*"/g,
          '"id":"…"',
        ),
      );
    expect(withoutSources(streamed)).toEqual(withoutSources(whole));
  });
});

describe("parts of a provider's own", () => {
  it("OpenAI's compacted context is kept sealed and goes back", async () => {
    const compaction = {
      type: "compaction",
      id: "cmp_1",
      encrypted_content: "c2VhbGVkIGNvbnRleHQ=",
    };
    const port = await portTo("openai-responses", 7, [
      { body: openaiResponse([compaction, openaiText("Ada.")]) },
      { body: openaiResponse([openaiText("Yes.")]), expect: { input: [{}, compaction, {}, {}] } },
    ]);
    const first = await port.generate({ messages: [asked] }, aCall());
    expect(first.content).toMatchObject([
      {
        type: "custom",
        kind: "openai.compaction",
        providerOptions: {
          openai: { itemId: "cmp_1", encryptedContent: "c2VhbGVkIGNvbnRleHQ=" },
        },
      },
      { type: "text", text: "Ada." },
    ]);
    await port.generate(afterwards(first), aCall());
    expect(report().mismatches).toEqual([]);
  });

  it("Anthropic's fallback to another model is kept and goes back", async () => {
    const fallback = { type: "fallback", from: { model: "a" }, to: { model: "b" } };
    const port = await portTo("anthropic-messages", 7, [
      { body: anthropicMessage([fallback, { type: "text", text: "Ada." }]) },
      {
        body: anthropicMessage([{ type: "text", text: "Yes." }]),
        expect: { messages: [{}, { content: [fallback, { type: "text", text: "Ada." }] }, {}] },
      },
    ]);
    const first = await port.generate({ messages: [asked] }, aCall());
    expect(first.content[0]).toMatchObject({ type: "custom", kind: "anthropic.fallback" });
    await port.generate(afterwards(first), aCall());
    expect(report().mismatches).toEqual([]);
  });

  it.each(majors)(
    "Anthropic's compacted context goes back, with the clients of ai %i",
    async (major) => {
      const compaction = { type: "compaction", content: "What was said, in short." };
      const port = await portTo("anthropic-messages", major, [
        { body: anthropicMessage([compaction, { type: "text", text: "Ada." }]) },
        {
          body: anthropicMessage([{ type: "text", text: "Yes." }]),
          expect: { messages: [{}, { content: [compaction, { type: "text", text: "Ada." }] }, {}] },
        },
      ]);
      const first = await port.generate({ messages: [asked] }, aCall());
      await port.generate(afterwards(first), aCall());
      expect(report().mismatches).toEqual([]);
    },
  );

  it("go to no model of an earlier specification, which has no word for them", async () => {
    const port = await portTo("openai-responses", 6, [
      {
        body: openaiResponse([openaiText("Yes.")]),
        expect: { input: [{}, { role: "assistant", content: [{ text: "Ada." }] }, {}] },
      },
    ]);
    const content: ModelResponse["content"] = [
      { type: "custom", kind: "openai.compaction", providerOptions: { openai: { itemId: "x" } } },
      { type: "reasoning-file", data: "aGk=", mediaType: "image/png" },
      { type: "source", sourceType: "url", id: "1", url: "https://a.test" },
      { type: "text", text: "Ada." },
    ];
    await port.generate(afterwards({ content, finishReason: "stop", usage: {} }), aCall());
    expect(report().mismatches).toEqual([]);
  });
});

function delta(index: number, piece: object): object {
  return { type: "content_block_delta", index, delta: piece };
}
