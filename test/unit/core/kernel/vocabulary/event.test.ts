// Cancelling, and what cannot enter a run at all.
import { describe, expect, it } from "vitest";
import { assign } from "../../../../../src/core/kernel/machine/index.js";
import {
  isSettlement,
  parseEvent,
  type RunEvent,
} from "../../../../../src/core/kernel/vocabulary/index.js";
import { byHand } from "../../../../support/by-hand.js";
import { issue, smallReasoner, timer } from "../../../../support/small-machine.js";
import { refusal } from "../../../../support/thrown.js";

const counting = assign<never, never, never, never, never>((({ context }: never) => ({
  n: ((context as { n?: number }).n ?? 0) + 1,
})) as never);

/** Two timers; the first to fire leads to `one`, a `go` leads to the end. */
const timers = smallReasoner({
  initial: "waiting",
  entry: issue(timer("t/0"), timer("t/1")),
  states: {
    waiting: { on: { "timer.fired": "one", go: "over" } },
    one: { on: { go: "over", note: { actions: issue({ type: "notify", topic: "noted" }) } } },
    over: { type: "final" },
  },
});

describe("cancel", () => {
  it("that no transition handles ends the run where it stands, and cancels what is owed", () => {
    const run = byHand(timers, null);
    run.take({ type: "cancel", reason: "enough" });
    expect(run.state).toMatchObject({ status: "cancelled", value: "waiting", seq: 1 });
    expect(run.directives.map((each) => each.type)).toEqual(["cancel", "cancel"]);
    expect(run.step.ignored).toBeUndefined();
  });

  it("that the machine handles is the machine's affair", () => {
    const run = byHand(smallReasoner({ on: { cancel: { actions: counting } } }), null);
    run.take({ type: "cancel" });
    expect([run.state.status, run.context.n]).toEqual(["active", 1]);
  });

  it("of one effect takes its id out of outstanding; what still comes is stale", () => {
    const reasoner = smallReasoner({
      entry: issue(timer("t/0"), timer("t/1")),
      on: { stop: { actions: issue({ type: "cancel", target: "t/0" }) } },
    });
    const run = byHand(reasoner, null);
    run.take({ type: "stop" });
    expect(run.owed).toEqual(["t/1"]);
    expect(run.take({ type: "timer.fired", id: "t/0" }).ignored?.reason).toBe("stale");
  });
});

describe("events that cannot enter a run are refused", () => {
  const events: readonly (readonly [string, object, string])[] = [
    ["without a type", { at: 0 }, "has no type"],
    ["without a time", { type: "go" }, "go.at must be a time"],
    ["with a time that is text", { type: "go", at: "0" }, "go.at must be a time"],
    ["of XState's own", { type: "xstate.stop", at: 0 }, "XState's own"],
    ["of XState's init", { type: "xstate.init", at: 0 }, "XState's own"],
    [
      "a message that is a number",
      { type: "message", at: 0, content: 5 },
      "content must be a string or a list of parts; it is 5",
    ],
    [
      "a message with a part that is none",
      { type: "message", at: 0, content: [{ type: "text" }] },
      "content[0].text is missing; it must be a string",
    ],
    [
      "a message with a part of no kind",
      { type: "message", at: 0, content: [{ type: "zzz" }] },
      'content[0].type must be "text", "image" or "file"; it is "zzz"',
    ],
    [
      "a message with an image that is none",
      { type: "message", at: 0, content: [{ type: "image" }] },
      "content[0].image is missing",
    ],
    ["a message that says nothing", { type: "message", at: 0 }, "content is missing"],
    [
      "a message that calls a tool",
      {
        type: "message",
        at: 0,
        content: [
          { type: "text", text: "" },
          { type: "tool-call", toolCallId: "a", toolName: "b", input: {} },
        ],
      },
      'content[1].type must be "text", "image" or "file"; it is "tool-call"',
    ],
    [
      "a decision without a boolean",
      { type: "approval.decided", id: "a", at: 0, approve: "yes" },
      "approve must be true or false; it is a string",
    ],
    [
      "a decision that decides nothing",
      { type: "approval.decided", id: "a", at: 0 },
      "approve is missing",
    ],
    [
      "a decision for no text",
      { type: "approval.decided", id: "a", at: 0, approve: false, reason: {} },
      "reason must be a string",
    ],
    ["a cancel for no text", { type: "cancel", at: 0, reason: 5 }, "reason must be a string"],
    ["settling nothing", { type: "llm.failed", at: 0, error: {} }, "needs the directive's id"],
    [
      "settling a number",
      { type: "tool.succeeded", id: 3, at: 0, output: 1 },
      "needs the directive's id",
    ],
  ];
  for (const [name, event, words] of events) {
    it(name, () => {
      const error = refusal(() => parseEvent(event as RunEvent));
      expect(error.code).toBe("event.invalid");
      expect(error.message).toContain(words);
    });
  }

  it("a start without a time too", () => {
    expect(refusal(() => timers.start(null, { runId: "r" } as never)).code).toBe("event.invalid");
  });

  it("a state of another reasoner, of another version, or of no machine", () => {
    const { state } = timers.start(null, { at: 0, runId: "r" });
    const changes = [
      { reasoner: "other" },
      { version: 2 },
      { value: "nowhere" },
      { value: { a: "b" } },
    ];
    for (const change of changes) {
      const step = () => timers.step({ ...state, ...change } as never, { type: "go", at: 1 });
      expect(refusal(step).code).toBe("state.mismatch");
    }
  });
});

it.each([
  ["tool.failed", true],
  ["timer.fired", true],
  ["start", false],
  ["constructor", false],
])("an event of type %s answers a directive: %j", (type, answers) => {
  expect(isSettlement({ type })).toBe(answers);
});
