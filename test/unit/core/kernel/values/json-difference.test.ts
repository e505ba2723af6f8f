// The first difference between two values.
import { describe, expect, it } from "vitest";
import {
  firstDifference,
  type Json,
  sameJson,
} from "../../../../../src/core/kernel/values/index.js";

const cases: readonly (readonly [
  string,
  Json,
  Json,
  string,
  Json | undefined,
  Json | undefined,
])[] = [
  ["two values", 1, 2, "$", 1, 2],
  ["a type", 1, "1", "$", 1, "1"],
  ["null and an object", { a: null }, { a: {} }, "$.a", null, {}],
  ["an array and an object", [], {}, "$", [], {}],
  ["a property that is gone", { a: 1, b: 2 }, { b: 2 }, "$.a", 1, undefined],
  ["a property that is new", { a: 1 }, { a: 1, b: null }, "$.b", undefined, null],
  ["an item that is gone", [1, 2, 3], [1, 2], "$[2]", 3, undefined],
  ["an item that is new", [1], [1, 0], "$[1]", undefined, 0],
  [
    "something deep",
    { a: [{ b: [0, { c: 1 }] }] },
    { a: [{ b: [0, { c: 2 }] }] },
    "$.a[0].b[1].c",
    1,
    2,
  ],
  ["a key that is no identifier", { "a-b": 1 }, { "a-b": 2 }, '$["a-b"]', 1, 2],
  ["a key named like what every object has", { valueOf: 1 }, {}, "$.valueOf", 1, undefined],
  ["the first of several, by key", { z: 1, a: 1 }, { z: 2, a: 2 }, "$.a", 1, 2],
];

describe("the first difference shows its path and both values", () => {
  for (const [name, left, right, path, was, is] of cases) {
    it(name, () => {
      expect(firstDifference(left, right)).toEqual({ path, left: was, right: is });
      expect(firstDifference(right, left)).toEqual({ path, left: is, right: was });
    });
  }

  it("begins where the caller says", () => {
    expect(firstDifference([1], [2], "end")?.path).toBe("end[0]");
  });

  it("equal values have none, whatever the order of their keys", () => {
    expect(firstDifference({ a: 1, b: [{}] }, { b: [{}], a: 1 })).toBeUndefined();
    expect(firstDifference(undefined, undefined)).toBeUndefined();
  });

  it("nothing and something differ as a whole", () => {
    expect(firstDifference(undefined, { a: 1 })).toEqual({
      path: "$",
      left: undefined,
      right: { a: 1 },
    });
  });
});

describe("equality", () => {
  const equal: readonly (readonly [Json, Json])[] = [
    [1, 1],
    [
      { a: 1, b: [null] },
      { b: [null], a: 1 },
    ],
    [[], []],
    [{}, {}],
  ];
  const other: readonly (readonly [Json, Json])[] = [
    [1, "1"],
    [null, {}],
    [[], {}],
    [[1], [1, 2]],
    [
      [1, 2],
      [1, 3],
    ],
    [[{ a: [1] }], [{ a: [2] }]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: null }, { b: null }],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
  ];
  it("is that of values, whatever the order of keys", () => {
    for (const [left, right] of equal) expect(sameJson(left, right)).toBe(true);
    for (const [left, right] of other) expect(sameJson(left, right)).toBe(false);
  });

  it("is of what a value has itself, where all objects have a property more", () => {
    const all = Object.prototype as { more?: unknown };
    all.more = 1;
    try {
      for (const [left, right] of equal) expect(sameJson(left, right)).toBe(true);
      for (const [left, right] of other) expect(sameJson(left, right)).toBe(false);
      expect([sameJson({}, { more: 1 }), sameJson({ more: 1 }, {})]).toEqual([false, false]);
    } finally {
      delete all.more;
    }
  });
});
