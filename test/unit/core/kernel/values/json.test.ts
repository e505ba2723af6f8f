// The JSON border (K2): what passes, how it comes out, and what is refused, with its path.
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { listOf, MAX_DEPTH, toJson } from "../../../../../src/core/kernel/values/index.js";
import { refusal } from "../../../../support/thrown.js";

class Point {
  readonly x = 1;
}

const circular: { self?: unknown } = {};
circular.self = { again: circular };

const refused: readonly (readonly [string, unknown, string, RegExp])[] = [
  ["a function", { f: () => 1 }, "$.f", /is a function/],
  ["a bigint", { n: 1n }, "$.n", /is a bigint/],
  ["a symbol", [Symbol("s")], "$[0]", /is a symbol/],
  ["NaN", { a: [0, Number.NaN] }, "$.a[1]", /is NaN/],
  ["Infinity", Number.POSITIVE_INFINITY, "$", /is Infinity/],
  ["-Infinity", { "a b": Number.NEGATIVE_INFINITY }, '$["a b"]', /is -Infinity/],
  ["undefined itself", undefined, "$", /is undefined/],
  ["undefined in an array", [1, undefined], "$[1]", /is undefined/],
  ["a hole in an array", new Array(1), "$[0]", /is undefined/],
  ["a Date", { at: new Date(0) }, "$.at", /is a Date/],
  ["a Map", { m: new Map() }, "$.m", /is a Map/],
  ["a Set", { s: new Set() }, "$.s", /is a Set/],
  ["a typed array", { b: new Uint8Array(2) }, "$.b", /is an Uint8Array/],
  ["an ArrayBuffer", { b: new ArrayBuffer(2) }, "$.b", /is an ArrayBuffer/],
  ["a RegExp", { r: /x/ }, "$.r", /is a RegExp/],
  ["an Error", { e: new Error("x") }, "$.e", /is an Error/],
  ["a Promise", { p: Promise.resolve() }, "$.p", /is a Promise/],
  ["a boxed string", { s: Object("x") }, "$.s", /is a String/],
  ["an instance of a class", { p: new Point() }, "$.p", /is a Point/],
  ["an instance without a class", Object.create(Object.create(null)), "$", /is an instance,/],
  ["an object with toJSON", { toJSON: () => 1 }, "$.toJSON", /is a function/],
  ["a key __proto__", JSON.parse('{"a":{"__proto__":{"admin":true}}}'), "$.a", /__proto__/],
  ["a circle", circular, "", /circular/],
];

describe("what is not JSON is refused with its path", () => {
  for (const [name, value, place, message] of refused) {
    it(name, () => {
      const error = refusal(() => toJson(value));
      expect(error.code).toBe("json.refused");
      expect(error.place).toContain(place);
      if (place !== "") expect(error.place).toBe(place);
      expect(error.message).toMatch(message);
    });
  }

  it("the path begins where the caller says", () => {
    expect(refusal(() => toJson({ a: [() => 1] }, "result")).place).toBe("result.a[0]");
  });
});

describe("depth", () => {
  const nested = (depth: number): unknown => {
    let value: unknown = 1;
    for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
    return value;
  };

  it(`${MAX_DEPTH} levels pass and one more is refused`, () => {
    expect(toJson(nested(MAX_DEPTH))).toEqual(nested(MAX_DEPTH));
    expect(refusal(() => toJson(nested(MAX_DEPTH + 1))).message).toMatch(/nested more than 200/);
  });

  it("a circle is told of where it begins, and not by the way once round for each level", () => {
    const circle: { self?: object } = {};
    circle.self = { again: circle };
    const { message, place } = refusal(() => toJson({ circle }, "result"));
    expect(place).toBe("result.circle.self.again.self.again.self.again.self…");
    expect(message.startsWith(`${place} is nested more than 200 deep, or circular`)).toBe(true);
  });

  it("a value that has passed counts with its own depth", () => {
    const passed = toJson(nested(MAX_DEPTH));
    expect(refusal(() => toJson({ passed })).code).toBe("json.refused");
    expect(toJson({ passed: toJson(nested(MAX_DEPTH - 1)) })).toBeDefined();
  });

  it("a value a hundred thousand levels deep is refused, not a crash", () => {
    expect(refusal(() => toJson(nested(100_000))).code).toBe("json.refused");
  });
});

