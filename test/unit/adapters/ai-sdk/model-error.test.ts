// What is read of whatever a model throws: by its properties, since its classes may be a copy's.
import { describe, expect, it } from "vitest";
import { isRejectedCall } from "../../../../src/adapters/ai-sdk/rejected-call.js";
import { retryAfter } from "../../../../src/adapters/ai-sdk/retry-after.js";
import { type Failing, toModelError } from "../../../../src/adapters/ai-sdk/to-model-error.js";

const key = "sk-proj-0123456789abcdefghijklmnop";
const failing = (options: Failing["options"] = {}): Failing => ({
  signal: new AbortController().signal,
  wire: { done: false, error: undefined, credentials: [] },
  options,
});
const told = (thrown: unknown, options?: Failing["options"]) =>
  toModelError(thrown, failing(options)).error;
const inside = (depth: number, innermost: Error): Error =>
  depth === 0 ? innermost : new Error(`around ${depth}`, { cause: inside(depth - 1, innermost) });
const coded = (code: unknown) => Object.assign(new Error("read failed"), { code });

describe("the status", () => {
  it.each([
    [400, false],
    [407, false],
    [408, true],
    [409, true],
    [410, false],
    [428, false],
    [429, true],
    [430, false],
    [499, false],
    [500, true],
    [599, true],
    [100, false],
  ])("%i says by itself whether another try is worth it: %s", (status, transient) => {
    for (const thrown of [
      { status },
      { statusCode: status },
      { code: status },
      Object.assign(new Error("x"), { status }),
    ])
      expect(told(thrown)).toMatchObject({ status, transient });
  });

  it.each([99, 600, 500.5, "500", Number.NaN])("is none: %s", (code) => {
    expect(told({ code, message: "m" })).not.toHaveProperty("status");
  });

  it("is the one that is called so, where a code is a number too", () => {
    expect(told({ code: 7, status: 404, statusCode: 503 })).toMatchObject({ status: 503 });
    expect(told({ code: 503, status: 404 })).toMatchObject({ status: 404, transient: false });
  });
});

describe("what the other side says beside the status", () => {
  const failed = (statusCode: number | undefined, body: unknown, isRetryable?: boolean) =>
    told(
      Object.assign(new Error("x"), {
        ...(statusCode === undefined ? {} : { statusCode }),
        ...(isRetryable === undefined ? {} : { isRetryable }),
        responseBody: typeof body === "string" ? body : JSON.stringify(body),
      }),
    ).transient;

  it.each<[number | undefined, unknown, boolean | undefined, boolean]>([
    // A quota that waiting does not bring back, whatever the client makes of 429.
    [429, { error: { code: "insufficient_quota" } }, true, false],
    [429, { error: { type: "enforced_spend_limit_reached" } }, true, false],
    [402, { error: { code: 402, message: "no credits" } }, false, false],
    // The client says that it is not to be tried again, of what passes.
    [500, { type: "error", error: { type: "api_error" } }, false, true],
    [529, { type: "error", error: { type: "overloaded_error" } }, true, true],
    [425, { error: { message: "too early" } }, false, true],
    [501, { error: { type: "not_implemented" } }, false, false],
    [400, { error: { type: "rate_limit_error" } }, false, false],
    // Status 200, and an error in the body.
    [200, { error: { code: 502, message: "bad gateway" } }, false, true],
    [200, { error: { code: 429, message: "slow down" } }, false, true],
    [200, { error: { code: 403, message: "moderated" } }, false, false],
    [200, { error: { code: "server_error" } }, false, true],
    [200, { error: { code: "invalid_prompt" } }, false, false],
    [200, { id: null, choices: null }, false, true],
    [200, "<html>", false, true],
    // Bedrock's names.
    [undefined, { type: "throttlingException" }, undefined, true],
    [undefined, { type: "modelStreamErrorException" }, undefined, true],
    [undefined, { type: "validationException" }, undefined, false],
    [undefined, { error: { code: 503 } }, undefined, true],
    [undefined, { error: { code: 403 } }, undefined, false],
  ])("%s %j (client: %s): %s", (status, body, isRetryable, transient) => {
    expect(failed(status, body, isRetryable)).toBe(transient);
  });

  it.each([
    ["Rate limit reached. Please try again in 1.898s. Visit us.", 1_898],
    ["Please try again in 20ms.", 20],
    ["Try again in 2m", 120_000],
    ["Try again in a while", undefined],
    ["try again in 3 seasons", undefined],
  ])("how long to wait stands in its words too: %s", (message, ms) => {
    expect(told({ status: 429, message }).retryAfterMs).toBe(ms);
    const responseHeaders = { "retry-after-ms": "7" };
    expect(told({ status: 429, message, responseHeaders }).retryAfterMs).toBe(7);
  });

  it("a request that is too long has a code of its own, and is not tried again", () => {
    const error = told({ status: 400, message: "prompt is too long: 9 tokens > 8 maximum" });
    expect(error).toMatchObject({ code: "llm.tooLong", status: 400, transient: false });
  });
});

