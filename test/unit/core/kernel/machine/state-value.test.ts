// The values of a statechart: which states are active by them, and whether they can be at all.
import { describe, expect, it } from "vitest";
import { type AnyStateNode, createMachine } from "xstate";
import { recalled } from "../../../../../src/core/kernel/machine/history-json.js";
import {
  isPossible,
  restoredOrder,
  statesOf,
  valueOfStates,
} from "../../../../../src/core/kernel/machine/state-value.js";

const machine = createMachine({
  id: "m",
  initial: "a",
  states: {
    a: {},
    b: {
      type: "parallel",
      states: {
        c: { initial: "x", states: { x: {}, y: { initial: "z", states: { z: {} } } } },
        d: { initial: "x", states: { x: {} } },
        e: {},
        past: { type: "history" },
      },
    },
  },
});
const root = machine.root as unknown as AnyStateNode;
const nodeOf = (path: readonly string[]): AnyStateNode =>
  path.reduce((node, key) => node.states[key] as AnyStateNode, root);

describe("a value with all that follows from it", () => {
  it.each([
    ["a", "a"],
    [{ a: {} }, "a"],
    [{}, "a"],
    [undefined, "a"],
    [{ b: { e: {}, d: "x", c: "x" } }, { b: { c: "x", d: "x", e: {} } }],
    [{ b: { d: "x", c: { y: "z" } } }, { b: { c: { y: "z" }, d: "x", e: {} } }],
    [{ b: { c: { x: {} }, d: "x", e: undefined } }, { b: { c: "x", d: "x", e: {} } }],
    [{ b: { c: "y" } }, { b: { c: { y: "z" }, d: "x", e: {} } }],
    ["b", { b: { c: "x", d: "x", e: {} } }],
  ])("%o is %o", (value, whole) => {
    const states = statesOf(root, value);
    expect(JSON.stringify(valueOfStates(root, states))).toBe(JSON.stringify(whole));
    expect(isPossible(root, states)).toBe(true);
    // XState has the states in the same order where it restores the value.
    const restored = machine.resolveState({ value: whole as never });
    const nodes = (restored as unknown as { _nodes: readonly AnyStateNode[] })._nodes;
    expect(restoredOrder(root, states).map(({ id }) => id)).toEqual(nodes.map(({ id }) => id));
  });

  it.each([
    ["what is not there", "c"],
    ["two at once", { a: {}, b: { c: "x", d: "x", e: {} } }],
    ["a region that is not there", { b: { f: {} } }],
    ["what remembers among the regions", { b: { c: "x", d: "x", e: {}, past: {} } }],
    ["more below what has nothing below it", { a: "x" }],
    ["two at once in a region", { b: { c: { x: {}, y: "z" }, d: "x", e: {} } }],
    ["a name of every object", "toString"],
  ])("there is none with %s", (_name, value) => {
    expect(() => statesOf(root, value)).toThrow(`No state is ${JSON.stringify(value)}`);
  });
});

describe("states cannot be active together", () => {
  it.each([
    ["without the machine", [["a"]]],
    ["in no state", [[]]],
    ["two of one state", [[], ["a"], ["b"], ["b", "c"], ["b", "c", "x"], ["b", "d"], ["b", "e"]]],
    ["outside of theirs", [[], ["a"], ["b", "e"]]],
    ["without a region", [[], ["b"], ["b", "c"], ["b", "c", "x"], ["b", "e"]]],
    ["with what remembers", [[], ["a"], ["b", "past"]]],
  ])("%s", (_name, paths) => {
    expect(isPossible(root, new Set(paths.map(nodeOf)))).toBe(false);
  });
});

it("what a history names is looked up, and said where it is not there", () => {
  const b = nodeOf(["b"]);
  const byId = new Map([["m.b", b]]);
  expect(recalled({ "m.b": ["m.b"] }, byId)).toEqual({ "m.b": [b] });
  expect(() => recalled({ "m.b": ["m.gone"] }, byId)).toThrow("names a state m.gone");
});
