// What Tables and Vectors keep, refuse and share, and how deep they are. That they are a Map and an array, at
// any size, says property-tests/collections.test.ts.
import { describe, expect, it } from "vitest";
import {
  append,
  changedEntries,
  emptyTable,
  emptyVector,
  type Json,
  listOf,
  pushItem,
  replaceItem,
  sealJson,
  sharesPrefix,
  type Table,
  tableCells,
  tableDelete,
  tableGet,
  tableHas,
  tableSet,
  tableSize,
  type Vector,
  vectorItem,
  vectorItems,
  vectorOf,
} from "../../../../../src/core/kernel/values/index.js";
import { flagsOf, HOLDS_LIST, heightOf } from "../../../../../src/core/kernel/values/stamp.js";
import { throughJson } from "../../../../support/by-hand.js";
import { refusal } from "../../../../support/thrown.js";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const tableOf = (count: number): Table<number> =>
  numbers(count).reduce((table, i) => tableSet(table, `k${i}`, i), emptyTable<number>());
const fresh = <T>(value: T): T => sealJson<T>(throughJson(value));

describe("a table", () => {
  it("keeps the cells of removed keys as gaps, until they are more than half of seventeen", () => {
    const cells = (table: Table<number>) => tableCells(table).map((each) => each?.[1] ?? null);
    let table = tableOf(16);
    for (const i of numbers(15)) table = tableDelete(table, `k${i}`);
    expect(cells(table)).toEqual([...Array(15).fill(null), 15]);
    table = tableOf(17);
    for (const i of numbers(8)) table = tableDelete(table, `k${i}`);
    expect(cells(table)).toHaveLength(17);
    table = tableDelete(table, "k8");
    expect(cells(table)).toEqual([9, 10, 11, 12, 13, 14, 15, 16]);
    expect([tableGet(table, "k9"), tableHas(table, "k8")]).toEqual([9, false]);
    table = tableOf(18);
    for (const i of numbers(9)) table = tableDelete(table, `k${i}`);
    expect(cells(table)).toHaveLength(18);
    // The last one leaves nothing behind.
    expect(tableDelete(tableDelete(tableOf(2), "k0"), "k1")).toBe(emptyTable());
  });
});

describe("two versions of a table", () => {
  it("differ in what was set", () => {
    const before = tableOf(40);
    const changed = (after: Table<number>, limit = 3) => changedEntries(before, after, limit);
    expect(changed(before)).toBeUndefined();
    const one = tableSet(before, "k38", -1);
    expect(changed(one)).toEqual([["k38", -1]]);
    expect(changed(tableSet(one, "k0", -2))).toEqual([
      ["k0", -2],
      ["k38", -1],
    ]);
    expect(changed(tableSet(before, "new", -3))).toEqual([["new", -3]]);
    expect(changed(one, 1)).toHaveLength(1);
    expect(changed(tableSet(one, "k0", -2), 1)).toBeUndefined();
    // What was removed is named by nobody.
    expect(changed(tableDelete(one, "k0"))).toBeUndefined();
  });
});

describe("what no collection holds", () => {
  const odd = [undefined, () => 1, 1n, Symbol("s"), Number.NaN, Number.POSITIVE_INFINITY];
  it.each(odd.map((each) => [String(each), each] as const))("%s", (_name, each) => {
    const into: readonly (() => unknown)[] = [
      () => tableSet(emptyTable(), "a", each),
      () => tableSet(tableOf(40), "k3", each as never),
      () => pushItem(emptyVector(), each),
      () => replaceItem(vectorOf([0]), 0, each as never),
      () => vectorOf([each]),
      () => append(listOf<unknown>([]), each),
    ];
    for (const put of into) expect(refusal(put).code).toBe("json.refused");
  });

  it.each([1, null, undefined, {}])("a key that is %s", (key) => {
    const error = refusal(() => tableSet(emptyTable(), key as never, 1));
    expect([error.code, error.message]).toEqual([
      "json.refused",
      expect.stringContaining("of a Table is not a string; pass a string."),
    ]);
    expect(tableGet(tableSet(emptyTable(), `${key}`, 1), key as never)).toBeUndefined();
    expect(tableHas(tableOf(40), key as never)).toBe(false);
  });

  it("a lone surrogate in a key: all of them are one character", () => {
    for (const count of [0, 40]) {
      const table = tableSet(tableSet(tableOf(count), "\ud800", 1), "\ud801", 2);
      expect(tableSize(table)).toBe(count + 1);
      expect([tableGet(table, "\ud800"), tableGet(table, "\ufffd")]).toEqual([2, 2]);
      expect(tableHas(tableDelete(table, "\udc00"), "\ufffd")).toBe(false);
    }
  });

  it("an item at a place between two", () => {
    const vector = vectorOf([0, 1]);
    expect(replaceItem(vector, 0.5, 9)).toBe(vector);
    expect(vectorItem(vector, 0.5)).toBeUndefined();
  });

  it("a minus before a zero, or a lone surrogate", () => {
    expect(JSON.stringify(vectorItems(pushItem(vectorOf(["\ud800"]), "\ud800")))).toBe(
      JSON.stringify(["\ufffd", "\ufffd"]),
    );
    expect(Object.is(vectorItem(vectorOf([-0]), 0), 0)).toBe(true);
    expect(Object.is(tableGet(tableSet(emptyTable(), "a", -0), "a"), 0)).toBe(true);
  });
});

