// History states: what they remember is in the state, as ids, and survives JSON.
import { describe, expect, it } from "vitest";
import { byHand, throughJson } from "../../../../support/by-hand.js";
import { issue, smallReasoner } from "../../../../support/small-machine.js";
import { refusal } from "../../../../support/thrown.js";

const config = (kind: "shallow" | "deep") => ({
  initial: "work",
  states: {
    work: {
      initial: "first",
      states: {
        first: { on: { next: "second" } },
        second: { initial: "x", states: { x: { on: { next: "y" } }, y: {} } },
        past: { type: "history", history: kind, target: "first" },
      },
      on: { pause: "paused" },
    },
    paused: { on: { resume: "work.past" } },
  },
});

describe("a history state", () => {
  for (const [kind, value, history] of [
    ["shallow", { work: { second: "x" } }, ["(machine).work.second"]],
    ["deep", { work: { second: "y" } }, ["(machine).work.second.y"]],
  ] as const) {
    it(`remembers, ${kind}, between any two steps through JSON`, () => {
      const run = byHand(smallReasoner(config(kind)), null);
      expect(run.state.history).toBeUndefined();
      for (const type of ["next", "next", "pause"]) run.take({ type });
      expect(run.state.history).toEqual({ "(machine).work.past": history });
      run.take({ type: "resume" });
      expect(run.state.value).toEqual(value);
    });
  }

  it("remembers regions in the machine's order, whichever moved last", () => {
    const a = { initial: "x", states: { x: { on: { first: "y" } }, y: {} } };
    const reasoner = smallReasoner({
      initial: "work",
      states: {
        work: {
          type: "parallel",
          states: {
            a,
            b: { initial: "z", states: { z: {} } },
            past: { type: "history", history: "deep" },
          },
          on: { pause: "paused" },
        },
        paused: {},
      },
    });
    expect(reasoner.compiled).toBe(true);
    // Live, without a way through JSON, which has the regions in order.
    let { state } = reasoner.start(null, { at: 0, runId: "r" });
    for (const type of ["first", "pause"]) ({ state } = reasoner.step(state, { type, at: 1 }));
    expect(state.history).toEqual({
      "(machine).work.past": ["(machine).work.a.y", "(machine).work.b.z"],
    });
  });

  it("leads to its target where it remembers nothing yet", () => {
    const reasoner = smallReasoner({ ...config("deep"), initial: "paused" });
    const run = byHand(reasoner, null);
    run.take({ type: "resume" });
    expect(run.state.value).toEqual({ work: "first" });
  });

  it("is frozen in the state, kept by a fault, and absent where there is none", () => {
    const reasoner = smallReasoner({
      ...config("deep"),
      on: { bad: { actions: issue({ type: "shell" }) } },
    });
    const run = byHand(reasoner, null);
    run.take({ type: "pause" });
    const { history } = run.step.state;
    expect(Object.isFrozen(history) && Object.isFrozen(Object.values(history ?? {})[0])).toBe(true);
    run.take({ type: "bad" });
    expect([run.state.status, run.state.history]).toEqual(["failed", history]);
  });

  it("a state that remembers what is not there is refused", () => {
    const reasoner = smallReasoner(config("deep"));
    const { state } = reasoner.start(null, { at: 0, runId: "r" });
    for (const history of [{ "(machine).work.past": ["nowhere"] }, { nowhere: [] }]) {
      const forged = throughJson({ ...state, history });
      const step = () => reasoner.step(forged, { type: "pause", at: 1 });
      expect(refusal(step).code).toBe("state.mismatch");
    }
  });

  it("that leads back into the state that it lies in ends the run, where XState loses its way", () => {
    const reasoner = smallReasoner({
      id: "m",
      initial: "a",
      states: {
        a: {},
        b: {
          type: "parallel",
          states: {
            c: { initial: "d", states: { d: {} }, on: { go: "#past" } },
            past: { type: "history", id: "past" },
          },
        },
      },
      on: { b: ".b" },
    });
    const run = byHand(reasoner, null);
    run.take({ type: "b" });
    run.take({ type: "go" });
    expect(run.state.fault?.code).toBe("machine.invalid");
  });
});
