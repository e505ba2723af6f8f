// What values that callers give have to be: what fits each shape, what does not, and in which words.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { partFault } from "../../../../../src/core/kernel/index.js";
import * as shapes from "../../../../../src/core/kernel/shapes.js";

const { NaN: none, POSITIVE_INFINITY: endless } = Number;
class Store {
  readonly size = 1;
  read() {}
}

interface Case {
  readonly shape: shapes.Shape;
  readonly words: string;
  readonly fits: readonly unknown[];
  readonly not: readonly unknown[];
}

const cases: { readonly [name: string]: Case } = {
  text: { shape: shapes.TEXT, words: "a string", fits: ["", "x"], not: [5, null, ["x"]] },
  texts: {
    shape: shapes.TEXTS,
    words: "a list of strings",
    fits: [[], ["x", ""]],
    not: ["x", ["x", 5], { 0: "x", length: 1 }],
  },
  flag: { shape: shapes.FLAG, words: "true or false", fits: [true, false], not: [0, "true", null] },
  function: { shape: shapes.FUNCTION, words: "a function", fits: [() => 1, Store], not: [{}, "x"] },
  object: {
    shape: shapes.OBJECT,
    words: "an object",
    fits: [{}, new Store(), Object.create(null)],
    not: [null, [], () => 1, "x"],
  },
  list: { shape: shapes.LIST, words: "a list", fits: [[], [1]], not: [{}, "x", null] },
  number: {
    shape: shapes.NUMBER,
    words: "a number",
    fits: [0, -1.5, endless, -endless],
    not: [none, "1", 1n, null],
  },
  "whole number of any sign": {
    shape: shapes.WHOLE,
    words: "a whole number",
    fits: [0, -3, Number.MAX_SAFE_INTEGER],
    not: [0.5, endless, none, 2 ** 53, "1"],
  },
  time: {
    shape: shapes.MILLISECONDS,
    words: "a number of milliseconds, 0 or more",
    fits: [0, 0.5, endless],
    not: [-1, none, "1"],
  },
  timeout: {
    shape: shapes.TIMEOUT,
    words: "a number of milliseconds above 0",
    fits: [0.5, 1, Number.POSITIVE_INFINITY],
    not: [0, -1, Number.NaN, "1"],
  },
  schema: {
    shape: shapes.SCHEMA,
    words: "a Standard Schema, such as one of zod's",
    fits: [z.string(), Object.assign(() => 1, { "~standard": {} })],
    not: [{ type: "object" }, null, undefined, "x"],
  },
  count: {
    shape: shapes.count(1),
    words: "a whole number, 1 or more",
    fits: [1, 7, endless],
    not: [0, -1, 1.5, none, "1"],
  },
  "whole number": {
    shape: shapes.whole(0),
    words: "a whole number, 0 or more",
    fits: [0, 7],
    not: [-1, 1.5, endless, none, "1"],
  },
  "number from one on": {
    shape: shapes.atLeast(2),
    words: "a number, 2 or more",
    fits: [2, 2.5, endless],
    not: [1.9, none, "2"],
  },
  "number above one": {
    shape: shapes.above(0),
    words: "a number above 0",
    fits: [0.1, 5],
    not: [0, -1, endless, none, "1"],
  },
  word: {
    shape: shapes.oneOf("a", "b", "c"),
    words: '"a", "b" or "c"',
    fits: ["a", "b", "c"],
    not: ["", "d", ["a"], 5],
  },
  "one of two": {
    shape: shapes.either(shapes.TEXT, shapes.FUNCTION),
    words: "a string or a function",
    fits: ["x", () => 1],
    not: [5, {}],
  },
  "list of one kind": {
    shape: shapes.listOf(shapes.FLAG),
    words: "a list, each true or false",
    fits: [[], [true, false]],
    not: [true, [true, 1]],
  },
  "what may be left out": {
    shape: shapes.maybe(shapes.TEXT),
    words: "a string, or nothing",
    fits: [undefined, "x"],
    not: [null, 5],
  },
  "what has methods": {
    shape: [shapes.hasMethods("read"), "a store"],
    words: "a store",
    fits: [new Store(), { read: () => 1 }],
    not: [{ read: 1 }, {}, null, Object.assign(() => 1, { read: () => 1 })],
  },
  "what has parts": {
    shape: [shapes.hasParts("size", "read"), "a store"],
    words: "a store",
    fits: [new Store(), { size: null, read: 1 }],
    not: [{ size: 1 }, { size: undefined, read: 1 }, null],
  },
  "these parts and no others": {
    shape: shapes.exactly({ id: shapes.TEXT, at: shapes.WHOLE }),
    words: "{ id: a string; at: a whole number }",
    fits: [{ id: "x", at: 1 }],
    not: [{ id: "x" }, { id: "x", at: 1, more: 1 }, { id: 1, at: 1 }, null, []],
  },
};

describe.each(Object.entries(cases))("%s", (_name, { shape, words, fits, not }) => {
  it("is told by its values", () => {
    expect(fits.map((value) => shapes.misfit(value, shape))).toEqual(fits.map(() => undefined));
    for (const value of not) {
      expect(shapes.misfit(value, shape)).toContain(`must be ${words}; it is `);
    }
  });
});

describe("what does not fit", () => {
  const getter = {
    get read(): never {
      throw new Error("no");
    },
  };
  it.each<[string, unknown]>([
    ["5", 5],
    ["NaN", none],
    ["false", false],
    ["null", null],
    ["undefined", undefined],
    ["a list", ["a secret"]],
    ["an empty string", ""],
    ["a string", "a secret"],
    ["another object", { a: "secret" }],
    ["a function", () => "a secret"],
    ["a symbol", Symbol("secret")],
    ["another object", getter],
  ])("is named in a word or two, whatever it holds: %s", (named, value) => {
    const shape: shapes.Shape = [shapes.hasMethods("read"), "a store"];
    expect(shapes.misfit(value, shape)).toBe(`must be a store; it is ${named}`);
  });

  it("is named by its place in what holds it", () => {
    const parts = { id: true, on: shapes.FLAG, settings: shapes.SETTINGS } as const;
    const fault = (settings: unknown) => partFault({ id: 5, settings }, parts);
    expect(fault(undefined)).toBeUndefined();
    expect(fault({ seed: 1, topK: undefined })).toBeUndefined();
    expect(fault("hot")).toBe("settings must be an object; it is a string");
    expect(fault({ seed: "x" })).toBe("settings: seed must be a number; it is a string");
    expect(fault({ sed: 1 })).toContain("settings: sed is not a part of it; maxOutputTokens, ");
    expect(partFault({ on: 1 }, parts)).toBe("on must be true or false; it is 1");
  });
});
