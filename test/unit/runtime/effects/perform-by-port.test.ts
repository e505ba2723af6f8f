// One attempt of a directive: what it calls, and with what; what it reports, as data; that it decides nothing.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Outcome } from "../../../../src/core/driver/index.js";
import { noUsage } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  type Delta,
  type LlmDirective,
  ModelError,
  type ModelPort,
  ReckonerError,
  type StorePort,
  type ToolContext,
  ToolError,
  type ToolOptions,
  tool,
} from "../../../../src/index.js";
import type { AttemptPorts, PortDirective } from "../../../../src/runtime/effects/call-port.js";
import { performByPort } from "../../../../src/runtime/effects/perform-by-port.js";
import { LazyAbort } from "../../../../src/runtime/ports/lazy-abort.js";

const asks: LlmDirective = {
  type: "llm",
  id: "llm/0",
  system: "s",
  messages: [{ role: "user", content: "hello" }],
};
const calls: PortDirective = { type: "tool", id: "tool/0", name: "t", input: { a: 1 } };
const reads: PortDirective = { type: "read", id: "read/0", store: "s", query: { of: 1 } };
const writes: PortDirective = { type: "write", id: "write/0", store: "s", operations: ["a"] };
const answer = {
  content: [{ type: "text" as const, text: "hi" }],
  finishReason: "stop" as const,
  usage: { inputTokens: 3, outputTokens: 1 },
};
/** Its usage, with how often it was asked for. */
const usage = { requests: 2, inputTokens: 3, outputTokens: 1, totalTokens: 4 };
const never = () => new Promise<never>(() => {});

/** An attempt of a directive, the second one. */
function tried(
  directive: PortDirective,
  ports: Partial<AttemptPorts>,
  signal = new LazyAbort(),
): Outcome | Promise<Outcome> {
  const sees = { at: 7, deps: { d: 1 }, usage: noUsage };
  const { id } = directive;
  const of = { run: "", through: [], id, runId: "r", attempt: 2 };
  const attempt = { ...of, directive, idempotencyKey: "r:x", sees };
  return performByPort(attempt, { tools: {}, ...ports }, signal);
}
const model = (generate: ModelPort["generate"]) => ({ model: { name: "m", generate } });
const tools = (execute: unknown, more: Partial<ToolOptions<never, never>> = {}) => ({
  tools: { t: tool({ name: "t", ...(more as object), execute: execute as never }) },
});
const stores = (port: Partial<StorePort>) => ({
  stores: { s: { name: "s", ...port } as StorePort },
});

