// What becomes of a model's answer: parts, usage and the rest as plain JSON, each as the provider
// meant it.
import type { LanguageModelV2 } from "@ai-sdk/provider";
import { describe, expect, it, vi } from "vitest";
import { aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import { toJson } from "../../../../src/core/kernel/values/index.js";
import { aCall, hello, noTokens, whole } from "./support.js";

const call = (input: string, toolName = "weather") =>
  ({ type: "tool-call", toolCallId: "c1", toolName, input }) as const;

describe("parts", () => {
  it("keep their order and what the provider sent with them", async () => {
    const signed = { anthropic: { signature: "sig" } };
    const { content } = await whole([
      { type: "reasoning", text: "hm", providerMetadata: signed },
      { type: "text", text: "one" },
      call("{}"),
      { type: "text", text: "two", providerMetadata: { openai: { itemId: "m1" } } },
    ]);
    expect(content).toEqual([
      { type: "reasoning", text: "hm", providerOptions: signed },
      { type: "text", text: "one" },
      { type: "tool-call", toolCallId: "c1", toolName: "weather", input: {} },
      { type: "text", text: "two", providerOptions: { openai: { itemId: "m1" } } },
    ]);
  });

  it("leave out text that is empty, unless it carries something", async () => {
    const { content } = await whole([
      { type: "text", text: "" },
      { type: "text", text: "", providerMetadata: { google: { thoughtSignature: "s" } } },
    ]);
    expect(content).toEqual([
      { type: "text", text: "", providerOptions: { google: { thoughtSignature: "s" } } },
    ]);
  });

  it("keep reasoning that is empty: the provider wants it back", async () => {
    const { content } = await whole([
      { type: "reasoning", text: "", providerMetadata: { openai: { itemId: "r1" } } },
    ]);
    expect(content).toEqual([
      { type: "reasoning", text: "", providerOptions: { openai: { itemId: "r1" } } },
    ]);
  });

  it("hold generated files as base64, whatever they came as", async () => {
    const { content } = await whole([
      { type: "file", mediaType: "image/png", data: "aGk=" },
      { type: "file", mediaType: "image/png", data: new Uint8Array([104, 105, 255]) },
    ]);
    expect(content).toEqual([
      { type: "file", mediaType: "image/png", data: "aGk=" },
      { type: "file", mediaType: "image/png", data: "aGn/" },
    ]);
  });

  it("hold what a provider's own tool returned, once it is done", async () => {
    const ran = { ...call('{"query":"x"}', "web_search"), providerExecuted: true };
    const result = { type: "tool-result", toolCallId: "c1", toolName: "web_search" } as const;
    const { content } = await whole([
      ran,
      { ...result, result: { n: 0 }, preliminary: true },
      { ...result, result: { n: 1 } },
      { ...result, result: "text" },
      { ...result, result: { error: "no" }, isError: true },
    ]);
    expect(content).toMatchObject([
      { type: "tool-call", input: { query: "x" }, providerExecuted: true },
      { type: "tool-result", output: { type: "json", value: { n: 1 } } },
      { type: "tool-result", output: { type: "text", value: "text" } },
      { type: "tool-result", output: { type: "error-json", value: { error: "no" } } },
    ]);
  });

  it("hold sources, each with what the provider sent with it", async () => {
    const providerMetadata = { acme: { rank: 1 } };
    const page = { type: "source", sourceType: "url", id: "s1", url: "https://a.test" } as const;
    const document = {
      type: "source",
      sourceType: "document",
      id: "s2",
      mediaType: "text/plain",
      title: "T",
      filename: "t.txt",
    } as const;
    const { content } = await whole([{ ...page, providerMetadata }, document]);
    expect(content).toEqual([{ ...page, providerOptions: providerMetadata }, document]);
  });

  it("hold what a text cites, and files that are elsewhere", async () => {
    const source = { type: "source", sourceType: "url", id: "s1", url: "https://a.test" };
    const citations = [
      { source: { ...source, providerMetadata: { a: {} } }, startIndex: 0, endIndex: 2 },
    ];
    const url = { type: "url", url: new URL("https://a.test/i.png") };
    const { content } = await whole([
      { type: "text", text: "hi", citations } as never,
      { type: "text", text: "ho", citations: [] } as never,
      { type: "file", mediaType: "image/png", data: url } as never,
      {
        type: "reasoning-file",
        mediaType: "image/png",
        data: { type: "data", data: "aGk=" },
      } as never,
    ]);
    expect(content).toEqual([
      {
        type: "text",
        text: "hi",
        citations: [
          { source: { ...source, providerOptions: { a: {} } }, startIndex: 0, endIndex: 2 },
        ],
      },
      { type: "text", text: "ho" },
      { type: "file", mediaType: "image/png", data: "https://a.test/i.png" },
      { type: "reasoning-file", mediaType: "image/png", data: "aGk=" },
    ]);
  });

  it("leave out a request for approval, and say so", async () => {
    const { content, warnings } = await whole([
      { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" },
    ]);
    expect(content).toEqual([]);
    expect(JSON.stringify(warnings)).toContain("c1");
  });
});

describe("arguments of a tool call", () => {
  const inputOf = async (text: string, toolName?: string) =>
    (await whole([call(text, toolName)])).content[0];

  it("are parsed", async () => {
    expect(await inputOf('{"city":"Rome"}')).toMatchObject({ input: { city: "Rome" } });
  });

  it("are {} where nothing was written", async () => {
    expect(await inputOf(" ")).toHaveProperty("input", {});
  });

  it("are parsed for a tool that the model made up, too", async () => {
    expect(await inputOf('{"a":1}', "no_such_tool")).toEqual({
      type: "tool-call",
      toolCallId: "c1",
      toolName: "no_such_tool",
      input: { a: 1 },
    });
  });

  it("are the raw text, marked, where they are no JSON", async () => {
    expect(await inputOf('{"city": "Ro')).toMatchObject({ input: '{"city": "Ro', malformed: true });
  });

  it("that are a JSON string are not malformed", async () => {
    const part = await inputOf('"Rome"');
    expect(part).toMatchObject({ input: "Rome" });
    expect(part).not.toHaveProperty("malformed");
  });

  it.each([
    ["__proto__", '{"__proto__": {"admin": true}}'],
    ["a reserved key", '{"@list": 1}'],
    ["deep nesting", `${"[".repeat(150)}${"]".repeat(150)}`],
    ["endless nesting", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
  ])("that the kernel would refuse are malformed: %s", async (_, text) => {
    expect(await inputOf(text)).toMatchObject({ input: text, malformed: true });
  });
});

describe("the rest of an answer", () => {
  it("counts tokens, those of the cache too", async () => {
    const { usage } = await whole([], {
      usage: {
        inputTokens: { total: 100, noCache: 60, cacheRead: 30, cacheWrite: 10 },
        outputTokens: { total: 20, text: 15, reasoning: 5 },
      },
    });
    // Requests are counted by who makes them.
    expect(usage).toEqual({
      inputTokens: 100,
      outputTokens: 20,
      totalTokens: 120,
      cacheReadInputTokens: 30,
      cacheCreationInputTokens: 10,
      reasoningTokens: 5,
    });
  });

  it("counts what the provider does not as nothing", async () => {
    const { usage } = await whole([], { usage: noTokens });
    expect(new Set(Object.values(usage))).toEqual(new Set([0]));
  });

  it.each(["stop", "length", "content-filter", "tool-calls", "error", "other"] as const)(
    "says why the model stopped: %s",
    async (unified) => {
      const { finishReason } = await whole([], { finishReason: { unified, raw: "x" } });
      expect(finishReason).toBe(unified);
    },
  );

  it("says that it goes on when asked, where the provider's tools are still at work", async () => {
    const paused = await whole([], { finishReason: { unified: "stop", raw: "pause_turn" } });
    expect(paused.finishReason).toBe("paused");
  });

  it("says that it knows no reason where the provider gives one that is none", async () => {
    const { finishReason } = await whole([], {
      finishReason: { unified: "tired" as never, raw: "x" },
    });
    expect(finishReason).toBe("unknown");
  });

  it("names the model and the response", async () => {
    const response = { id: "r1", modelId: "gpt-4o-2024-08-06", timestamp: new Date(0) };
    expect(await whole([], { response })).toMatchObject({
      model: "gpt-4o-2024-08-06",
      responseId: "r1",
    });
    expect(await whole([])).not.toHaveProperty("model");
  });

  it("holds the provider's warnings, and prints none of them", async () => {
    const printed = vi.spyOn(console, "warn").mockImplementation(() => {});
    const told = vi.spyOn(console, "info").mockImplementation(() => {});
    const warning = { type: "unsupported", feature: "topK" } as const;
    expect(await whole([], { warnings: [warning] })).toMatchObject({ warnings: [warning] });
    expect([printed.mock.calls, told.mock.calls]).toEqual([[], []]);
    vi.restoreAllMocks();
  });

  it("is plain JSON, whatever a provider put in", async () => {
    const odd = {
      when: new Date(0),
      big: 1n,
      nan: Number.NaN,
      map: new Map([["a", 1]]),
      bytes: new Uint8Array(3),
      call: () => 1,
      list: [1, undefined],
      kept: { a: null },
      "@list": 1,
    };
    const response = await whole(
      [{ type: "text", text: "hi", providerMetadata: { acme: odd as never } }],
      { warnings: [{ type: "other", message: "m", extra: () => 1 } as never] },
    );
    expect(response.content[0]).toEqual({
      type: "text",
      text: "hi",
      providerOptions: {
        acme: { when: "1970-01-01T00:00:00.000Z", list: [1, null], kept: { a: null } },
      },
    });
    expect(response.warnings).toEqual([{ type: "other", message: "m" }]);
    expect(toJson(response)).toEqual(response);
  });
});

describe("a model of the older interface", () => {
  const model = {
    specificationVersion: "v2",
    provider: "old",
    modelId: "m",
    supportedUrls: {},
    doGenerate: async () => ({
      content: [{ type: "text", text: "hi" }],
      finishReason: "unknown",
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 6, cachedInputTokens: 1 },
      providerMetadata: { anthropic: { cacheCreationInputTokens: 2 } },
      warnings: [],
    }),
  } as unknown as LanguageModelV2;

  it("is read as well", async () => {
    const port = aiSdk(model);
    expect(port.name).toBe("old:m");
    expect(await port.generate(hello, aCall())).toEqual({
      content: [{ type: "text", text: "hi" }],
      finishReason: "unknown",
      usage: {
        // Version 2 of Anthropic counts what is in the cache beside the input.
        inputTokens: 6,
        outputTokens: 2,
        totalTokens: 8,
        cacheReadInputTokens: 1,
        cacheCreationInputTokens: 2,
      },
      providerMetadata: { anthropic: { cacheCreationInputTokens: 2 } },
    });
  });

  it.each(["v5", "v1", "", undefined, "constructor"])("is refused where it is %j", (version) => {
    expect(() => aiSdk({ ...model, specificationVersion: version } as never)).toThrow(
      expect.objectContaining({
        code: "cli.model",
        message: expect.stringMatching(
          /v2, v3, v4 are known: install .*@ai-sdk\/openai@4 with ai@7/,
        ),
      }),
    );
  });
});

describe("a model by its name alone", () => {
  it("is the SDK's default provider's", async () => {
    const asked: string[] = [];
    vi.stubGlobal("AI_SDK_DEFAULT_PROVIDER", {
      languageModel: (id: string) => {
        asked.push(id);
        throw new Error("no such model");
      },
    });
    const port = aiSdk("acme/model-1");
    expect(port.name).toBe("acme/model-1");
    await expect(port.generate(hello, aCall())).rejects.toThrow("no such model");
    expect(asked).toEqual(["acme/model-1"]);
    vi.unstubAllGlobals();
  });
});