describe("how deep a collection is", () => {
  const deep = (height: number): Json => (height === 0 ? 1 : [deep(height - 1)]);

  it("is what its JSON is, at any size", () => {
    for (const count of [0, 1, 31, 32, 33, 1_024, 1_025]) {
      for (const height of [0, 1, 3]) {
        const items = numbers(count).map((i) => (i === count - 1 ? deep(height) : i));
        const made = [
          vectorOf(items),
          items.reduce<Vector<Json>>((vector, item) => pushItem(vector, item), emptyVector()),
          items.reduce<Table<Json>>(
            (table, item, i) => tableSet(table, `k${i}`, item),
            emptyTable(),
          ),
        ];
        const list = listOf(items);
        for (const each of made) {
          expect([count, height, heightOf(each)]).toEqual([count, height, heightOf(fresh(each))]);
          expect((flagsOf(each) & HOLDS_LIST) !== 0).toBe(true);
        }
        // Of a List it is known to within its levels: a new item need not be where the deepest row is.
        const [bound, least] = [heightOf(list), heightOf(fresh(list))];
        expect(bound >= least && bound <= least + 2 && (flagsOf(list) & HOLDS_LIST) !== 0).toBe(
          true,
        );
      }
    }
  });

  it("is no less for what was replaced", () => {
    const vector = replaceItem(vectorOf<Json>([deep(5), 1]), 0, 1);
    expect(heightOf(vector)).toBe(heightOf(vectorOf<Json>([deep(5)])));
    expect(heightOf(replaceItem(vector, 1, deep(9)))).toBe(heightOf(vectorOf([deep(9)])));
  });
});

describe("what is made of a collection from outside", () => {
  const table = tableOf(40);
  const vector = vectorOf(numbers(40));
  const made: readonly (readonly [string, object, (outside: never) => object])[] = [
    ["tableSet", table, (outside) => tableSet(outside, "k3", -3)],
    ["tableSet of a new key", table, (outside) => tableSet(outside, "more", 0)],
    ["tableDelete", table, (outside) => tableDelete(outside, "k3")],
    ["pushItem", vector, (outside) => pushItem(outside, 40)],
    ["replaceItem", vector, (outside) => replaceItem(outside, 3, -3)],
  ];
  const thaw = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const key of Object.keys(value)) {
      const each = (value as Record<string, unknown>)[key];
      if (typeof each === "number") (value as Record<string, unknown>)[key] = 1_000;
      else thaw(each);
    }
  };

  it.each(made)("by %s stays as it is when that changes", (_name, collection, change) => {
    const outside = throughJson(collection);
    const next = change(outside as never);
    const text = JSON.stringify(next);
    expect(text).toBe(JSON.stringify(change(collection as never)));
    expect(heightOf(next)).toBe(heightOf(change(collection as never)));
    thaw(outside);
    expect(JSON.stringify(next)).toBe(text);
  });

  it("is the same where nothing is to change", () => {
    const outside = throughJson(table);
    expect(tableDelete(outside, "none")).toBe(outside);
    expect(replaceItem(throughJson(vector), 40, 0)).toEqual(vector);
  });
});

it("a List does not begin with one that has objects of its own", () => {
  const made = () => listOf(numbers(3).map((i) => ({ i })));
  expect(sharesPrefix(append(made(), { i: 3 }), made())).toBe(false);
});
