// What of a provider's words is JSON, and what is left out of them: nothing is worth failing a call for.
import { expect, it } from "vitest";
import { plainJson } from "../../../../src/adapters/ai-sdk/plain-json.js";
import { LIST_KEY, MAX_DEPTH } from "../../../../src/core/kernel/values/index.js";

it("what is JSON stays as it is", () => {
  const value = { a: [1, -0.5, "x", true, null, {}], b: { c: [] } };
  expect(plainJson(value)).toStrictEqual(value);
  expect(plainJson(value)).not.toBe(value);
  for (const each of ["", 0, false, null]) expect(plainJson(each)).toBe(each);
});

it("what is none is left out of objects, and null in lists", () => {
  const none = [
    undefined,
    () => 1,
    1n,
    Symbol("s"),
    Number.NaN,
    Infinity,
    new Map(),
    new Date("x"),
  ];
  for (const each of none) {
    expect(plainJson(each)).toBeUndefined();
    expect(plainJson({ before: 1, each, after: 2 })).toStrictEqual({ before: 1, after: 2 });
    expect(plainJson([1, each, 2])).toStrictEqual([1, null, 2]);
  }
});

it("a date is its text; objects without a prototype and of another realm are plain", () => {
  expect(plainJson({ at: new Date(0) })).toStrictEqual({ at: "1970-01-01T00:00:00.000Z" });
  expect(plainJson(Object.assign(Object.create(null), { a: 1 }))).toStrictEqual({ a: 1 });
  const realm = Object.create(null);
  expect(plainJson(Object.assign(Object.create(realm), { a: 1 }))).toStrictEqual({ a: 1 });
});

it("keys that the kernel refuses are left out", () => {
  const hostile = JSON.parse(`{"a":1,"__proto__":{"b":2},${JSON.stringify(LIST_KEY)}:{"c":3}}`);
  expect(plainJson(hostile)).toStrictEqual({ a: 1 });
});

it("a circle is cut where it closes; what merely stands twice is there twice", () => {
  const shared = { n: 1 };
  const value: Record<string, unknown> = { one: shared, two: shared };
  value.self = value;
  value.list = [value, shared];
  expect(plainJson(value)).toStrictEqual({ one: { n: 1 }, two: { n: 1 }, list: [null, { n: 1 }] });
});

it("half of the depth that the kernel takes is kept, and no more", () => {
  const nested = (depth: number) => {
    let value: object = {};
    for (let i = 1; i < depth; i++) value = { in: value };
    return value;
  };
  const deepest = MAX_DEPTH / 2;
  expect(plainJson(nested(deepest))).toStrictEqual(nested(deepest));
  expect(plainJson(nested(deepest + 1))).toStrictEqual(nested(deepest));
});
