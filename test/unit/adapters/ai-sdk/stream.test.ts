// A streamed answer: the same as a whole one, its pieces told as they come, and a failure wherever
// it breaks off.
import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import { aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import { aCall, failureOf, hello, noTokens, stopped, streamed, whole } from "./support.js";

const finish = { type: "finish", finishReason: stopped, usage: noTokens } as const;

const conversation: LanguageModelV3StreamPart[] = [
  { type: "stream-start", warnings: [{ type: "other", message: "careful" }] },
  { type: "response-metadata", id: "r1" },
  { type: "response-metadata", modelId: "m1" },
  { type: "reasoning-start", id: "0" },
  { type: "reasoning-delta", id: "0", delta: "let me " },
  { type: "reasoning-delta", id: "0", delta: "think" },
  {
    type: "reasoning-delta",
    id: "0",
    delta: "",
    providerMetadata: { anthropic: { signature: "sig" } },
  },
  { type: "reasoning-end", id: "0" },
  { type: "text-start", id: "0" },
  { type: "text-start", id: "1", providerMetadata: { openai: { itemId: "m1" } } },
  { type: "text-delta", id: "1", delta: "second" },
  { type: "text-delta", id: "0", delta: "first" },
  { type: "text-end", id: "1" },
  { type: "text-end", id: "0" },
  { type: "tool-input-start", id: "c1", toolName: "weather" },
  { type: "tool-input-delta", id: "c1", delta: '{"city":' },
  { type: "tool-input-delta", id: "c1", delta: '"Ro' },
  { type: "tool-input-end", id: "c1" },
  { type: "tool-call", toolCallId: "c1", toolName: "weather", input: '{"city":"Ro' },
  { type: "tool-call", toolCallId: "c2", toolName: "weather", input: "{}" },
  { type: "file", mediaType: "image/png", data: "aGk=" },
  {
    type: "finish",
    finishReason: { unified: "tool-calls", raw: "tool_calls" },
    usage: {
      inputTokens: { total: 9, noCache: 4, cacheRead: 5, cacheWrite: 0 },
      outputTokens: { total: 3, text: 3, reasoning: 0 },
    },
  },
];

describe("a streamed answer", () => {
  it("is the whole one", async () => {
    expect(await streamed(conversation)).toEqual(
      await whole(
        [
          {
            type: "reasoning",
            text: "let me think",
            providerMetadata: { anthropic: { signature: "sig" } },
          },
          { type: "text", text: "first" },
          { type: "text", text: "second", providerMetadata: { openai: { itemId: "m1" } } },
          { type: "tool-call", toolCallId: "c1", toolName: "weather", input: '{"city":"Ro' },
          { type: "tool-call", toolCallId: "c2", toolName: "weather", input: "{}" },
          { type: "file", mediaType: "image/png", data: "aGk=" },
        ],
        {
          finishReason: { unified: "tool-calls", raw: "tool_calls" },
          usage: {
            inputTokens: { total: 9, noCache: 4, cacheRead: 5, cacheWrite: 0 },
            outputTokens: { total: 3, text: 3, reasoning: 0 },
          },
          response: { id: "r1", modelId: "m1" },
          warnings: [{ type: "other", message: "careful" }],
        },
      ),
    );
  });

  it("has sources and a provider's own parts in their places", async () => {
    const source = { type: "source", sourceType: "url", id: "1", url: "https://a.test" } as const;
    const custom = { type: "custom", kind: "acme.sealed", providerMetadata: { acme: { n: 1 } } };
    const started = { type: "custom", kind: "anthropic.message_start" };
    const { content } = await streamed([
      started as never,
      { type: "text-end", id: "never begun" },
      { type: "text-start", id: "0" },
      source,
      custom as never,
      { type: "text-delta", id: "0", delta: "a" },
      finish,
    ]);
    expect(content).toStrictEqual([
      { type: "text", text: "a" },
      source,
      { type: "custom", kind: "acme.sealed", providerOptions: { acme: { n: 1 } } },
    ]);
  });

  it("whose reason the client misses is not whole, whatever reason it gives instead", async () => {
    const unsaid = Object.assign(new Error("No finish reason"), {
      name: "AI_InvalidResponseDataError",
    });
    const error = { type: "error", error: unsaid } as const;
    for (const finishReason of [stopped, { unified: "other", raw: undefined } as const]) {
      const failed = await failureOf(streamed([error, { ...finish, finishReason }]));
      expect(failed).toMatchObject({ message: expect.stringContaining("ended before") });
    }
  });

  it("tells no piece that is empty, and no name that it does not know", async () => {
    const call = aCall();
    await streamed(
      [
        { type: "tool-input-delta", id: "c", delta: "" },
        { type: "tool-input-delta", id: "c", delta: "{" },
        { type: "text-delta", id: "0", delta: "" },
        finish,
      ],
      call,
    );
    expect(call.deltas).toStrictEqual([{ type: "tool-input", text: "{", toolCallId: "c" }]);
  });

  it("tells its pieces as they come", async () => {
    const call = aCall();
    await streamed(conversation, call);
    expect(call.deltas).toEqual([
      { type: "reasoning", text: "let me " },
      { type: "reasoning", text: "think" },
      { type: "text", text: "second" },
      { type: "text", text: "first" },
      { type: "tool-input", text: '{"city":', toolCallId: "c1", toolName: "weather" },
      { type: "tool-input", text: '"Ro', toolCallId: "c1", toolName: "weather" },
    ]);
  });

  it("tells a piece before the next one has come", async () => {
    let push: ((part: LanguageModelV3StreamPart) => void) | undefined;
    let close: (() => void) | undefined;
    const stream = new ReadableStream<LanguageModelV3StreamPart>({
      start(controller) {
        push = (part) => controller.enqueue(part);
        close = () => controller.close();
      },
    });
    const model = new MockLanguageModelV3({ doStream: { stream } });
    const told = promised<string>();
    const answer = aiSdk(model, { stream: true }).generate(hello, {
      ...aCall(),
      onDelta: ({ text }) => told.resolve(text),
    });
    push?.({ type: "text-delta", id: "0", delta: "early" });
    expect(await told.promise).toBe("early");
    push?.(finish);
    close?.();
    expect((await answer).content).toEqual([{ type: "text", text: "early" }]);
  });

  it("keeps all that is said of a part, whichever piece says it, the later word last", async () => {
    const answer = await streamed([
      {
        type: "text-start",
        id: "0",
        providerMetadata: { anthropic: { type: "compaction", n: 1 }, other: { a: 1 } },
      },
      { type: "text-delta", id: "0", delta: "in short", providerMetadata: { anthropic: { n: 2 } } },
      { type: "text-end", id: "0", providerMetadata: { anthropic: { signature: "s" } } },
      finish,
    ]);
    expect(answer.content).toEqual([
      {
        type: "text",
        text: "in short",
        providerOptions: {
          anthropic: { type: "compaction", n: 2, signature: "s" },
          other: { a: 1 },
        },
      },
    ]);
  });

  it("is asked for only where it is wanted", async () => {
    const model = new MockLanguageModelV3({
      doGenerate: { content: [], finishReason: stopped, usage: noTokens, warnings: [] },
    });
    const call = aCall();
    await aiSdk(model).generate(hello, call);
    expect(model.doStreamCalls).toEqual([]);
    expect(call.deltas).toEqual([]);
  });
});

describe("a stream without end", () => {
  it.each([
    ["text", { type: "text-delta", id: "0", delta: "x".repeat(65_536) }],
    ["reasoning", { type: "reasoning-delta", id: "0", delta: "x".repeat(65_536) }],
    ["a tool's input", { type: "tool-input-delta", id: "0", delta: "x".repeat(65_536) }],
    ["files", { type: "file", mediaType: "image/png", data: "x".repeat(65_536) }],
  ])("of %s is given up at the size that an answer may have", async (_what, part) => {
    let sent = 0;
    let cancelled = false;
    const stream = new ReadableStream(
      {
        pull(controller) {
          sent += 65_536;
          controller.enqueue(part as never);
        },
        cancel() {
          cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const model = new MockLanguageModelV3({ doStream: { stream } });
    const answer = aiSdk(model, { stream: true }).generate(hello, aCall());
    expect(await failureOf(answer)).toMatchObject({
      code: "llm.failed",
      message: expect.stringContaining("larger than 5 MiB"),
      transient: false,
    });
    expect(sent).toBeLessThan(6 * 1024 * 1024);
    expect(cancelled).toBe(true);
  });
});

describe("a stream that breaks off", () => {
  const begun: LanguageModelV3StreamPart[] = [
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "half an ans" },
  ];

  it("fails with the error it reports", async () => {
    const overloaded = { type: "overloaded_error", message: "Overloaded" };
    const error = await failureOf(
      streamed([...begun, { type: "error", error: overloaded }, finish]),
    );
    expect(error).toEqual({
      code: "llm.failed",
      message: "Overloaded",
      transient: true,
      detail: overloaded,
    });
  });

  it("is to be tried again where it ends without a word", async () => {
    expect(await failureOf(streamed(begun))).toMatchObject({
      code: "llm.failed",
      transient: true,
    });
  });

  it("is to be tried again where the provider never said why the model stopped", async () => {
    const finishReason = { unified: "other", raw: undefined } as const;
    expect(await failureOf(streamed([...begun, { ...finish, finishReason }]))).toMatchObject({
      transient: true,
    });
  });

  it("is to be tried again where the provider says that it was interrupted, whole or streamed", async () => {
    const finishReason = { unified: "interrupted", raw: undefined } as never;
    for (const answer of [
      streamed([...begun, { ...finish, finishReason }]),
      whole([{ type: "text", text: "half an ans" }], { finishReason }),
    ]) {
      expect(await failureOf(answer)).toMatchObject({ code: "llm.failed", transient: true });
    }
  });

  it("is an answer where the model stopped for a reason of its own", async () => {
    const finishReason = { unified: "other", raw: "a_reason_of_its_own" } as const;
    expect(await streamed([...begun, { ...finish, finishReason }])).toMatchObject({
      finishReason: "other",
    });
  });

  it("fails as the connection does", async () => {
    const lost = new TypeError("terminated", {
      cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }),
    });
    const stream = new ReadableStream<LanguageModelV3StreamPart>({
      start: (controller) => controller.enqueue(begun[0]!),
      pull: (controller) => controller.error(lost),
    });
    const model = new MockLanguageModelV3({ doStream: { stream } });
    const error = await failureOf(aiSdk(model, { stream: true }).generate(hello, aCall()));
    expect(error).toMatchObject({ message: "terminated", transient: true });
  });

  it("is an answer at its finish, though the provider leaves it open, and is closed then", async () => {
    let cancelled = 0;
    const stream = new ReadableStream<LanguageModelV3StreamPart>({
      start(controller) {
        for (const part of [...begun, finish]) controller.enqueue(part);
      },
      cancel: () => void cancelled++,
    });
    const model = new MockLanguageModelV3({ doStream: { stream } });
    const answer = await aiSdk(model, { stream: true }).generate(hello, aCall());
    expect(answer).toMatchObject({
      content: [{ type: "text", text: "half an ans" }],
      finishReason: "stop",
    });
    expect(cancelled).toBe(1);
  });

  it("is let go", async () => {
    let cancelled = 0;
    const stream = new ReadableStream<LanguageModelV3StreamPart>({
      start: (controller) => controller.enqueue({ type: "error", error: "no" }),
      cancel: () => void cancelled++,
    });
    const model = new MockLanguageModelV3({ doStream: { stream } });
    await failureOf(aiSdk(model, { stream: true }).generate(hello, aCall()));
    expect(cancelled).toBe(1);
  });
});

describe("an abort", () => {
  it("ends a stream of a provider that does not heed it, and nothing more is told", async () => {
    const controller = new AbortController();
    let cancelled = 0;
    let push: (part: LanguageModelV3StreamPart) => void = () => {};
    const stream = new ReadableStream<LanguageModelV3StreamPart>({
      start(each) {
        push = (part) => each.enqueue(part);
        push({ type: "text-delta", id: "0", delta: "a" });
      },
      cancel: () => void cancelled++,
    });
    const model = new MockLanguageModelV3({ doStream: { stream } });
    const call = aCall(controller.signal);
    const told = promised<void>();
    const answer = aiSdk(model, { stream: true }).generate(hello, {
      ...call,
      onDelta: (delta) => {
        call.deltas.push(delta);
        told.resolve();
      },
    });
    await told.promise;
    // On its way to the reader already.
    push({ type: "text-delta", id: "0", delta: "b" });
    controller.abort(new Error("enough"));
    expect(await failureOf(answer)).toEqual({
      code: "llm.failed",
      message: "The model call was aborted.",
      transient: false,
    });
    expect(call.deltas).toHaveLength(1);
    expect(cancelled).toBe(1);
  });

  it("before there is a stream cancels it as soon as it is there", async () => {
    const controller = new AbortController();
    let cancelled = 0;
    const stream = new ReadableStream<LanguageModelV3StreamPart>({
      cancel: () => void cancelled++,
    });
    const doStream = async () => {
      controller.abort(new Error("enough"));
      return { stream };
    };
    const port = aiSdk(new MockLanguageModelV3({ doStream }), { stream: true });
    expect(await failureOf(port.generate(hello, aCall(controller.signal)))).toMatchObject({
      message: "The model call was aborted.",
    });
    expect(cancelled).toBe(1);
  });
});

function promised<T>(): { promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
