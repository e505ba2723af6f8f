// What settles a directive has the shape that machines and journals go by, whoever says it: else what
// was sent by hand, or stands in a journal, would break whoever reads it.
import { describe, expect, it } from "vitest";
import { parseEvent } from "../../../../../src/core/kernel/vocabulary/parse-event.js";
import { refusal } from "../../../../support/thrown.js";

const error = { code: "x", message: "no" };
const text = { type: "text", text: "x" };

const wrong: readonly (readonly [string, object])[] = [
  ["an answer without parts", { type: "llm.succeeded" }],
  ["whose parts are a number", { type: "llm.succeeded", content: 5 }],
  ["whose parts are a text", { type: "llm.succeeded", content: "x" }],
  ["with a part that is null", { type: "llm.succeeded", content: [null] }],
  ["with a part of no type", { type: "llm.succeeded", content: [{ type: 7 }] }],
  ["with a text that is none", { type: "llm.succeeded", content: [{ type: "text", text: 1 }] }],
  ["with a call of nothing", { type: "llm.succeeded", content: [{ type: "tool-call" }] }],
  ["whose usage is null", { type: "llm.succeeded", content: [text], usage: null }],
  ["whose usage is a text", { type: "llm.succeeded", content: [text], usage: "x" }],
  ["a failed call without an error", { type: "llm.failed" }],
  ["whose error is a number", { type: "llm.failed", error: 5 }],
  ["whose error says nothing", { type: "tool.failed", error: { code: 5, message: 7 } }],
  ["a result that is not there", { type: "tool.succeeded", output: undefined }],
  ["a run that is done without an output", { type: "run.succeeded", runId: "r" }],
  ["an answer of a store that is not there", { type: "read.succeeded" }],
  ["a failed run without an error", { type: "run.failed", usage: {} }],
  ["whose usage is a list", { type: "run.succeeded", output: 1, usage: [1] }],
  ["a read that failed", { type: "read.failed", error: null }],
  ["a write that failed", { type: "write.failed", error: "x" }],
  ["a result in parts that are none", { type: "tool.succeeded", output: 1, content: [null] }],
  ["a failure in parts that are none", { type: "tool.failed", error, content: 7 }],
  ["an update that is none", { type: "tool.succeeded", output: 1, update: 5 }],
  ["an origin that is a word", { type: "tool.succeeded", output: 1, origin: "me" }],
  ["an origin without a name", { type: "tool.succeeded", output: 1, origin: { role: "x" } }],
  ["an operation that is none", { type: "tool.succeeded", output: 1, update: [{ op: "zap" }] }],
];

describe("a settlement", () => {
  it.each(wrong)("%s", (_name, settlement) => {
    const event = { ...settlement, id: "llm/0", at: 0 } as never;
    expect(refusal(() => parseEvent(event)).code).toBe("event.invalid");
  });

  it("is taken as it is where its shape is right", () => {
    for (const right of [
      { type: "llm.succeeded", content: [] },
      {
        type: "llm.succeeded",
        content: [text, { type: "tool-call", toolCallId: "1", toolName: "t" }],
      },
      { type: "llm.succeeded", content: [{ type: "a provider's own" }], usage: {} },
      { type: "llm.failed", error },
      { type: "tool.succeeded", output: null },
      {
        type: "tool.succeeded",
        output: null,
        content: [text],
        update: [{ op: "delete", key: "a" }],
      },
      { type: "tool.failed", error, content: [text] },
      { type: "run.failed", error, usage: { requests: 1 } },
      { type: "timer.fired" },
    ])
      expect(parseEvent({ ...right, id: "x", at: 0 } as never)).toMatchObject(right);
  });
});
