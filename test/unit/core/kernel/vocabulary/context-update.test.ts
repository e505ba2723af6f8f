// Context updates: how tools change `deps`.
import { describe, expect, it } from "vitest";
import { misfit } from "../../../../../src/core/kernel/shapes.js";
import type { JsonObject } from "../../../../../src/core/kernel/values/index.js";
import {
  applyUpdate,
  type ContextOperation,
  type ContextUpdate,
  contextUpdate,
  isToolReturn,
  UPDATE_OPERATIONS,
  withUpdate,
} from "../../../../../src/core/kernel/vocabulary/index.js";

const apply = (deps: object, update: { operations: readonly ContextOperation[] }) =>
  applyUpdate(deps, update.operations);

describe("one operation", () => {
  it("set replaces", () => {
    expect(apply({ a: 1, b: 2 }, contextUpdate().set("a", { c: [3] }))).toEqual({
      a: { c: [3] },
      b: 2,
    });
  });

  it("merge is deep, replaces arrays, and creates", () => {
    const deps = { a: { x: { p: 1, q: [1] }, y: 2 } };
    const update = contextUpdate()
      .merge("a", { x: { q: [2], r: 3 } })
      .merge("b", { n: 1 });
    expect(apply(deps, update)).toEqual({ a: { x: { p: 1, q: [2], r: 3 }, y: 2 }, b: { n: 1 } });
  });

  it("merge creates an object of nothing or null, and arrays in it replace", () => {
    const update = contextUpdate()
      .merge("a", { n: 1 })
      .merge("b", { l: [2] });
    expect(apply({ a: null, b: { l: [1] } }, update)).toEqual({ a: { n: 1 }, b: { l: [2] } });
  });

  it("append adds one item, and makes an array of nothing or null", () => {
    const update = contextUpdate().append("a", 2).append("b", [3]).append("c", 4);
    expect(apply({ a: [1], c: null }, update)).toEqual({ a: [1, 2], b: [[3]], c: [4] });
  });

  it("delete removes, and what is not there stays away", () => {
    expect(apply({ a: 1, b: 2 }, contextUpdate().delete("a").delete("z"))).toEqual({ b: 2 });
  });

  it("increment adds, from 0 where there is no number", () => {
    const update = contextUpdate().increment("a").increment("b", -2).increment("c", 0.5);
    expect(apply({ a: 1, c: null }, update)).toEqual({ a: 2, b: -2, c: 0.5 });
  });

  it("keys of an object's own machinery are keys", () => {
    const update = contextUpdate().append("constructor", 1).increment("toString");
    expect(apply({}, update)).toEqual({ constructor: [1], toString: 1 });
  });
});