describe("the message", () => {
  it.each<[unknown, string]>([
    [new Error("of an error"), "of an error"],
    [{ message: "of an object", error: { message: "inner" } }, "of an object"],
    [{ message: "", error: { message: "inner" } }, "inner"],
    [{ message: 5, error: null }, "The model call failed."],
    ["a text", "a text"],
    ["", "The model call failed."],
    [undefined, "The model call failed."],
    [null, "The model call failed."],
  ])("of %j", (thrown, message) => {
    expect(told(thrown)).toMatchObject({ code: "llm.failed", message });
  });

  it("stands beside what is known, and beside nothing that is not", () => {
    expect(told(new Error("x"))).toStrictEqual({
      code: "llm.failed",
      message: "x",
      transient: false,
    });
  });
});

it("an error of the language is told by its name, but for one of the network", () => {
  const broken = new TypeError("x is not a function");
  expect(told(broken)).toMatchObject({
    message: "TypeError: x is not a function",
    transient: false,
  });
  expect(told(new TypeError("fetch failed")).message).toBe("fetch failed");
});

describe("a network error", () => {
  it("is known by its code or its words, as far in as five causes", () => {
    for (const inner of [coded("ECONNRESET"), new TypeError("terminated")]) {
      expect(told(inside(4, inner)).transient).toBe(true);
      expect(told(inside(5, inner)).transient).toBe(false);
    }
  });

  it("is not what has another code, another class, or no error as its cause", () => {
    for (const thrown of [coded("ERR_ASSERTION"), coded(104), new Error("terminated")])
      expect(told(thrown).transient).toBe(false);
    for (const cause of ["ECONNRESET", null, { code: "ECONNRESET" }]) {
      expect(told(new Error("read failed", { cause }))).toMatchObject({
        message: "read failed",
        transient: false,
      });
    }
  });

  it("may go round in a circle", () => {
    const circle = new Error("around");
    circle.cause = new Error("and back", { cause: circle });
    expect(told(circle)).toMatchObject({ message: "around", transient: false });
  });
});

describe("the provider's words", () => {
  it("are the body, as JSON or as text, else what the SDK made of it, else what was thrown", () => {
    expect(told({ responseBody: '{"a":1}', data: { b: 2 } }).detail).toEqual({ a: 1 });
    expect(told({ responseBody: "no JSON", data: { b: 2 } }).detail).toBe("no JSON");
    expect(told({ responseBody: "", data: { b: 2 } }).detail).toEqual({ b: 2 });
    expect(told({ message: "m" }).detail).toEqual({ message: "m" });
    expect(told(Object.assign(new Error("x"), { data: { b: 2 } })).detail).toEqual({ b: 2 });
  });

  it("are kept whole up to a bound, and beyond it as text", () => {
    const long = (length: number) => ({ a: "x".repeat(length - '{"a":""}'.length) });
    expect(told({ data: long(16_384) }).detail).toEqual(long(16_384));
    const cut = told({ data: long(16_385) }).detail;
    expect(cut).toBe(JSON.stringify(long(16_385)).slice(0, 16_384));
    expect(told({ data: "x".repeat(16_385) }).detail).toBe("x".repeat(16_384));
  });
});