describe("an attempt of a model call", () => {
  it("asks with the request, and says which call of which run it is", async () => {
    const asked: unknown[] = [];
    const port = model(
      async ({ system, messages }, { signal, onDelta: _, onNotice: _notice, ...call }) => {
        asked.push({ system, messages, aborted: signal.aborted, ...call });
        return answer;
      },
    );
    const request = { system: "s", messages: asks.messages };
    expect(await tried(asks, port)).toEqual({
      type: "settled",
      settlement: { type: "llm.succeeded", id: "llm/0", ...answer, usage, port: "m" },
    });
    const call = { runId: "r", id: "llm/0", attempt: 2, idempotencyKey: "r:x" };
    expect(asked).toEqual([{ ...request, ...call, aborted: false, keep: expect.any(Function) }]);
  });

  it("takes of the answer what is known, and nothing else", async () => {
    const forged = { ...answer, type: "cancel", id: "other", at: 1, attempts: 9, model: "m-1" };
    expect(
      await tried(
        asks,
        model(async () => forged as never),
      ),
    ).toEqual({
      type: "settled",
      settlement: { type: "llm.succeeded", id: "llm/0", ...answer, usage, model: "m-1" },
    });
  });

  it("reports a failure as it is, whether or not it will pass, with what it cost", async () => {
    const busy = new ModelError({ code: "busy", message: "later", transient: true });
    expect(
      await tried(
        asks,
        model(() => Promise.reject(busy)),
      ),
    ).toEqual({
      type: "failed",
      error: { code: "busy", message: "later", transient: true },
    });
    const none = { content: "none", usage: { inputTokens: 4 } } as never;
    expect(
      await tried(
        asks,
        model(async () => none),
      ),
    ).toMatchObject({
      type: "failed",
      error: { code: "llm.failed" },
      usage: { inputTokens: 4 },
    });
    const empty = { ...answer, content: [], finishReason: "error" as const };
    expect(
      await tried(
        asks,
        model(async () => empty),
      ),
    ).toMatchObject({
      type: "failed",
      error: { code: "llm.failed", transient: true },
      usage: { inputTokens: 3, outputTokens: 1 },
    });
  });

  it("without a model is refused, and nobody was asked", () => {
    expect(tried(asks, {})).toMatchObject({
      type: "failed",
      error: { code: "port.missing" },
      refused: true,
      usage: { requests: 0 },
    });
  });

  it("gives back what had streamed when it is stopped, and takes no more", async () => {
    const signal = new LazyAbort();
    const seen: string[] = [];
    let late: (delta: Delta) => void = () => {};
    const port = model((_request, { onDelta }) => {
      late = onDelta;
      onDelta({ type: "text", text: "The ans" });
      onDelta({ type: "text", text: "wer \ud83d" });
      return never();
    });
    const arriving = tried(asks, { ...port, onDelta: ({ text }) => seen.push(text) }, signal);
    signal.abort("enough");
    late({ type: "text", text: "too late" });
    expect(await arriving).toEqual({
      type: "stopped",
      partial: { content: [{ type: "text", text: "The answer " }], usage: { requests: 2 } },
    });
    expect(seen).toEqual(["The ans", "wer "]);
  });

  it("shows what waited for its other half before it settles, and nothing behind that", async () => {
    const seen: Delta[] = [];
    let late: (delta: Delta) => void = () => {};
    const port = model(async (_request, { onDelta }) => {
      late = onDelta;
      onDelta({ type: "text", text: "a\ud83d" });
      return answer;
    });
    await tried(asks, { ...port, onDelta: (delta) => seen.push(delta) });
    late({ type: "text", text: "late" });
    expect(seen.map(({ text }) => text)).toEqual(["a", "\ufffd"]);
  });

  it("tells what was done to the request, as a text and as nothing else", async () => {
    const told: unknown[] = [];
    const port = model(async (_request, { onNotice }) => {
      onNotice?.("a word");
      onNotice?.({ not: "one" } as never);
      return answer;
    });
    await tried(asks, { ...port, onNotice: (...notice) => told.push(notice) });
    expect(told).toEqual([["request.mended", "a word"]]);
  });
});