describe("what does not fit is refused, and names what is there", () => {
  const clashes: readonly (readonly [JsonObject, ContextUpdate, string])[] = [
    [{ a: 1 }, contextUpdate().append("a", 2), 'appends to "a", which holds a number'],
    [{ a: "x" }, contextUpdate().append("a", 2), 'appends to "a", which holds a string'],
    [{ a: { b: 1 } }, contextUpdate().append("a", 2), 'appends to "a", which holds an object'],
    [{ a: [1] }, contextUpdate().merge("a", { n: 1 }), 'merges an object onto "a", which holds an'],
    [{ a: true }, contextUpdate().merge("a", {}), "which holds a boolean"],
    [
      { a: { b: [1] } },
      contextUpdate().merge("a", { b: { n: 1 } }),
      "onto a.b, which holds an array",
    ],
    [{ a: "x" }, contextUpdate().increment("a"), 'increments "a", which holds a string.'],
    [{ a: true }, contextUpdate().increment("a"), 'increments "a", which holds a boolean.'],
    [{ a: 1e308 }, contextUpdate().increment("a", 1e308), "beyond all numbers"],
  ];
  it.each(clashes)("%j", (deps, update, words) => {
    const before = JSON.stringify(deps);
    expect(() => apply(deps, update)).toThrow(
      expect.objectContaining({ code: "tool.result", message: expect.stringContaining(words) }),
    );
    expect(JSON.stringify(deps)).toBe(before);
  });

  const hostile = JSON.parse('{"__proto__": {"polluted": true}}') as JsonObject;
  it.each<[string, ContextOperation]>([
    ["a key", { op: "set", key: "__proto__", value: hostile }],
    ["a key to delete", { op: "delete", key: "__proto__" }],
    ["a key within a value", { op: "set", key: "a", value: hostile }],
    ["a key within a merge", { op: "merge", key: "a", value: hostile }],
    ["a key within an item", { op: "append", key: "a", value: [hostile] }],
  ])("__proto__ as %s", (_name, operation) => {
    expect(() => applyUpdate({}, [operation])).toThrow(/__proto__|key must be the name/);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("an operation of no known kind", () => {
    expect(() => applyUpdate({}, [{ op: "double", key: "a" } as never])).toThrow(
      /op must be "set", .* it is "double"/,
    );
  });
});

describe("operations in order", () => {
  it("a, b, c are appended in that order", () => {
    const update = contextUpdate().append("l", "a").append("l", "b").append("l", "c");
    expect(apply({}, update)).toEqual({ l: ["a", "b", "c"] });
  });

  it("a set after appends wins, and appends after it go on from it", () => {
    const update = contextUpdate().append("l", 1).set("l", [7]).append("l", 8);
    expect(apply({ l: [0] }, update)).toEqual({ l: [7, 8] });
  });

  it("two thousand appends keep their order; keys do not disturb each other", () => {
    let update = contextUpdate();
    for (let i = 0; i < 2_000; i++) update = update.append(i % 2 === 0 ? "even" : "odd", i);
    const { even, odd } = apply({}, update) as unknown as { even: number[]; odd: number[] };
    expect(even).toEqual(Array.from({ length: 1_000 }, (_, i) => 2 * i));
    expect(odd).toEqual(Array.from({ length: 1_000 }, (_, i) => 2 * i + 1));
  });

  it("the deps before are left as they were", () => {
    const deps = Object.freeze({ a: Object.freeze({ b: Object.freeze([1]) }) });
    apply(deps, contextUpdate().merge("a", { c: 1 }).append("l", 2).delete("a"));
    expect(deps).toEqual({ a: { b: [1] } });
  });

  it("an update without operations gives the same deps", () => {
    const deps = { a: 1 };
    expect(apply(deps, contextUpdate())).toBe(deps);
  });

  it("an update grows by copies: the one before can be used again", () => {
    const one = contextUpdate().increment("a");
    one.increment("a");
    expect(apply({}, one)).toEqual({ a: 1 });
  });
});

describe("what is no operation", () => {
  const faults: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /^must be an object; it is undefined/],
    [{ op: "set", value: 1 }, /^key is missing; it must be the name of a part of deps/],
    [{ op: "set", key: "", value: 1 }, /^key must be the name of a part of deps, not empty/],
    [
      { op: "set", key: "__proto__", value: {} },
      /^key must be the name of a part of deps, not empty/,
    ],
    [{ op: "set", key: "a" }, /^value is missing; it must be JSON/],
    [{ op: "append", key: "a" }, /^value is missing; it must be JSON/],
    [{ op: "merge", key: "a", value: [1] }, /^value must be an object; it is a list/],
    [{ op: "increment", key: "a", by: "1" }, /^by must be a number; it is /],
    [{ op: "increment", key: "a", by: Number.NaN }, /^by must be a number; it is /],
    [
      { op: "drop", key: "a" },
      /^op must be "set", "append", "merge", "delete" or "increment"; it is "drop"/,
    ],
  ];
  for (const [operation, words] of faults) {
    it(`${JSON.stringify(operation)} is named`, () => {
      expect(misfit([operation], UPDATE_OPERATIONS)?.replace(/^\[0\][. ]/, "")).toMatch(words);
    });
  }
});

describe("a tool's result with an update", () => {
  it("is known by a mark that plain data cannot carry", () => {
    expect(isToolReturn(withUpdate(1, contextUpdate().increment("n")))).toBe(true);
    expect(isToolReturn({ output: 1, update: [] })).toBe(false);
    for (const value of [null, undefined, "x", 1, []]) expect(isToolReturn(value)).toBe(false);
  });

  it("takes an update or its operations", () => {
    const update = contextUpdate().increment("n");
    expect(withUpdate(1, update).update).toEqual(withUpdate(1, update.operations).update);
  });
});
