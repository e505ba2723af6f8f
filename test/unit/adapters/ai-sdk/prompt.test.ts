// A transcript in the words of each version of the specification: what goes, what is left out, and
// what is said otherwise.
import { describe, expect, it } from "vitest";
import type { Version } from "../../../../src/adapters/ai-sdk/specification.js";
import { toPrompt } from "../../../../src/adapters/ai-sdk/to-prompt.js";
import { toTools } from "../../../../src/adapters/ai-sdk/to-tools.js";
import type {
  AssistantPart,
  Message,
  ToolMessage,
  ToolOutput,
} from "../../../../src/core/kernel/vocabulary/index.js";

type Prompt = readonly { role: string; content: unknown }[];
const prompted = (messages: readonly Message[], as: Version = "v4") =>
  toPrompt(as, { messages }, new Map()) as Prompt;
const said = (...content: AssistantPart[]): Message => ({ role: "assistant", content });
const result = (toolCallId: string, more: object = {}): ToolMessage => ({
  role: "tool",
  content: [
    {
      type: "tool-result",
      toolCallId,
      toolName: "t",
      output: { type: "text", value: "ok" },
      ...more,
    },
  ],
});
const outputIn = (output: ToolOutput, as: Version) => {
  const [message] = prompted([result("a", { output })], as);
  return (message?.content as { output: unknown }[] | undefined)?.[0]?.output;
};

describe("messages", () => {
  it("keep a provider's own parts, and leave sources out", () => {
    const providerOptions = { openai: { encryptedContent: "c2VhbGVk" } };
    const [message] = prompted([
      said(
        { type: "custom", kind: "openai.compaction", providerOptions },
        { type: "reasoning-file", data: "aGk=", mediaType: "image/png" },
        { type: "source", sourceType: "url", id: "1", url: "https://a.test" },
        { type: "text", text: "a", citations: [] },
      ),
    ]);
    const data = { type: "data", data: "aGk=" };
    expect(message?.content).toEqual([
      { type: "custom", kind: "openai.compaction", providerOptions },
      { type: "reasoning-file", data, mediaType: "image/png" },
      { type: "text", text: "a" },
    ]);
  });

  it.each(["v3", "v4"] as const)(
    "keep a URL as it was written beside what it is read as: %s",
    (v) => {
      const [message] = prompted(
        [{ role: "user", content: [{ type: "image", image: "https://a.test" }] }],
        v,
      );
      const url = new URL("https://a.test/");
      const originalUrl = "https://a.test";
      expect(message?.content).toEqual([
        v === "v4"
          ? { type: "file", mediaType: "image", data: { type: "url", url, originalUrl } }
          : { type: "file", mediaType: "image/*", data: url, originalUrl },
      ]);
    },
  );
});

describe("outputs of tools", () => {
  const parts: ToolOutput = {
    type: "content",
    value: [
      { type: "text", text: "t", citations: [] },
      { type: "image", image: "aGk=", mediaType: "image/png" },
      { type: "file", data: "https://a.test/x", mediaType: "text/plain" },
      { type: "image", image: "https://a.test/i" },
      { type: "custom", providerOptions: { a: {} } },
    ],
  };
  const url = (path: string) => ({ type: "url", url: new URL(`https://a.test/${path}`) });

  it.each([
    [
      "v2",
      [
        { type: "text", text: "t" },
        { type: "media", data: "aGk=", mediaType: "image/png" },
        { type: "text", text: "https://a.test/x" },
        { type: "text", text: "https://a.test/i" },
        { type: "custom", providerOptions: { a: {} } },
      ],
    ],
    [
      "v3",
      [
        { type: "text", text: "t" },
        { type: "image-data", data: "aGk=", mediaType: "image/png" },
        { type: "file-url", url: "https://a.test/x" },
        { type: "image-url", url: "https://a.test/i" },
        { type: "custom", providerOptions: { a: {} } },
      ],
    ],
    [
      "v4",
      [
        { type: "text", text: "t" },
        { type: "file", data: { type: "data", data: "aGk=" }, mediaType: "image/png" },
        { type: "file", data: url("x"), mediaType: "text/plain" },
        { type: "file", data: url("i"), mediaType: "image" },
        { type: "custom", providerOptions: { a: {} } },
      ],
    ],
  ] as const)("are parts in the words of %s", (version, value) => {
    expect(outputIn(parts, version)).toEqual({ type: "content", value });
  });
});

describe("tools", () => {
  const own = {
    name: "s",
    description: "",
    inputSchema: {},
    provider: { id: "a.search", args: { n: 1 } },
  };
  const deferred = {
    name: "t",
    description: "",
    inputSchema: {},
    deferLoading: true,
    providerOptions: { anthropic: { cacheControl: 1 }, azure: { deferLoading: false } },
  };
  const told = (provider: string, specificationVersion: Version = "v4") =>
    toTools({ provider, specificationVersion }, { tools: [own, deferred] }).tools as never as [
      object,
      { providerOptions: object },
    ];

  it.each([
    ["v2", "provider-defined"],
    ["v3", "provider"],
    ["v4", "provider"],
  ] as const)("of the provider's own are its own in %s", (version, type) => {
    expect(told("x", version)[0]).toEqual({ type, id: "a.search", name: "s", args: { n: 1 } });
  });

  it.each([
    ["openai.responses", { openai: { deferLoading: true } }],
    ["anthropic.messages", { anthropic: { deferLoading: true, cacheControl: 1 } }],
    ["vertex.anthropic.messages", { anthropic: { deferLoading: true, cacheControl: 1 } }],
    // What is said of the provider is nearer than what is said of the tool.
    ["azure.responses", { azure: { deferLoading: false } }],
  ])("are deferred under the name by which %s reads its options", (provider, options) => {
    expect(told(provider)[1].providerOptions).toEqual({ ...deferred.providerOptions, ...options });
  });
});
