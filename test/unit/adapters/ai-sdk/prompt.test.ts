// A transcript in the words of each version of the specification: what goes, what is left out, and
// what is said otherwise.
import { describe, expect, it } from "vitest";
import type { Dialect, Version } from "../../../../src/adapters/ai-sdk/specification.js";
import { toPrompt } from "../../../../src/adapters/ai-sdk/to-prompt.js";
import { toTools } from "../../../../src/adapters/ai-sdk/to-tools.js";
import type {
  AssistantPart,
  Message,
  ToolMessage,
  ToolOutput,
} from "../../../../src/core/kernel/index.js";

type Prompt = readonly { role: string; content: unknown }[];
const dialect = (version: Version): Dialect => ({ version, plainErrors: false });
const prompted = (messages: readonly Message[], as: Dialect = dialect("v4")) =>
  toPrompt(as, undefined, messages, new Map()) as Prompt;
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
const outputIn = (output: ToolOutput, as: Dialect) => {
  const [message] = prompted([result("a", { output })], as);
  return (message?.content as { output: unknown }[] | undefined)?.[0]?.output;
};

describe("messages", () => {
  it("of tools are one behind each answer, each with its options on its last result", () => {
    const options = (n: number) => ({ acme: { n } });
    const first = result("a");
    const content = [...first.content, ...result("b").content];
    const prompt = prompted([
      { role: "tool", content, providerOptions: options(1) },
      {
        ...result("c", { providerOptions: { acme: { own: true } } }),
        providerOptions: { other: {} },
      },
      { role: "user", content: "x" },
      result("d"),
    ]);
    expect(prompt.map(({ role }) => role)).toEqual(["tool", "user", "tool"]);
    expect(prompt[0]?.content).toEqual([
      expect.not.objectContaining({ providerOptions: expect.anything() }),
      expect.objectContaining({ toolCallId: "b", providerOptions: options(1) }),
      expect.objectContaining({
        toolCallId: "c",
        providerOptions: { other: {}, acme: { own: true } },
      }),
    ]);
  });

  it("lose texts that say nothing and carry nothing", () => {
    const providerOptions = { google: { thoughtSignature: "s" } };
    const empty = { type: "text", text: "" } as const;
    expect(
      prompted([
        { role: "user", content: [empty, { type: "text", text: "a" }] },
        said(empty, { ...empty, providerOptions }),
        said(empty),
        { role: "assistant", content: "" },
      ]),
    ).toEqual([
      { role: "user", content: [{ type: "text", text: "a" }] },
      { role: "assistant", content: [{ type: "text", text: "", providerOptions }] },
    ]);
  });

  it.each(["v2", "v3", "v4"] as const)(
    "keep a provider's own parts where there is a word: %s",
    (v) => {
      const providerOptions = { openai: { encryptedContent: "c2VhbGVk" } };
      const [message] = prompted(
        [
          said(
            { type: "custom", kind: "openai.compaction", providerOptions },
            { type: "reasoning-file", data: "aGk=", mediaType: "image/png" },
            { type: "source", sourceType: "url", id: "1", url: "https://a.test" },
            {
              type: "text",
              text: "a",
              citations: [{ source: { type: "source", sourceType: "url", id: "1", url: "u" } }],
            },
          ),
        ],
        dialect(v),
      );
      const text = { type: "text", text: "a" };
      expect(message?.content).toEqual(
        v === "v4"
          ? [
              { type: "custom", kind: "openai.compaction", providerOptions },
              {
                type: "reasoning-file",
                data: { type: "data", data: "aGk=" },
                mediaType: "image/png",
              },
              text,
            ]
          : [text],
      );
    },
  );

  it.each(["v3", "v4"] as const)(
    "keep a URL as it was written beside what it is read as: %s",
    (v) => {
      const [message] = prompted(
        [{ role: "user", content: [{ type: "image", image: "https://a.test" }] }],
        dialect(v),
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
    expect(outputIn(parts, dialect(version))).toEqual({ type: "content", value });
  });

  it.each([
    [
      { type: "error-text", value: "no" },
      { type: "text", value: "no" },
    ],
    [
      { type: "error-json", value: { a: 1 } },
      { type: "json", value: { a: 1 } },
    ],
    [
      { type: "error-content", value: [{ type: "text", text: "no" }] },
      { type: "text", value: "no" },
    ],
  ] as const)(
    "that are errors are plain where the provider has no sign for it: %j",
    (output, plain) => {
      expect(outputIn(output, { version: "v4", plainErrors: true })).toEqual(plain);
      const marked = outputIn(output, { version: "v4", plainErrors: false });
      expect((marked as ToolOutput).type).toMatch(/^error-/);
    },
  );
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
