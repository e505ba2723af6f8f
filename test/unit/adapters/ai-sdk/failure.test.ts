// What a failed call comes to: a code, the status, how long to wait, whether to try again, and what
// the provider said.
import { APICallError, LoadAPIKeyError } from "@ai-sdk/provider";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import { aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import { toJson } from "../../../../src/core/kernel/values/index.js";
import { ModelError } from "../../../../src/runtime/index.js";
import { aCall, failureOf, hello, streamed } from "./support.js";

const failing = (thrown: unknown, signal?: AbortSignal) =>
  aiSdk(
    new MockLanguageModelV3({
      doGenerate: async () => {
        throw thrown;
      },
    }),
  ).generate(hello, aCall(signal));

const refusal = (rest: Partial<ConstructorParameters<typeof APICallError>[0]>) =>
  new APICallError({ message: "no", url: "https://x.test", requestBodyValues: {}, ...rest });

describe("an answer with an error status", () => {
  it("keeps no more of the words than a line should hold, masked before they are cut", async () => {
    const key = "sk-proj-0123456789abcdefghijklmnopqrstuvwxyz";
    const message = `${"e".repeat(16 * 1024 - 10)} ${key} ${"e".repeat(1_000_000)}`;
    const error = await failureOf(failing(refusal({ message, statusCode: 400 })));
    expect(error.message.length).toBeLessThan(17 * 1024);
    expect(error.message).toContain("[cut: ");
    expect(error.message).not.toContain("sk-proj-0");
  });

  it("keeps the status, the wait, and the provider's words", async () => {
    const error = await failureOf(
      failing(
        refusal({
          message: "Rate limit reached",
          statusCode: 429,
          responseHeaders: { "retry-after": "2" },
          responseBody: '{"error":{"type":"rate_limit_error","message":"slow down"}}',
        }),
      ),
    );
    expect(error).toEqual({
      code: "llm.failed",
      message: "Rate limit reached",
      status: 429,
      retryAfterMs: 2000,
      transient: true,
      detail: { error: { type: "rate_limit_error", message: "slow down" } },
    });
  });

  it.each([
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [408, true],
    [409, true],
    [422, false],
    [429, true],
    [500, true],
    [503, true],
    [529, true],
  ])("%i is worth another try: %s", async (statusCode, transient) => {
    expect(await failureOf(failing(refusal({ statusCode })))).toMatchObject({
      status: statusCode,
      transient,
    });
  });

  it.each([429, 408, 409, 500, 503])(
    "%i is not, where the provider says so",
    async (statusCode) => {
      expect(await failureOf(failing(refusal({ statusCode, isRetryable: false })))).toMatchObject({
        status: statusCode,
        transient: false,
      });
    },
  );

  it.each([
    [{ error: { type: "insufficient_quota", code: "insufficient_quota" } }, false],
    [{ error: { code: "billing_hard_limit_reached" } }, false],
    [{ code: "insufficient_balance" }, false],
    [{ error: { type: "requests", code: "rate_limit_exceeded" } }, true],
    [{ error: { status: "RESOURCE_EXHAUSTED" } }, true],
  ])("a quota that is used up does not come back: %j", async (body, transient) => {
    const thrown = refusal({ statusCode: 429, responseBody: JSON.stringify(body) });
    expect(await failureOf(failing(thrown))).toMatchObject({ status: 429, transient });
  });

  it.each([
    [{ "retry-after-ms": "150", "retry-after": "9" }, 150],
    [{ "Retry-After": "0.5" }, 500],
    [{ "retry-after": "0" }, 0],
    [
      {
        "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT",
        date: "Thu, 01 Jan 2026 00:00:04 GMT",
      },
      3000,
    ],
    [
      {
        "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT",
        date: "Thu, 01 Jan 2026 00:00:09 GMT",
      },
      0,
    ],
    [{ "retry-after": "Thu, 01 Jan 1970 00:00:07 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after-ms": "", "retry-after": "1" }, 1000],
    [{}, undefined],
  ])("asks to wait: %j", async (headers, expected) => {
    const error = await failureOf(
      failing(refusal({ statusCode: 503, responseHeaders: headers as Record<string, string> })),
    );
    expect(error.retryAfterMs).toBe(expected);
  });

  it("keeps an error page as text, and not all of a long one", async () => {
    const page = (responseBody: string) =>
      failureOf(failing(refusal({ statusCode: 502, responseBody })));
    expect((await page("<h1>Bad gateway</h1>")).detail).toBe("<h1>Bad gateway</h1>");
    expect(String((await page("x".repeat(1_000_000))).detail).length).toBeLessThan(20_000);
  });

  it("tells nothing of the request, which holds the conversation", async () => {
    const thrown = refusal({ statusCode: 400, requestBodyValues: { messages: ["a secret"] } });
    expect(JSON.stringify(await failureOf(failing(thrown)))).not.toContain("secret");
  });
});

describe("a call without an answer", () => {
  it.each([
    [
      "the connection was refused",
      refusal({ message: "Cannot connect to API", isRetryable: true }),
      true,
    ],
    ["fetch failed", new TypeError("fetch failed"), true],
    ["the name was not found", coded("ENOTFOUND"), true],
    ["it was cut", new Error("read failed", { cause: coded("ECONNRESET") }), true],
    ["it took too long", new DOMException("too long", "TimeoutError"), true],
    ["somebody else aborted it", new DOMException("stop", "AbortError"), false],
    ["the program is wrong", new TypeError("x is not a function"), false],
    ["there is no key", new LoadAPIKeyError({ message: "OPENAI_API_KEY is missing" }), false],
  ])("is worth another try: %s", async (_, thrown, transient) => {
    const error = await failureOf(failing(thrown));
    const message = expect.stringContaining(thrown.message);
    expect(error).toMatchObject({ code: "llm.failed", message, transient });
    expect(error).not.toHaveProperty("status");
  });

  it("that was aborted is not, whatever it threw", async () => {
    const controller = new AbortController();
    const doGenerate = async () => {
      controller.abort();
      throw refusal({ statusCode: 503 });
    };
    const error = await failureOf(
      aiSdk(new MockLanguageModelV3({ doGenerate })).generate(hello, aCall(controller.signal)),
    );
    expect(error.transient).toBe(false);
  });

  it("is not made where it was aborted before", async () => {
    const model = new MockLanguageModelV3();
    await failureOf(aiSdk(model).generate(hello, aCall(AbortSignal.abort())));
    expect(model.doGenerateCalls).toEqual([]);
  });

  it("keeps what was thrown as the cause", async () => {
    const thrown = new Error("inner");
    await expect(failing(thrown)).rejects.toMatchObject({ cause: thrown });
  });

  it("fails as a model port inside it said", async () => {
    const error = { code: "llm.failed", message: "mine", transient: true } as const;
    expect(await failureOf(failing(new ModelError(error)))).toEqual(error);
  });
});

describe("an error inside a stream", () => {
  const inStream = (error: unknown) => failureOf(streamed([{ type: "error", error }]));

  it.each([
    [{ type: "overloaded_error", message: "m" }, true],
    [{ type: "api_error", message: "m" }, true],
    [{ code: "rate_limit_exceeded", message: "m" }, true],
    [{ type: "error", error: { code: "server_error", message: "m" } }, true],
    [{ type: "invalid_request_error", message: "m" }, false],
    [{ code: 502, message: "m" }, true],
    [{ code: 402, message: "m" }, false],
    [{ statusCode: 500, isRetryable: true, message: "m" }, true],
    [{ statusCode: 500, isRetryable: false, message: "m" }, false],
    [{ type: "overloaded_error", isRetryable: false, message: "m" }, false],
  ])("is read without a class: %j", async (thrown, transient) => {
    expect(await inStream(thrown)).toMatchObject({ message: "m", transient, detail: thrown });
  });

  it.each([["text"], [undefined], [null], [{}], [new Map()], [{ cyclic: cyclic() }]])(
    "is always JSON with a message: %s",
    async (thrown) => {
      const error = await inStream(thrown);
      expect(error.message).not.toBe("");
      expect(toJson(error)).toEqual(error);
    },
  );
});

function coded(code: string): Error {
  return Object.assign(new Error(`${code} happened`), { code });
}

function cyclic(): object {
  const value: Record<string, unknown> = {};
  // Without a look at where it came from, a visitor of two branches would be long on its way.
  Object.assign(value, { one: value, two: value });
  return value;
}
