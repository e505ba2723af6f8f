// Mending a transcript that was cut off: every call gets the result it lacks.
import { describe, expect, it } from "vitest";
import { patchDanglingToolCalls } from "../../../../src/core/agent/index.js";
import { agent, type Message, toArray } from "../../../../src/index.js";
import { transcriptFault, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const asks = (...ids: string[]): Message => ({
  role: "assistant",
  content: ids.map((id) => wish("t", {}, id)),
});
const tells = (...ids: string[]): Message => ({
  role: "tool",
  content: ids.map((toolCallId) => ({
    type: "tool-result",
    toolCallId,
    toolName: "t",
    output: { type: "text", value: "ok" },
  })),
});
const user: Message = { role: "user", content: "hi" };
const idsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    message.role === "tool" ? message.content.map(({ toolCallId }) => toolCallId) : [],
  );

describe("a transcript without a gap is left as it is", () => {
  const whole: readonly (readonly [string, readonly Message[]])[] = [
    ["an empty one", []],
    ["one without calls", [user, { role: "assistant", content: "hello" }]],
    ["one whose calls are answered", [user, asks("a", "b"), tells("a"), tells("b"), user]],
    ["one with an id that is used again", [asks("a"), tells("a"), asks("a"), tells("a")]],
    [
      "one whose call the provider carried out",
      [{ role: "assistant", content: [{ ...wish("t"), providerExecuted: true }] }],
    ],
  ];
  for (const [name, messages] of whole) {
    it(name, () => expect(patchDanglingToolCalls(messages)).toBe(messages));
  }
});

describe("a transcript with gaps", () => {
  it("one call gets one result with its id, its name and the text", () => {
    expect(patchDanglingToolCalls([user, asks("a")]).slice(2)).toEqual([
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "a",
            toolName: "t",
            output: {
              type: "error-text",
              value: "Tool call was interrupted and not executed. Please retry if needed.",
            },
          },
        ],
      },
    ]);
  });

  it("three calls get three, in call order, right behind their message", () => {
    const patched = patchDanglingToolCalls([asks("a", "b", "c"), user]);
    expect(idsOf(patched)).toEqual(["a", "b", "c"]);
    expect(patched.map(({ role }) => role)).toEqual(["assistant", "tool", "tool", "tool", "user"]);
  });

  it("what is answered keeps its answer", () => {
    const patched = patchDanglingToolCalls([asks("a", "b", "c"), tells("a"), user]);
    expect(idsOf(patched)).toEqual(["a", "b", "c"]);
    expect(transcriptFault(patched)).toBeUndefined();
  });

  it("an id that was answered before and is used again is a gap of its own", () => {
    const patched = patchDanglingToolCalls([asks("a"), tells("a"), user, asks("a"), user]);
    expect(transcriptFault(patched)).toBeUndefined();
  });

  it("two calls of one id with one result are one gap", () => {
    expect(idsOf(patchDanglingToolCalls([asks("a", "a"), tells("a")]))).toEqual(["a", "a_2"]);
  });

  it("mending twice is mending once", () => {
    const once = patchDanglingToolCalls([asks("a", "b"), tells("b"), user, asks("a")]);
    expect(patchDanglingToolCalls(once)).toBe(once);
  });

  it("an agent mends the transcript it starts from", () => {
    const run = byHand(agent({ name: "a" }), { messages: [user, asks("a")], prompt: "go on" });
    const messages = toArray(run.context.messages);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(transcriptFault(messages)).toBeUndefined();
  });
});
