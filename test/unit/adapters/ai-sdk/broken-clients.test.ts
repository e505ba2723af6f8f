// Clients that do not keep to the SDK's specification: a wrapper that loses the answer, a proxy that
// leaves parts of it out. What can be read is read; the rest fails in words, and is not asked again.
import { describe, expect, it } from "vitest";
import { aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import { agent, run } from "../../../../src/index.js";
import { refusal } from "../../../support/thrown.js";
import { aCall, failureOf, hello, streamOf } from "./support.js";

const client = (parts: object) =>
  ({
    specificationVersion: "v3",
    provider: "own",
    modelId: "m",
    supportedUrls: {},
    ...parts,
  }) as never;
const answering = (answer: unknown) => aiSdk(client({ doGenerate: async () => answer }));
const streaming = (answer: unknown) =>
  aiSdk(client({ doStream: async () => answer }), { stream: true });
const text = { type: "text", text: "All said." } as const;

describe("a client that answers with what is not an answer", () => {
  it.each<readonly [string, unknown, string]>([
    ["nothing", undefined, "gave nothing for an answer"],
    ["null", null, "gave nothing for an answer"],
    ["a text", "All said.", "gave a string for an answer"],
    ["a list", [text], "gave a list for an answer"],
    ["no content", { finishReason: "stop" }, "without a list of parts as its content"],
    ["a text as content", { content: "All said." }, "without a list of parts as its content"],
    ["a part that is none", { content: [null] }, "gave nothing for a part of an answer"],
    [
      "a file without data",
      { content: [{ type: "file", mediaType: "a/b" }] },
      "that cannot be read",
    ],
  ])("fails, and not for a while: %s", async (_what, answer, words) => {
    const error = await failureOf(answering(answer).generate(hello, aCall()));
    expect(error).toMatchObject({ code: "llm.failed", transient: false });
    expect(error.message).toContain(words);
    expect(error.message).toContain("does not keep to the AI SDK's specification");
  });

  it("fails the run with those words", async () => {
    const end = await run(agent({ name: "a" }), "x", { model: answering(undefined) });
    expect(end).toMatchObject({
      status: "failed",
      error: { code: "llm.failed", message: expect.stringContaining("gave nothing for an answer") },
    });
  });
});

describe("a client that leaves things out", () => {
  it.each<readonly [string, object]>([
    ["everything but the content", {}],
    ["nulls", { finishReason: null, usage: null, response: null, warnings: null }],
    ["of the wrong kinds", { finishReason: 5, usage: "9", response: [], warnings: "w" }],
    ["words of its own", { finishReason: "done", response: { id: 5, modelId: null } }],
    [
      "counts that are none",
      { usage: { inputTokens: Number.NaN, outputTokens: -3, totalTokens: "9" } },
    ],
    ["sides that are null", { usage: { inputTokens: null, outputTokens: { total: null } } }],
  ])("has answered: %s", async (_what, rest) => {
    const response = await answering({ content: [text], ...rest }).generate(hello, aCall());
    expect(response).toMatchObject({ content: [text], finishReason: "unknown" });
    expect(response).not.toHaveProperty("model");
    expect(response).not.toHaveProperty("warnings");
    for (const count of Object.values(response.usage ?? {})) expect(count).toBe(0);
    const end = await run(agent({ name: "a" }), "x", {
      model: answering({ content: [text], ...rest }),
    });
    expect(end).toMatchObject({ status: "done", output: "All said." });
    // What was told cannot be: its estimate is charged.
    expect(end.context.usage).toMatchObject({ requests: 1, inputTokens: 1, outputTokens: 3 });
  });

  it("gives arguments as nothing, or as what they are", async () => {
    const call = { type: "tool-call", toolCallId: "c", toolName: "t" };
    const content = [call, { ...call, input: { a: 1 } }, { ...call, input: null }];
    const response = await answering({ content, finishReason: "tool-calls" }).generate(
      hello,
      aCall(),
    );
    expect(response.content).toMatchObject([{ input: {} }, { input: { a: 1 } }, { input: {} }]);
  });
});

describe("a client that streams", () => {
  const finish = { type: "finish", finishReason: "stop", usage: {} };
  it.each<readonly [string, unknown, string]>([
    ["nothing", undefined, "gave nothing for an answer"],
    ["no stream", { response: {} }, "gave an answer without a stream"],
    [
      "a piece that is none",
      { stream: streamOf([null] as never) },
      "gave nothing for a piece of a stream",
    ],
  ])("%s: fails in words", async (_what, answer, words) => {
    const error = await failureOf(streaming(answer).generate(hello, aCall()));
    expect(error).toMatchObject({ code: "llm.failed", transient: false });
    expect(error.message).toContain(words);
  });

  it("no finish: broke off, and is asked again", async () => {
    const stream = streamOf([{ type: "text-delta", id: "0", delta: "All" }]);
    const error = await failureOf(streaming({ stream }).generate(hello, aCall()));
    expect(error).toMatchObject({
      transient: true,
      message: "The stream ended before the answer did.",
    });
  });

  it("a piece without a text, and a finish that says nothing", async () => {
    const parts = [
      { type: "text-delta", id: "0" },
      { type: "text-delta", id: "0", delta: "All said." },
      { type: "tool-input-delta", id: "1", delta: null },
      { ...finish, finishReason: null, usage: null },
    ];
    const call = aCall();
    const response = await streaming({ stream: streamOf(parts as never) }).generate(hello, call);
    expect(response).toMatchObject({ content: [text], finishReason: "unknown" });
    expect(call.deltas).toEqual([{ type: "text", text: "All said." }]);
  });
});

it("a model that cannot be asked so is refused at once", () => {
  const { code, message } = refusal(() =>
    aiSdk(client({ doGenerate: async () => ({}) }), { stream: true }),
  );
  expect([code, message]).toEqual([
    "option.invalid",
    "The model of aiSdk must be a model of the AI SDK, with doStream(); it is another object.",
  ]);
  expect(refusal(() => aiSdk(client({}))).message).toContain("with doGenerate()");
});
