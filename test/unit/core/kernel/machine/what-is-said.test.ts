// What a reasoner says of itself: its configuration, its error, and its chart's events and actions.
import { describe, expect, it } from "vitest";
import { raise } from "../../../../../src/core/kernel/index.js";
import {
  actionTexts,
  eventText,
  transitionTexts,
} from "../../../../../src/core/kernel/machine/chart-text.js";
import { byHand } from "../../../../support/by-hand.js";
import { smallReasoner } from "../../../../support/small-machine.js";
import { refusal } from "../../../../support/thrown.js";

describe("a configuration", () => {
  it("has its parts by their names, one that has none by its own, and nothing where there is none", () => {
    const parts = (configuration?: unknown) =>
      Object.keys(smallReasoner({}, { configuration }).configuration ?? {});
    expect(parts({ prompt: "a", limit: 1 })).toEqual(["prompt", "limit"]);
    expect(parts("a")).toEqual(["configuration"]);
    expect(parts([1])).toEqual(["configuration"]);
    expect(parts(null)).toEqual([]);
    expect(parts()).toEqual([]);
  });
});

describe("the error of a state", () => {
  it("is its fault's, with the place, and none while it is no failure", () => {
    const reasoner = smallReasoner({ on: { go: { actions: raise(() => 5 as never) } } });
    const run = byHand(reasoner, null);
    expect(reasoner.error?.(run.state as never)).toBeUndefined();
    run.take({ type: "go" });
    expect(reasoner.error?.(run.state as never)).toEqual({
      code: "machine.unsupported",
      message: "The machine failed at state {}, event go, raise of what is no event.",
    });
  });

  it("of a state that failed without a fault is what its definition says, if anything", () => {
    const reasoner = smallReasoner({
      initial: "a",
      states: { a: { on: { go: { target: "b" } } }, b: { type: "final", tags: ["failed"] } },
    });
    const run = byHand(reasoner, null);
    run.take({ type: "go" });
    expect(run.state.status).toBe("failed");
    expect(reasoner.error?.(run.state as never)).toBeUndefined();
  });
});

describe("the output of a state", () => {
  it("names the function that it cannot be had from", () => {
    const done = { initial: "a", states: { a: { type: "final" } } };
    const { state } = smallReasoner(done).start(null, { at: 0, runId: "r" });
    const output = () => {
      throw new Error("no");
    };
    expect(refusal(() => smallReasoner(done, { output }).output(state))).toMatchObject({
      code: "hook.failed",
      place: "small.output",
    });
  });
});

describe("a chart's texts", () => {
  it.each([
    ["*", "any event"],
    ["xstate.after.500.small.a", "after 500 ms"],
    ["xstate.after.SOON.small.a", "after SOON"],
    ["xstate.done.state.small.a", "done"],
    ["xstate.done.actor.0.small.a", "done"],
    ["xstate.error.actor.12.small.a", "error"],
    ["xstate.done.actor.worker", "done worker"],
    ["go", "go"],
  ])("%s is %s", (type, text) => expect(eventText(type)).toBe(text));

  it("name an action with what it was given, as far as that is short and no function", () => {
    const texts = (params?: unknown) => actionTexts([{ type: "note", params } as never]);
    expect(texts()).toEqual(["note"]);
    expect(texts({ n: 1 })).toEqual(['note {"n":1}']);
    expect(texts({})).toEqual(["note"]);
    expect(texts(() => ({ n: 1 }))).toEqual(["note"]);
    // Of 40 letters as JSON, and of one more.
    expect(texts({ t: "x".repeat(32) })).toEqual([`note {"t":"${"x".repeat(32)}"}`]);
    expect(texts({ t: "x".repeat(33) })).toEqual(["note"]);
  });

  it("number the conditions that have no name, where there are several", () => {
    const go = (...guards: unknown[]) =>
      transitionTexts(guards.map((guard) => ({ eventType: "go", guard, actions: [] })) as never);
    expect(go("ready", () => true)).toEqual(["go [ready]", "go [condition]"]);
    expect(
      go(
        "ready",
        () => true,
        () => false,
        undefined,
      ),
    ).toEqual(["go [ready]", "go [condition 1]", "go [condition 2]", "go [else]"]);
  });

  it("name what is issued by its types, where these are known", () => {
    const texts = (params?: unknown) => actionTexts([{ type: "issue", params } as never]);
    expect(texts({ type: "llm" })).toEqual(["issue llm"]);
    expect(texts([{ type: "tool" }, { type: "timer" }, { type: "tool" }])).toEqual([
      "issue tool and timer",
    ]);
    for (const params of [{}, [], [null, "llm"], undefined])
      expect(texts(params)).toEqual(["issue"]);
  });
});
