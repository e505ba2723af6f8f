// What a reasoner says of itself: its configuration, its error, its output.
import { describe, expect, it } from "vitest";
import { raise } from "../../../../../src/core/kernel/machine/index.js";
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
      message:
        "The machine failed at state {}, event go, raise of something that is not an event: it did what a reasoner's machine cannot.",
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