describe("the cause", () => {
  const causeOf = (thrown: unknown, options?: Failing["options"]) =>
    toModelError(thrown, failing(options)).cause as Error;

  it("is an error of the same name, with text and stack masked, its causes likewise", () => {
    const inner = new RangeError(`inner ${key}`);
    const cause = causeOf(new TypeError(`outer ${key}`, { cause: inner }));
    expect([cause.name, cause.message]).toEqual(["TypeError", "outer [masked]"]);
    expect(cause.stack).toMatch(/^TypeError: outer \[masked\]\n.*model-error\.test/s);
    expect(cause.cause).toMatchObject({ name: "RangeError", message: "inner [masked]" });
    expect(cause.cause).not.toHaveProperty("cause");
  });

  it("of what is no error is one with its text, and its stack may be anything", () => {
    expect(causeOf("a text")).toMatchObject({ name: "Error", message: "a text" });
    expect(causeOf({ name: "Strange", message: "m" }).name).toBe("Error");
    const odd = Object.assign(new Error("odd"), { stack: 5 });
    expect(causeOf(odd)).toMatchObject({ message: "odd", stack: expect.any(String) });
  });

  it("is followed as far as five causes", () => {
    const depthOf = (thrown: unknown): number =>
      thrown instanceof Error ? 1 + depthOf(thrown.cause) : 0;
    expect(depthOf(causeOf(inside(3, new Error("in"))))).toBe(4);
    expect(depthOf(causeOf(inside(9, new Error("in"))))).toBe(6);
  });

  it("is what was thrown where nothing is to be masked, and none where that was nothing", () => {
    const thrown = new Error(key);
    expect(causeOf(thrown, { maskCredentials: false })).toBe(thrown);
    expect(toModelError(undefined, failing({ maskCredentials: false }))).not.toHaveProperty(
      "cause",
    );
  });
});

describe("how long to wait", () => {
  it.each<[object, number | undefined]>([
    [{ "retry-after-ms": "0", "retry-after": "5" }, 0],
    [{ "retry-after-ms": "  ", "retry-after": "1" }, 1000],
    [{ "retry-after": " 2 " }, 2000],
    [{ "retry-after-ms": 5, "retry-after": "1" }, 1000],
    [{ "RETRY-AFTER-MS": "1.2" }, 2],
    [{ "retry-after-ms": "Infinity" }, undefined],
    [{ "retry-after-ms": "1e999", "retry-after": "3" }, 3000],
    [{ "retry-after": "Infinity" }, undefined],
    [{ "retry-after": "1e308" }, undefined],
  ])("of %j is a number of milliseconds, or not said", (headers, ms) => {
    expect(retryAfter(headers as { readonly [name: string]: unknown })).toBe(ms);
  });
});

describe("a refused tool call", () => {
  it.each<[Parameters<typeof isRejectedCall>[0], boolean]>([
    [{ message: "no", detail: { code: "tool_use_failed" } }, true],
    [{ message: "no", status: 400, detail: "failed_generation" }, true],
    [{ message: "Tool call validation failed: x" }, true],
    [
      { message: "no", status: 424, detail: { m: "The model produced an invalid tool call" } },
      true,
    ],
    [{ message: "Failed to call a function", status: 401 }, false],
    [{ message: "tool_use_failed" }, false],
    [{ message: "no" }, false],
    [{ message: "no", detail: { code: "other" } }, false],
  ])("%j: %s", (error, rejected) => {
    expect(isRejectedCall({ transient: false, ...error })).toBe(rejected);
  });

  it("may be known by a rule of the user's, and is not tried again as it was", () => {
    const options: Failing["options"] = { isRejectedCall: ({ status }) => status === 503 };
    expect(told({ status: 503, message: "m" }, options)).toMatchObject({
      code: "llm.rejectedCall",
      transient: false,
    });
    expect(told({ status: 500, message: "m" }, options)).toMatchObject({
      code: "llm.failed",
      transient: true,
    });
  });
});