describe("what is JSON comes out as plain JSON", () => {
  it("null, booleans, numbers, strings, arrays and objects pass unchanged", () => {
    const value = { n: null, t: true, i: 1.5, s: "é", a: [1, [2, { b: [] }]], o: {} };
    expect(toJson(value)).toEqual(value);
  });

  it("properties that are undefined are dropped", () => {
    expect(Object.keys(toJson({ a: undefined, b: 1, c: undefined }) as object)).toEqual(["b"]);
  });

  it("-0 is 0", () => {
    expect(Object.is(toJson(-0), 0)).toBe(true);
    expect(Object.is((toJson({ a: [-0] }) as { a: number[] }).a[0], 0)).toBe(true);
  });

  it.each([
    ["two of them", { "\ud800": 1, "\ud801": 2 }],
    ["the one that it becomes, before it", { "\ufffd": 1, "\ud800": 2 }],
    ["the one that it becomes, behind it", { "\ud800": 1, "\ufffd": 2 }],
  ])("keys that would become one are refused: %s", (_, value) => {
    for (const each of [value, Object.freeze(value), new Proxy(value, {})]) {
      const { code, message } = refusal(() => toJson({ in: each }));
      expect([code, message]).toEqual(["json.refused", expect.stringContaining("the same key")]);
    }
  });

  it("lone surrogates become U+FFFD, in keys too, and pairs stay", () => {
    expect(toJson("a\uD800b")).toBe("a\uFFFDb");
    expect(toJson({ "\uDC00": "\uD83D\uDE00" })).toEqual({ "\uFFFD": "\u{1F600}" });
  });

  it("objects without a prototype and of another realm are plain", () => {
    expect(toJson(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
    expect(toJson(runInNewContext("({ a: [1, { b: null }] })"))).toEqual({ a: [1, { b: null }] });
  });

  it("keys that only look dangerous are data", () => {
    const value = { constructor: 1, hasOwnProperty: 2, toString: "x", prototype: null };
    expect(toJson(value)).toEqual(value);
  });

  it("symbol keys and what is not enumerable are not data", () => {
    const value = Object.defineProperty({ [Symbol("s")]: 1, a: 1 }, "hidden", { value: 2 });
    expect(toJson(value)).toStrictEqual({ a: 1 });
  });
});

describe("whose objects they are", () => {
  it("results are frozen all the way down", () => {
    const result = toJson({ a: [{ b: 1 }] }) as { a: { b: number }[] };
    for (const each of [result, result.a, result.a[0]]) expect(Object.isFrozen(each)).toBe(true);
  });

  it("the caller's own objects are neither frozen nor changed", () => {
    const inner = { b: -0, c: undefined as undefined | number };
    const value = { a: [inner] };
    toJson(value);
    for (const each of [value, value.a, inner]) expect(Object.isFrozen(each)).toBe(false);
    expect(Object.is(inner.b, -0)).toBe(true);
    expect("c" in inner).toBe(true);
    inner.c = 5;
    expect(value.a[0]?.c).toBe(5);
  });

  it("what has passed before passes as it is, without a copy", () => {
    const once = toJson({ a: [1] });
    expect(toJson(once)).toBe(once);
    expect((toJson({ once }) as { once: unknown }).once).toBe(once);
  });
});

describe("the key of a List is the kernel's own", () => {
  it("a value from outside that carries it is refused", () => {
    const error = refusal(() => toJson({ a: { "@list": 0, spine: [] } }));
    expect([error.code, error.place]).toEqual(["json.reserved", "$.a"]);
  });

  it("a List of the kernel is refused too: nobody could read it back", () => {
    expect(refusal(() => toJson({ items: listOf([1]) })).code).toBe("json.reserved");
  });
});