describe("an attempt of a tool", () => {
  it("fails where it uses services and is given none, whatever comes of it", async () => {
    const missing = {
      type: "settled",
      settlement: { type: "tool.failed", reason: "error", error: { code: "services.missing" } },
    };
    const use = (_input: unknown, { services }: ToolContext<object, { find(): string }>) =>
      services.find();
    const parts = (execute: unknown) =>
      tools((input: unknown, context: never) => (execute as typeof use)(input, context));
    expect(tried(calls, parts(use))).toMatchObject(missing);
    expect(
      await tried(
        calls,
        parts(async (input: unknown, context: never) => use(input, context)),
      ),
    ).toMatchObject(missing);
    const inner = () => {
      throw new ReckonerError("services.missing", "of a run of its own");
    };
    expect(tried(calls, parts(inner))).toMatchObject({ type: "failed" });
  });

  it("calls it with its arguments and what it may see, and reports at once what is there at once", () => {
    const given: unknown[] = [];
    const execute = (input: unknown, { signal: _, ...context }: { readonly signal: unknown }) => {
      given.push(input, context);
      return { ok: true };
    };
    const services = { fs: 1 };
    expect(tried(calls, { ...tools(execute), services })).toEqual({
      type: "settled",
      settlement: { type: "tool.succeeded", id: "tool/0", output: { ok: true } },
    });
    const context = { runId: "r", id: "tool/0", at: 7, deps: { d: 1 }, usage: noUsage, retry: 1 };
    const own = {
      services,
      idempotencyKey: "r:x",
      progress: expect.any(Function),
      keep: expect.any(Function),
    };
    expect(given).toEqual([{ a: 1 }, { ...context, ...own }]);
  });

  it.each<[string, Partial<AttemptPorts>, object]>([
    ["nobody has", {}, { reason: "missing", error: { code: "tool.missing" } }],
    [
      "whose arguments are none",
      tools(() => 1, { inputSchema: z.object({ b: z.string() }) as never }),
      { reason: "arguments", error: { code: "tool.arguments" } },
    ],
    [
      "whose result is none",
      tools(() => () => {}, { final: true }),
      { reason: "result", error: { code: "tool.result" } },
    ],
  ])("that %s is settled: no other one would do better", (_what, ports, expected) => {
    const settlement = { type: "tool.failed", id: "tool/0", ...expected };
    expect(tried(calls, ports)).toMatchObject({ type: "settled", settlement });
  });

  it("reports what it threw, with the parts that a tool's error brings along", async () => {
    const content = [{ type: "text" as const, text: "see" }];
    const thrown = new ToolError("no", content);
    expect(
      await tried(
        calls,
        tools(() => Promise.reject(thrown)),
      ),
    ).toMatchObject({
      type: "failed",
      error: { message: "no" },
      forModel: true,
      content,
    });
    const plain = tools(() => {
      throw new Error("broke");
    });
    expect(tried(calls, plain)).toMatchObject({
      type: "failed",
      error: { code: "tool.threw", message: "broke" },
    });
  });

  it("that ignores its signal is not waited for", async () => {
    const signal = new LazyAbort();
    let release = (_value: unknown) => {};
    const deaf = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const arriving = tried(calls, tools(deaf), signal);
    signal.abort("enough");
    release("late");
    expect(await arriving).toEqual({ type: "stopped" });
    expect(signal.listeners).toBe(0);
    expect(tried(calls, tools(deaf), signal)).toEqual({ type: "stopped" });
  });
});

describe("an attempt at a store", () => {
  it("passes the query, the operations, and for a write the key", async () => {
    const port = stores({
      read: async (query, { signal }) => [query, signal.aborted],
      write: async (operations, { idempotencyKey }) => [...operations, idempotencyKey],
    });
    const settlement = { type: "read.succeeded", id: "read/0", value: [{ of: 1 }, false] };
    expect(await tried(reads, port)).toEqual({ type: "settled", settlement });
    const written = { type: "write.succeeded", id: "write/0", value: ["a", "r:x"] };
    expect(await tried(writes, port)).toEqual({ type: "settled", settlement: written });
  });

  it("tells what the store refuses from what failed", async () => {
    const failing = (thrown: unknown) => stores({ read: () => Promise.reject(thrown) });
    expect(await tried(reads, failing(new Error("busy")))).toEqual({
      type: "failed",
      error: { code: "port.failed", message: "busy" },
    });
    const refusal = new ReckonerError("store.key", "Another one has it.");
    expect(await tried(reads, failing(refusal))).toMatchObject({
      type: "failed",
      error: { code: "store.key" },
      refused: true,
    });
    expect(tried(reads, {})).toMatchObject({
      type: "failed",
      error: { code: "port.missing" },
      refused: true,
    });
  });

  it("is settled where its answer cannot be kept: the write holds", async () => {
    const port = stores({ read: async () => undefined as never, write: async () => 1n as never });
    const failed = (id: string, type: string) => ({
      type: "settled",
      settlement: { type, id, error: { code: "store.result" } },
    });
    expect(await tried(reads, port)).toMatchObject(failed("read/0", "read.failed"));
    expect(await tried(writes, port)).toMatchObject(failed("write/0", "write.failed"));
  });
});
