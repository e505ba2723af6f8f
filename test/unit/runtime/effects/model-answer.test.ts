// What of a model's answer is taken, and what is said of one that is none.
import { describe, expect, it } from "vitest";
import {
  checkAnswer,
  checkDelta,
  Pieces,
  reportedUsage,
} from "../../../../src/runtime/effects/model-answer.js";

const content = [{ type: "text", text: "hi" }];

describe("a model's answer", () => {
  it.each<[string, unknown, RegExp]>([
    ["a text", "hi", /taken: must be an object/],
    ["null", null, /taken: must be an object/],
    ["a list", [content], /taken: must be an object/],
    ["no content", {}, /content is missing; it must be a list/],
    [
      "a part that is none",
      { content: [...content, 5] },
      /content\[1\] must be an object; it is 5/,
    ],
    [
      "a source of nothing",
      { content: [{ type: "source" }] },
      /content\[0\]\.sourceType is missing/,
    ],
    ["a usage that is none", { content, usage: 5 }, /usage must be an object/],
    ["a finish reason that is none", { content, finishReason: 5 }, /finishReason must be a string/],
    ["a model that is none", { content, model: {} }, /model must be a string/],
    ["an id that is none", { content, responseId: null }, /responseId must be a string/],
    ["warnings that are none", { content, warnings: "careful" }, /warnings must be a list/],
    ["a Map", new Map(), /^answer is a Map/],
  ])("that is or has %s is refused, and says why", (_what, answer, message) => {
    expect(() => checkAnswer(answer)).toThrow(message);
  });

  it("is taken with what it says, and without what it does not", () => {
    const whole = {
      content,
      finishReason: "stop",
      usage: { requests: 2 },
      model: "m",
      responseId: "r",
      warnings: ["careful"],
    };
    expect(checkAnswer(whole)).toEqual(whole);
    expect(checkAnswer({ content })).toEqual({ content, finishReason: "unknown", usage: {} });
  });
});

describe("pieces that are cut in a surrogate pair", () => {
  const text = (piece: string, more: object = {}) => ({ type: "text", text: piece, ...more });
  const shown = (...pieces: readonly object[]) => {
    const all = new Pieces();
    return [...pieces.map((each) => all.take(each)), all.end()];
  };

  it("come together with the other half", () => {
    expect(shown(text("a\uD83D"), text("\uDE00b"))).toEqual([[text("a")], [text("😀b")], []]);
    expect(shown(text("\uD83D"), text("\uDE00\uD83D"), text("\uDE01"))).toEqual([
      [],
      [text("😀")],
      [text("😁")],
      [],
    ]);
  });

  it("show the half as what it is where the other one does not come", () => {
    expect(shown(text("a\uD83D"), text("b"))).toEqual([[text("a")], [text("\uFFFDb")], []]);
    expect(shown(text("\uDE00"), text("\uD83D"))).toEqual([[text("\uFFFD")], [], [text("\uFFFD")]]);
    const thought = { type: "reasoning", text: "hm" };
    expect(shown(text("\uD83D"), thought, text("\uDE00"))).toEqual([
      [],
      [text("\uFFFD"), thought],
      [text("\uFFFD")],
      [],
    ]);
  });

  it("are each call's own", () => {
    const input = (id: string, piece: string) => ({
      type: "tool-input",
      text: piece,
      toolCallId: id,
    });
    expect(shown(input("a", "\uD83D"), input("b", "\uDE00"))).toEqual([
      [],
      [input("a", "\uFFFD"), input("b", "\uFFFD")],
      [],
    ]);
  });

  it("are passed on where they are empty, and not where they are none", () => {
    expect(shown(text(""), { type: "other", text: "a" })).toEqual([[text("")], [], []]);
  });
});

describe("a piece of an answer", () => {
  it.each([
    { type: "text", text: "a" },
    { type: "reasoning", text: "" },
    { type: "tool-input", text: "{", toolCallId: "c", toolName: "t" },
  ])("is shown: %j", (delta) => {
    expect(checkDelta(delta)).toStrictEqual(delta);
  });

  it.each([
    [{ text: "a" }],
    [{ type: "other", text: "a" }],
    [{ type: "text" }],
    [{ type: "text", text: 5 }],
    [null],
    [() => 1],
  ])("that is none is not", (delta) => {
    expect(checkDelta(delta)).toBe(undefined);
  });

  it("has no name that is not a string", () => {
    const odd = { type: "tool-input", text: "", toolCallId: 1, toolName: {} };
    expect(checkDelta(odd)).toStrictEqual({ type: "tool-input", text: "" });
  });
});

it("what a refused answer says of its usage is read as far as that can be", () => {
  expect(reportedUsage({ usage: { requests: 1 } })).toEqual({ usage: { requests: 1 } });
  for (const none of [
    undefined,
    null,
    {},
    { usage: 5 },
    { usage: [1] },
    { usage: { f: () => 1 } },
  ]) {
    expect(reportedUsage(none)).toEqual({});
  }
});
