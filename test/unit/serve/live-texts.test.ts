// The pieces of an answer that is under way: texts first, then calls one behind the other; what is in no such order
// comes with the answer.
import { expect, it } from "vitest";
import { LiveTexts } from "../../../src/serve/live-texts.js";
import type { LiveDelta } from "../../../src/serve/page/index.js";

function told(...deltas: readonly (readonly [text: string, call?: string])[]) {
  const heard: LiveDelta[] = [];
  const texts = new LiveTexts(3, (delta) => heard.push(delta));
  const attempt = { run: "", id: "llm/0", attempt: 1 } as never;
  for (const [text, toolCallId] of deltas) {
    const input = { type: "tool-input", text, toolCallId, toolName: "look" } as const;
    texts.piece(attempt, toolCallId === undefined ? { type: "text", text } : (input as never));
  }
  const pieces = heard.map((delta) => ("text" in delta ? delta.text : delta.type));
  texts.tellAll();
  return { pieces, all: heard.slice(pieces.length) };
}

it("tells texts and the inputs of calls, and all of them so far", () => {
  const { pieces, all } = told(["Let me "], ["look."], ['{"a":', "c1"], ["1}", "c1"], ["{}", "c2"]);
  expect(pieces).toEqual(["Let me ", "look.", '{"a":', "1}", "{}"]);
  expect(all).toEqual([
    {
      ...{ type: "so-far", id: "llm/0", key: "3.1", n: 5 },
      texts: [{ kind: "text", text: "Let me look." }],
      calls: [
        { call: "c1", name: "look", text: '{"a":1}' },
        { call: "c2", name: "look", text: "{}" },
      ],
    },
  ]);
});

it.each([
  ["text behind a call", [["{}", "c1"], ["More."], ["{}", "c2"]], ["{}"]],
  [
    "calls in turns",
    [
      ["{", "c1"],
      ["{", "c2"],
      ["}", "c1"],
      ["}", "c2"],
    ],
    ["{", "{"],
  ],
] as const)("leaves %s to the answer", (_what, deltas, expected) => {
  expect(told(...deltas).pieces).toEqual(expected);
});
