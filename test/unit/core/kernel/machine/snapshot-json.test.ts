// What a snapshot of XState's says, as JSON: values, and whether they can be at all.
import { describe, expect, it } from "vitest";
import { type AnyStateNode, createMachine } from "xstate";
import { canBe, inOrder, recalled } from "../../../../../src/core/kernel/machine/snapshot-json.js";

const { root } = createMachine({
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
}) as unknown as { readonly root: AnyStateNode };

describe("the order of a value's regions", () => {
  it.each([
    ["a", "a"],
    [{ b: { e: {}, d: "x", c: "x" } }, { b: { c: "x", d: "x", e: {} } }],
    [{ b: { d: "x", c: { y: "z" } } }, { b: { c: { y: "z" }, d: "x" } }],
    [{}, {}],
    // What is no value of this machine is left to whoever resolves it.
    [
      { e: 1, b: "x" },
      { e: 1, b: "x" },
    ],
    [null, null],
    [5, 5],
  ])("%o is %o", (value, expected) => {
    expect(JSON.stringify(inOrder(root, value))).toBe(JSON.stringify(expected));
  });
});

describe("a value can be", () => {
  it.each([
    ["a"],
    [{ a: {} }],
    [{ b: { c: "x", d: "x", e: {} } }],
    [{ b: { c: { x: {} }, d: "x", e: undefined } }],
    [{ b: { c: { y: "z" }, d: { x: {} }, e: {} } }],
  ])("%o", (value) => expect(canBe(root, value)).toBe(true));

  it.each([
    ["no state at all", {}],
    ["nothing", undefined],
    ["two at once", { a: {}, b: { c: "x", d: "x", e: {} } }],
    ["a region missing", { b: { c: "x", d: "x" } }],
    ["what remembers among the regions", { b: { c: "x", d: "x", e: {}, past: {} } }],
    ["a state with states in it alone", { b: { c: "y", d: "x", e: {} } }],
    ["regions alone", "b"],
    ["more below what has nothing below it", { a: "x" }],
    ["two at once in a region", { b: { c: { x: {}, y: "z" }, d: "x", e: {} } }],
  ])("and not with %s", (_name, value) => {
    expect(canBe(root, value)).toBe(false);
  });
});

it("what a history names is looked up, and said where it is not there", () => {
  const b = root.states.b as AnyStateNode;
  const byId = new Map([["m.b", b]]);
  expect(recalled({ "m.b": ["m.b"] }, byId)).toEqual({ "m.b": [b] });
  expect(() => recalled({ "m.b": ["m.gone"] }, byId)).toThrow("names a state m.gone");
});
