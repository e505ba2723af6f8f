// Tools and their results as the providers' own clients send them: what is said of a tool for the
// provider, its own tools, and results in parts.
import { describe, expect, it } from "vitest";
import {
  type Message,
  providerTool,
  type ToolOutput,
  tool,
} from "../../../../src/core/kernel/vocabulary/index.js";
import { majors } from "../../../support/provider-model.js";
import { aCall } from "./support.js";
import { anthropicMessage, openaiResponse, openaiText, portTo, report } from "./wire-support.js";

const asked: Message = { role: "user", content: "Look." };
const { schema: weather } = tool({
  name: "weather",
  description: "Tells it",
  strict: true,
  deferLoading: true,
  providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
  execute: () => "",
});
const inputSchema = { type: "object", properties: {}, additionalProperties: false };

/** A transcript in which a tool came to this. */
function resulting(output: ToolOutput): readonly Message[] {
  const call = { toolCallId: "call_1", toolName: "look" };
  return [
    asked,
    { role: "assistant", content: [{ type: "tool-call", ...call, input: {} }] },
    { role: "tool", content: [{ type: "tool-result", ...call, output }] },
  ];
}
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const pdf = "JVBERi0xLjQK";
const parts: ToolOutput = {
  type: "content",
  value: [
    { type: "text", text: "Seen:" },
    { type: "image", image: png },
    { type: "file", data: pdf, mediaType: "application/pdf", filename: "a.pdf" },
  ],
};

describe.each(majors)("tools, with the clients of ai %i", (major) => {
  it("of ours go to OpenAI with strict and deferred loading, beside its own", async () => {
    const search = providerTool({
      name: "search",
      id: "openai.web_search",
      args: { searchContextSize: "low" },
    });
    const port = await portTo("openai-responses", major, [
      {
        body: openaiResponse([openaiText("Yes.")]),
        expect: {
          tools: [
            {
              type: "function",
              name: "weather",
              description: "Tells it",
              parameters: inputSchema,
              strict: true,
              defer_loading: true,
            },
            { type: "web_search", search_context_size: "low" },
          ],
        },
      },
    ]);
    await port.generate({ messages: [asked], tools: [weather, search.schema] }, aCall());
    expect(report().mismatches).toEqual([]);
  });

  it("of ours go to Anthropic with what it is told of them", async () => {
    const port = await portTo("anthropic-messages", major, [
      {
        body: anthropicMessage([{ type: "text", text: "Yes." }]),
        expect: {
          tools: [
            {
              name: "weather",
              input_schema: inputSchema,
              cache_control: { type: "ephemeral" },
              defer_loading: true,
            },
          ],
        },
      },
    ]);
    await port.generate({ messages: [asked], tools: [weather] }, aCall());
    expect(report().mismatches).toEqual([]);
  });

  it("that the provider defines and we carry out go by its id", async () => {
    const { schema } = tool({
      name: "bash",
      provider: { id: "anthropic.bash_20250124" },
      jsonSchema: { type: "object" },
      execute: () => "",
    });
    const port = await portTo("anthropic-messages", major, [
      {
        body: anthropicMessage([{ type: "text", text: "Yes." }]),
        expect: { tools: [{ type: "bash_20250124", name: "bash" }] },
      },
    ]);
    await port.generate({ messages: [asked], tools: [schema] }, aCall());
    expect(report().mismatches).toEqual([]);
  });

  it("may come to parts: Anthropic is sent texts, images and files", async () => {
    const source = (media_type: string, data: string) => ({ type: "base64", media_type, data });
    const port = await portTo("anthropic-messages", major, [
      {
        body: anthropicMessage([{ type: "text", text: "Yes." }]),
        expect: {
          messages: [
            {},
            {},
            {
              content: [
                {
                  type: "tool_result",
                  tool_use_id: "call_1",
                  content: [
                    { type: "text", text: "Seen:" },
                    { type: "image", source: source("image/png", png) },
                    { type: "document", source: source("application/pdf", pdf) },
                  ],
                },
              ],
            },
          ],
        },
      },
    ]);
    await port.generate({ messages: resulting(parts) }, aCall());
    expect(report().mismatches).toEqual([]);
  });

  it("may come to parts: OpenAI is sent texts, images and files", async () => {
    const port = await portTo("openai-responses", major, [
      {
        body: openaiResponse([openaiText("Yes.")]),
        expect: {
          input: [
            {},
            {},
            {
              type: "function_call_output",
              call_id: "call_1",
              output: [
                { type: "input_text", text: "Seen:" },
                { type: "input_image", image_url: `data:image/png;base64,${png}` },
                { type: "input_file", file_data: `data:application/pdf;base64,${pdf}` },
              ],
            },
          ],
        },
      },
    ]);
    await port.generate({ messages: resulting(parts) }, aCall());
    expect(report().mismatches).toEqual([]);
  });

  it("may fail in parts: texts are an error, and what else there is comes with a word", async () => {
    const image = { type: "image", image: png } as const;
    const results = [
      [[{ type: "text", text: "no" }], { is_error: true, content: "no" }],
      [
        [{ type: "text", text: "no" }, image],
        {
          content: [
            { type: "text", text: "The tool call failed." },
            { type: "text", text: "no" },
            { type: "image" },
          ],
        },
      ],
    ] as const;
    for (const [value, result] of results) {
      const port = await portTo("anthropic-messages", major, [
        {
          body: anthropicMessage([{ type: "text", text: "Yes." }]),
          expect: { messages: [{}, {}, { content: [result] }] },
        },
      ]);
      await port.generate({ messages: resulting({ type: "error-content", value }) }, aCall());
      expect(report().mismatches).toEqual([]);
    }
  });

  it("that fail say so and read the same with OpenAI, whichever the client's major", async () => {
    const expect200 = {
      input: [{}, {}, { type: "function_call_output", output: "Error: it broke" }],
    };
    const port = await portTo("openai-responses", major, [
      { body: openaiResponse([openaiText("Yes.")]), expect: expect200 },
    ]);
    const output = { type: "error-text", value: "it broke" } as const;
    await port.generate({ messages: resulting(output) }, aCall());
    expect(report().mismatches).toEqual([]);
  });
});
