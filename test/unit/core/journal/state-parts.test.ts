// The proof of a state covers what only some machines have: their history, and an output of their own.
import { expect, it } from "vitest";
import { noMemory } from "../../../../src/core/journal/memory.js";
import { stateDigest } from "../../../../src/core/journal/state-text.js";
import { smallReasoner } from "../../../support/small-machine.js";

it("a state's digest depends on its history and its output", () => {
  const { state } = smallReasoner({}).start(null, { at: 0, runId: "r" });
  const digests = [
    state,
    { ...state, history: { h: ["a"] } },
    { ...state, history: { h: ["b"] } },
    { ...state, output: { h: ["b"] } },
    { ...state, output: { h: ["a"] } },
    { ...state, history: { h: ["a"] }, output: null },
  ].map((each) => stateDigest(each, noMemory));
  expect(new Set(digests).size).toBe(6);
});
