// What values that callers give have to be: what fits each shape, what does not, and in which words.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as shapes from "../../../../../src/core/kernel/shapes.js";
import { partFault } from "../../../../../src/core/kernel/vocabulary/index.js";

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
    not: [true, { 0: true }],
  },
  "what is there": {
    shape: shapes.SOMETHING,
    words: "JSON; null says that there is none",
    fits: [null, 0, "", {}],
    not: [undefined],
  },
  name: { shape: shapes.NAME, words: "a string, not empty", fits: ["x"], not: ["", 5, null] },
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
  "list of some": {
    shape: shapes.listOf(shapes.FLAG, 1, "a list of flags"),
    words: "a list of flags; 1 or more",
    fits: [[true]],
    not: [[], true],
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
    const parts = { id: shapes.ANYTHING, on: shapes.FLAG, settings: shapes.SETTINGS };
    const fault = (settings: unknown) => partFault({ id: 5, settings }, parts);
    expect(fault(undefined)).toBeUndefined();
    expect(fault({ seed: 1, topK: undefined })).toBeUndefined();
    expect(fault("hot")).toBe("settings must be an object; it is a string");
    expect(fault({ seed: "x" })).toBe("settings.seed must be a number; it is a string");
    expect(fault({ sed: 1 })).toContain("settings.sed is not a part of it; maxOutputTokens, ");
    expect(partFault({ on: 1 }, parts)).toBe("on must be true or false; it is 1");
  });

  const inner = { at: shapes.WHOLE };
  it.each<[shapes.Shape, unknown, string | undefined]>([
    [shapes.listOf(shapes.FLAG), [true, 1], "it[1] must be true or false; it is 1"],
    [
      shapes.recordOf(shapes.FLAG),
      { a: true, "b c": 1 },
      'it["b c"] must be true or false; it is 1',
    ],
    [shapes.recordOf(shapes.FLAG), { a: undefined }, undefined],
    [shapes.optionsOf(inner, "at"), {}, "it.at is missing; it must be a whole number"],
    [shapes.optionsOf(inner), { more: 1 }, "it.more is not a part of it; at is"],
    [shapes.optionsOf(inner), { more: undefined }, undefined],
    [shapes.open(inner), { more: 1 }, undefined],
    [
      shapes.open({ list: shapes.listOf(shapes.open(inner)) }),
      { list: [{ at: "x" }] },
      "it.list[0].at must be a whole number; it is a string",
    ],
    [
      shapes.either(shapes.TEXT, shapes.optionsOf(inner)),
      { at: "x" },
      "it.at must be a whole number; it is a string",
    ],
    [
      shapes.tagged("kind", { a: shapes.open(inner) }),
      { kind: "a", at: "x" },
      "it.at must be a whole number; it is a string",
    ],
    [
      shapes.tagged("kind", { a: shapes.open(inner), b: shapes.OBJECT }),
      { kind: "c" },
      'it.kind must be "a" or "b"; it is "c"',
    ],
    [
      shapes.tagged("kind", { a: shapes.open(inner) }, shapes.OBJECT),
      { kind: "toString" },
      undefined,
    ],
    [
      shapes.tagged("kind", { a: shapes.open(inner) }, shapes.OBJECT),
      { kind: 5 },
      "it.kind must be a string; it is 5",
    ],
    [
      shapes.holding([shapes.hasMethods("read"), "a store"], {
        read: shapes.FUNCTION,
        at: shapes.WHOLE,
      }),
      { read: () => 1, at: "x" },
      "it.at must be a whole number; it is a string",
    ],
    [shapes.open({ read: shapes.FUNCTION }), getter, "it.read cannot be read; pass a plain object"],
  ])("is found with its place: %#", (shape, value, words) => {
    expect(shapes.misfit(value, shape, "it")).toBe(words);
  });

  it("stands behind a name in words as what is in it", () => {
    const shape = shapes.open(inner);
    expect(shapes.misfit({ at: 0.5 }, shape, "the thing")).toBe(
      "the thing: at must be a whole number; it is 0.5",
    );
    expect(shapes.misfit(5, shape, "the thing")).toBe("the thing must be an object; it is 5");
    expect(shapes.misfit(5, shape)).toBe("must be an object; it is 5");
  });
});
