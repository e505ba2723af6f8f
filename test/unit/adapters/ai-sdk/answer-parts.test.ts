// An answer and its parts in our words: what a provider did not say is no key with nothing in it.
import { describe, expect, it } from "vitest";
import { toParts } from "../../../../src/adapters/ai-sdk/to-parts.js";
import { toResponse } from "../../../../src/adapters/ai-sdk/to-response.js";

const acme = { acme: { n: 1 } };

describe("the parts of an answer", () => {
  const parts = (...content: object[]) => toParts(content as never);

  it("have nothing of metadata where there is none, or it is not JSON", () => {
    for (const providerMetadata of [undefined, null, () => 1]) {
      expect(parts({ type: "reasoning", text: "r", providerMetadata })).toStrictEqual([
        { type: "reasoning", text: "r" },
      ]);
    }
    expect(parts({ type: "text", text: "", providerMetadata: acme })).toStrictEqual([
      { type: "text", text: "", providerOptions: acme },
    ]);
  });

  it("cite what has a source, under our name for what the provider adds", () => {
    const source = { type: "source", sourceType: "url", id: "1", url: "https://a.test" };
    const citations = [
      { source: { ...source, providerMetadata: acme }, text: "said" },
      { text: "by nobody" },
      null,
    ];
    expect(parts({ type: "text", text: "t", citations })).toStrictEqual([
      {
        type: "text",
        text: "t",
        citations: [{ source: { ...source, providerOptions: acme }, text: "said" }],
      },
    ]);
    for (const nothing of [undefined, [], [{ text: "by nobody" }]]) {
      expect(parts({ type: "text", text: "t", citations: nothing })).toStrictEqual([
        { type: "text", text: "t" },
      ]);
    }
  });

  it.each<[unknown, string]>([
    ["aGk=", "aGk="],
    [new Uint8Array([104, 105]), "aGk="],
    [new URL("https://a.test/i"), "https://a.test/i"],
    [{ type: "url", url: new URL("https://a.test/i") }, "https://a.test/i"],
    [{ type: "data", data: new Uint8Array([104, 105]) }, "aGk="],
  ])("hold a file as base64 or as its URL: %#", (data, text) => {
    expect(parts({ type: "file", data, mediaType: "image/png" })).toStrictEqual([
      { type: "file", data: text, mediaType: "image/png" },
    ]);
  });

  it("call tools, and say who carries a call out where that is said", () => {
    const call = { type: "tool-call", toolCallId: "c", toolName: "t", input: '{"a":1}' };
    const read = { type: "tool-call", toolCallId: "c", toolName: "t", input: { a: 1 } };
    expect(parts(call)).toStrictEqual([read]);
    for (const providerExecuted of [true, false])
      expect(parts({ ...call, providerExecuted })).toStrictEqual([{ ...read, providerExecuted }]);
  });
});

describe("an answer", () => {
  const answered = (rest: object) =>
    toResponse({ content: [], finishReason: "stop", usage: {}, ...rest } as never);
  const nothing = {
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    cacheCreationInputTokens: 0,
    cacheReadInputTokens: 0,
  };

  it("has an id and a model where they are said", () => {
    const bare = { content: [], finishReason: "stop", usage: nothing };
    for (const response of [undefined, {}]) expect(answered({ response })).toStrictEqual(bare);
    expect(answered({ response: { id: "r", modelId: "m" } })).toStrictEqual({
      ...bare,
      responseId: "r",
      model: "m",
    });
  });

  it("keeps what the provider says of all of it, and tells of the tokens of its reasoning", () => {
    const providerMetadata = { acme: { tier: "flex", at: new Date(0), f: () => 1 } };
    expect(answered({ providerMetadata })).toMatchObject({
      providerMetadata: { acme: { tier: "flex", at: "1970-01-01T00:00:00.000Z" } },
    });
    expect(answered({ providerMetadata: {} })).not.toHaveProperty("providerMetadata");
    for (const usage of [
      { outputTokens: { total: 9, reasoning: 4 } },
      { outputTokens: 9, reasoningTokens: 4 },
    ])
      expect(answered({ usage }).usage).toMatchObject({ outputTokens: 9, reasoningTokens: 4 });
  });

  it.each<[unknown, string]>([
    ["length", "length"],
    ["banana", "unknown"],
    [undefined, "unknown"],
    [{ unified: "content-filter", raw: "x" }, "content-filter"],
    [{ unified: "other", raw: "pause_turn" }, "paused"],
    [{ unified: undefined, raw: undefined }, "unknown"],
  ])("ended for a reason that is known: %j", (finishReason, reason) => {
    expect(answered({ finishReason }).finishReason).toBe(reason);
  });

  it.each<[object, object]>([
    [
      { usage: { inputTokens: 3, outputTokens: 2 } },
      { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
    ],
    [{ usage: { inputTokens: 3, totalTokens: 9 } }, { inputTokens: 3, totalTokens: 9 }],
    [{ usage: { inputTokens: Number.NaN, outputTokens: "2", totalTokens: Infinity } }, {}],
    [{ usage: undefined }, {}],
    [
      { usage: { cachedInputTokens: 4 }, providerMetadata: { openai: {} } },
      { cacheReadInputTokens: 4 },
    ],
    [
      { providerMetadata: { anthropic: { cacheCreationInputTokens: 6 } } },
      // Version 2: Anthropic's input is without it.
      { cacheCreationInputTokens: 6, inputTokens: 6, totalTokens: 6 },
    ],
    [
      {
        usage: {
          inputTokens: { total: 5, cacheRead: 4, cacheWrite: 1 },
          outputTokens: { total: 2 },
        },
      },
      {
        inputTokens: 5,
        outputTokens: 2,
        totalTokens: 7,
        cacheReadInputTokens: 4,
        cacheCreationInputTokens: 1,
      },
    ],
  ])("costs what is said in numbers: %j", (rest, usage) => {
    expect(answered(rest).usage).toStrictEqual({ ...nothing, ...usage });
  });

  it("warns of what is JSON, and of requests that nobody answers", () => {
    const warning = { type: "other", message: "m" };
    const content = [{ type: "tool-approval-request", toolCallId: "c1" }];
    expect(answered({ warnings: [() => 1, warning], content }).warnings).toEqual([
      warning,
      { type: "other", message: expect.stringContaining("c1") },
    ]);
    expect(answered({ warnings: [() => 1] })).not.toHaveProperty("warnings");
  });
});
