import { describe, expect, it } from "vitest";
import {
  type AnswerFlaw,
  type AssistantPart,
  answerFlaw,
  type FinishReason,
} from "../../../../../src/core/kernel/vocabulary/index.js";

const text = (said: string): AssistantPart => ({ type: "text", text: said });
const thought: AssistantPart = { type: "reasoning", text: "Hm." };
const call: AssistantPart = { type: "tool-call", toolCallId: "c", toolName: "t", input: {} };
const theirs: AssistantPart = { ...call, toolName: "search", providerExecuted: true };
const found: AssistantPart = {
  type: "tool-result",
  toolCallId: "c",
  toolName: "search",
  output: { type: "text", value: "found" },
};
const picture: AssistantPart = { type: "file", data: "aGk=", mediaType: "image/png" };

describe("an answer", () => {
  it.each<[string, AssistantPart[], FinishReason, AnswerFlaw | null]>([
    ["with a text", [text("Five.")], "stop", null],
    ["with a text, and nobody said why it stopped", [text("Five.")], "unknown", null],
    ["with a text, for an unknown reason", [text("Five.")], "other", null],
    ["with a text, where calls were announced", [text("Five.")], "tool-calls", null],
    ["with a picture", [picture], "stop", null],
    ["with a call", [call], "tool-calls", null],
    ["with a call, and nobody said why it stopped", [call], "unknown", null],
    ["whose provider is not done", [theirs], "paused", null],
    ["without parts", [], "stop", "empty"],
    ["without parts, where calls were announced", [], "tool-calls", "empty"],
    ["of blanks", [text(" \n\t")], "stop", "empty"],
    ["of reasoning alone", [thought], "stop", "empty"],
    ["of thinking in its text", [text("<think>Five?</think>\n")], "stop", "empty"],
    ["of what its provider found alone", [theirs, found], "stop", "empty"],
    ["that was cut off in its text", [text("Fi")], "length", "truncated"],
    ["that was cut off in a call", [call], "length", "truncated"],
    ["that was cut off before it began", [thought], "length", "truncated"],
    ["that was filtered", [text("I will")], "content-filter", "filtered"],
    ["that was filtered at a call", [call], "content-filter", "filtered"],
    ["that was ended with an error", [text("Fi")], "error", "faulty"],
    ["that was ended with an error at a call", [call], "error", "faulty"],
    ["with a call, for an unknown reason", [text("Now:"), call], "other", "faulty"],
  ])("%s", (_what, content, finishReason, flaw) => {
    expect(answerFlaw({ content, finishReason })).toBe(flaw);
  });
});
