// The words of providers for a request that is too long, as they are known; the numbers are ours.
import { describe, expect, it } from "vitest";
import { isTooLong } from "../../../../src/adapters/ai-sdk/too-long.js";

describe("a request is too long for a model that says", () => {
  it.each([
    "prompt is too long: 201325 tokens > 200000 maximum",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "The input token count (1200345) exceeds the maximum number of tokens allowed (1048576).",
    "Input is too long for requested model.",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
    "too many total text bytes: 31000000 > 25000000",
    "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
    "Please reduce the length of the messages or completion.",
    "This endpoint's maximum context length is 32768 tokens. However, you requested 40000.",
    "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
    "prompt token count of 140000 exceeds the limit of 128000",
    "the request exceeds the available context size, try increasing it",
    "tokens to keep from the initial prompt is greater than the context length",
    "Your request exceeded model token limit: 131072",
    "context window exceeds limit",
  ])("%s", (message) => {
    expect(isTooLong({ message, status: 400 })).toBe(true);
    expect(isTooLong({ message: "Bad Request", detail: { error: { message } } })).toBe(true);
    // A limit by the minute is another matter.
    expect(isTooLong({ message, status: 429 })).toBe(false);
  });

  it("so by a code, or by nothing but the status", () => {
    const detail = { error: { code: "context_length_exceeded", message: "m" } };
    expect(isTooLong({ message: "m", status: 400, detail })).toBe(true);
    expect(isTooLong({ message: "Payload Too Large", status: 413 })).toBe(true);
    const bytes = { error: { type: "request_too_large", message: "over 32 MB" } };
    expect(isTooLong({ message: "m", status: 413, detail: bytes })).toBe(false);
  });

  it.each([
    "Too many tokens, please wait before trying again.",
    "The name of the tool is too long.",
    "max_tokens is too large: 100000",
  ])("and not for: %s", (message) => expect(isTooLong({ message, status: 400 })).toBe(false));
});
