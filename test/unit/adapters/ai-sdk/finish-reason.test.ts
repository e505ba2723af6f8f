import { describe, expect, it } from "vitest";
import { finishReasonOf } from "../../../../src/adapters/ai-sdk/finish-reason.js";

describe("why a model stopped", () => {
  it.each<[string, string, string]>([
    // The client's word, the provider's own, and what is made of both.
    ["stop", "stop", "stop"],
    ["other", "eos", "stop"],
    ["other", "tool_use", "tool-calls"],
    ["tool-calls", "STOP", "tool-calls"],
    ["content-filter", "stop", "content-filter"],
    ["length", "max_tokens", "length"],
    ["other", "model_length", "length"],
    ["stop", "model_context_window_exceeded", "length"],
    ["other", "LANGUAGE", "content-filter"],
    ["other", "IMAGE_SAFETY", "content-filter"],
    ["other", "guardrail_intervened", "content-filter"],
    ["other", "sensitive", "content-filter"],
    ["stop", "pause_turn", "paused"],
    ["other", "MALFORMED_FUNCTION_CALL", "error"],
    ["tool-calls", "MALFORMED_FUNCTION_CALL", "error"],
    ["other", "TOO_MANY_TOOL_CALLS", "error"],
    ["other", "UNEXPECTED_TOOL_CALL", "error"],
    ["other", "insufficient_system_resource", "error"],
    ["other", "error", "error"],
    ["other", "a new word", "other"],
    ["stop", "a new word", "stop"],
  ])("is, of %s and %s, %s", (unified, raw, reason) => {
    expect(finishReasonOf({ unified, raw })).toBe(reason);
  });

  it.each([
    ["tool-calls", "tool-calls"],
    ["pause_turn", "paused"],
    ["banana", "unknown"],
    [undefined, "unknown"],
    [{ unified: "length" }, "length"],
    [{ unified: "banana", raw: "x" }, "unknown"],
  ])("is, of the one word %j, %s", (given, reason) => {
    expect(finishReasonOf(given)).toBe(reason);
  });
});
