// What somebody says an answer is to be, by the type of what it answers.
import { describe, expect, it } from "vitest";
import { setAnswer } from "../../../../src/time-travel/live/set-answer.js";
import { refusal } from "../../../support/thrown.js";

const of = (type: string, value: unknown, recorded?: object) =>
  setAnswer({ id: "x", type, name: "n" }, value as never, 7, recorded as never);
const text = (words: string) => ({ type: "text", text: words });
const call = { type: "tool-call", toolCallId: "c", toolName: "t", input: {} };
const free = { requests: 0 };

describe("an answer that is set", () => {
  it.each<[string, unknown, object]>([
    ["tool", { a: 1 }, { type: "tool.succeeded", output: { a: 1 } }],
    ["tool", null, { type: "tool.succeeded", output: null }],
    [
      "tool",
      { error: "no" },
      { type: "tool.failed", reason: "error", error: { code: "error", message: "no" } },
    ],
    [
      "tool",
      { error: { code: "c", message: "no", more: 1 } },
      { type: "tool.failed", reason: "error", error: { code: "c", message: "no", more: 1 } },
    ],
    [
      "tool",
      { error: { code: 5, message: "no" } },
      { type: "tool.failed", reason: "error", error: { code: "5", message: "no" } },
    ],
    // What only looks like a failure is an output.
    ["tool", { error: 5 }, { type: "tool.succeeded", output: { error: 5 } }],
    [
      "tool",
      { error: { code: "c" } },
      { type: "tool.succeeded", output: { error: { code: "c" } } },
    ],
    ["tool", { error: "no", a: 1 }, { type: "tool.succeeded", output: { error: "no", a: 1 } }],
    ["read", [1], { type: "read.succeeded", value: [1] }],
    ["read", { error: "no" }, { type: "read.failed", error: { code: "error", message: "no" } }],
    ["write", "v", { type: "write.succeeded", value: "v" }],
    ["write", { error: "no" }, { type: "write.failed", error: { code: "error", message: "no" } }],
    ["run", "out", { type: "run.succeeded", runId: "", output: "out" }],
    ["run", { error: "no" }, { type: "run.failed", error: { code: "error", message: "no" } }],
    ["timer", null, { type: "timer.fired" }],
    ["approval", true, { type: "approval.decided", approve: true }],
    ["approval", false, { type: "approval.decided", approve: false }],
    [
      "approval",
      { approve: true, value: { seat: 4 } },
      { type: "approval.decided", approve: true, value: { seat: 4 } },
    ],
    [
      "approval",
      { approve: false, reason: "r", by: "b", input: { a: 1 } },
      { type: "approval.decided", approve: false, reason: "r", by: "b", input: { a: 1 } },
    ],
    [
      "llm",
      "said",
      { type: "llm.succeeded", content: [text("said")], finishReason: "stop", usage: free },
    ],
    [
      "llm",
      [text("a"), call],
      {
        type: "llm.succeeded",
        content: [text("a"), call],
        finishReason: "tool-calls",
        usage: free,
      },
    ],
    [
      "llm",
      { content: [text("a")], finishReason: "length", usage: { requests: 9 } },
      { type: "llm.succeeded", content: [text("a")], finishReason: "length", usage: free },
    ],
    ["llm", { error: "no" }, { type: "llm.failed", error: { code: "error", message: "no" } }],
  ])("of a %s: %j", (type, value, expected) => {
    expect(of(type, value)).toMatchObject({ id: "x", at: 7, ...expected });
    const { id: _id, at: _at, ...rest } = of(type, value) as never as Record<string, unknown>;
    expect(JSON.parse(JSON.stringify(rest))).toMatchObject(expected);
    expect(Object.keys(rest).sort()).toEqual(expect.arrayContaining(Object.keys(expected).sort()));
  });

  it("has the time, the run and the cost of the one that it stands in for", () => {
    expect(of("tool", 1, { at: 3 })).toMatchObject({ at: 3 });
    expect(of("run", 1, { at: 3, runId: "r:x" })).toMatchObject({ at: 3, runId: "r:x" });
    expect(of("llm", "a", { at: 3, usage: { requests: 2 } })).toMatchObject({
      usage: { requests: 2 },
    });
    expect(of("llm", "a", { at: 3 })).toMatchObject({ usage: {} });
  });

  it.each<[string, unknown, string]>([
    ["approval", "yes", "it is an approval; say true, false or { approve: … }"],
    ["approval", { approve: "yes" }, "it is an approval; say true, false or { approve: … }"],
    ["approval", null, "is an approval"],
    ["approval", { approve: true, inputs: {} }, "inputs is not a part of it; approve, input,"],
    ["llm", 5, ""],
    ["llm", [5], ""],
    ["custom", 1, ""],
  ])("of a %s that is %j is refused, with its id", (type, value, why) => {
    const error = refusal(() => of(type, value));
    expect(error).toMatchObject({ code: "fork.answer", place: "x" });
    expect(error.message).toMatch(/^What x is set to cannot be taken: .*[^.]\.$/);
    expect(error.message).toContain(why);
  });

  it("that makes no settlement says of what it was to be one", () => {
    const named = refusal(() => of("approval", { approve: true, reason: 5 }));
    expect(named.message).toContain("(approval n)");
    const bare = refusal(() =>
      setAnswer(
        { id: "x", type: "approval", name: undefined },
        { approve: true, reason: 5 },
        7,
        undefined,
      ),
    );
    expect(bare.message).toContain("(approval) ");
  });
});
