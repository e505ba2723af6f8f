// A transcript is valid where each call has its one result in its place; each other case is named.
import { expect, it } from "vitest";
import type { Message } from "../../../src/core/kernel/vocabulary/index.js";
import { transcriptFault } from "../../../src/testing/index.js";

const user: Message = { role: "user", content: "go" };
const calls = (...ids: string[]): Message => ({
  role: "assistant",
  content: ids.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "t", input: {} })),
});
const results = (...ids: string[]): Message => ({
  role: "tool",
  content: ids.map((toolCallId) => ({
    type: "tool-result",
    toolCallId,
    toolName: "t",
    output: { type: "text", value: "" },
  })),
});

it.each<[string, Message[], string | undefined]>([
  ["nothing was called", [user], undefined],
  ["results in call order, in one message", [calls("a", "b"), results("a", "b"), user], undefined],
  ["results in call order, in two", [calls("a", "b"), results("a"), results("b")], undefined],
  ["ids that come again", [calls("a"), results("a"), calls("a"), results("a")], undefined],
  ["results in another order", [calls("a", "b"), results("b", "a")], "where that of a is due"],
  ["a result is missing", [calls("a", "b"), results("a")], "ends before the result of b"],
  ["a message comes between", [calls("a"), user, results("a")], "comes before the result of a"],
  ["a result comes twice", [calls("a"), results("a", "a")], "not due"],
  ["a result of no call", [user, results("a")], "not due"],
])("%s", (_name, messages, fault) => {
  if (fault === undefined) expect(transcriptFault(messages)).toBeUndefined();
  else expect(transcriptFault(messages)).toContain(fault);
});

it("what the provider carried out itself needs no result of ours", () => {
  const call = { type: "tool-call", toolCallId: "p", toolName: "t", input: {} } as const;
  const messages: Message[] = [
    { role: "assistant", content: [{ ...call, providerExecuted: true }] },
  ];
  expect(transcriptFault(messages)).toBeUndefined();
});
