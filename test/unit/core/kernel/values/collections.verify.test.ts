// Tables and Vectors against a Map and an array, at the sizes at which they change their shape; what
// two versions share; how deep all of it is.
import { describe, expect, it } from "vitest";
import {
  append,
  asJson,
  changedEntries,
  emptyTable,
  emptyVector,
  type Json,
  listOf,
  pushItem,
  refOf,
  replaceItem,
  sealJson,
  sharesPrefix,
  type Table,
  tableAt,
  tableCells,
  tableDelete,
  tableGet,
  tableHas,
  tableNewest,
  tableOfCells,
  tableSet,
  tableSize,
  tableValues,
  type Vector,
  vectorItem,
  vectorItems,
  vectorOf,
  vectorSize,
} from "../../../../../src/core/kernel/values/index.js";
import { flagsOf, HOLDS_LIST, heightOf } from "../../../../../src/core/kernel/values/stamp.js";
import { throughJson } from "../../../../support/by-hand.js";
import { refusal } from "../../../../support/thrown.js";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const tableOf = (count: number): Table<number> =>
  numbers(count).reduce((table, i) => tableSet(table, `k${i}`, i), emptyTable<number>());
const fresh = <T>(value: T): T => sealJson<T>(throughJson(value));

function agrees(table: Table<number>, map: ReadonlyMap<string, number>): void {
  for (const each of [table, fresh(table)]) {
    expect(tableSize(each)).toBe(map.size);
    expect(tableValues(each)).toEqual([...map.values()]);
    for (const [key, value] of map)
      expect([tableGet(each, key), tableHas(each, key)]).toEqual([value, true]);
    for (const key of ["none", "", "toString"]) {
      expect([tableGet(each, key), tableHas(each, key)]).toEqual([undefined, false]);
    }
  }
  expect(tableNewest(table)).toBe([...map.values()].at(-1));
}

describe("a table", () => {
  // Every third step it comes back from JSON, and so has no index.
  it.each([1, 2, 3, 5])("is a map under sets and deletes, by steps of %i", (stride) => {
    let table: Table<number> = emptyTable();
    const map = new Map<string, number>();
    for (let i = 0; i < 260; i++) {
      const key = `k${(i * stride) % 47}`;
      if (i % 4 === 3 || i > 200) {
        const known = map.has(key);
        const next = tableDelete(table, key);
        expect(next === table).toBe(!known);
        table = next;
        map.delete(key);
      } else {
        table = tableSet(table, key, i);
        map.set(key, i);
      }
      if (i % 3 === 0) table = fresh(table);
      agrees(table, map);
    }
  });

  it.each([8, 9, 20, 40])(
    "of %i forgets a key that is removed, and has it last when it comes again",
    (size) => {
      let table = tableOf(size);
      const map = new Map(numbers(size).map((i) => [`k${i}`, i]));
      for (const i of [0, 3, size - 1, 3]) {
        const key = `k${i}`;
        table = tableDelete(table, key);
        map.delete(key);
        expect([tableGet(table, key), tableHas(table, key)]).toEqual([undefined, false]);
        expect(tableDelete(table, key)).toBe(table);
        agrees(table, map);
        table = tableSet(table, key, i + 100);
        map.set(key, i + 100);
        agrees(table, map);
      }
    },
  );

  it("is a map at each size from none to a third level", () => {
    const map = new Map<string, number>();
    let table: Table<number> = emptyTable();
    for (const i of numbers(1_100)) {
      table = tableSet(table, `k${i}`, i);
      map.set(`k${i}`, i);
      if (i < 40 || (i > 1_020 && i < 1_028)) agrees(table, map);
    }
  });

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

  it("is one of its cells", () => {
    for (const count of [0, 1, 9, 40]) {
      const table = tableDelete(tableOf(count), "k3");
      const again = tableOfCells(tableCells(table));
      expect(again).toEqual(table);
      expect(refOf(asJson(again))).toBe(refOf(asJson(table)));
      expect([heightOf(again), tableSize(again)]).toEqual([heightOf(table), tableSize(table)]);
    }
    expect(tableOfCells([])).toBe(emptyTable());
  });

  it("has values by their cells", () => {
    const table = tableDelete(tableOf(3), "k1");
    expect([-1, 0, 1, 2, 3, 0.5, Number.NaN].map((at) => tableAt(table, at))).toEqual([
      undefined,
      0,
      undefined,
      2,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("two versions of a table", () => {
  it.each([3, 40, 1_100])("of %i differ in what was set", (count) => {
    const before = tableOf(count);
    const changed = (after: Table<number>, limit = 3) => changedEntries(before, after, limit);
    expect(changed(before)).toBeUndefined();
    const one = tableSet(before, `k${count - 2}`, -1);
    expect(changed(one)).toEqual([[`k${count - 2}`, -1]]);
    expect(changed(tableSet(one, "k0", -2))).toEqual([
      ["k0", -2],
      [`k${count - 2}`, -1],
    ]);
    expect(changed(tableSet(before, "new", -3))).toEqual([["new", -3]]);
    expect(changed(one, 1)).toHaveLength(1);
    expect(changed(tableSet(one, "k0", -2), 1)).toBeUndefined();
    // What was removed is named by nobody.
    expect(changed(tableDelete(one, "k0"))).toBeUndefined();
  });

  it("of other levels are not compared, and of other sizes in what is new", () => {
    expect(changedEntries(tableOf(32), tableOf(33), 99)).toBeUndefined();
    const before = tableOf(64);
    const after = tableSet(tableSet(before, "a", 1), "b", 2);
    expect(changedEntries(before, after, 9)).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
    expect(changedEntries(tableOf(0), tableOf(0), 9)).toBeUndefined();
  });

  const keyed = (...keys: string[]) =>
    keys.reduce((t, key) => tableSet(t, key, { key }), emptyTable());
  it.each([
    ["a removal", keyed("a", "b"), keyed("a")],
    ["another key in its place", keyed("a", "b"), keyed("a", "c")],
    ["a move", keyed("a", "b"), keyed("b", "a")],
    ["what was new", tableOf(70), tableOf(69)],
    ["nothing", keyed("a", "b"), keyed("a", "b")],
  ])("do not tell of %s", (_what, before, after) => {
    expect(changedEntries(before as never, after as never, 9)).toBeUndefined();
  });

  it("differ in what they hold, whichever rows they share", () => {
    for (const count of [3, 33, 1_030]) {
      const before = tableSet(tableOf(count), "object", { a: ["x".repeat(300)] } as never);
      const after = tableSet(tableSet(before, "k1", -1), "new", -2);
      const wanted = [
        ["k1", -1],
        ["new", -2],
      ];
      for (const [a, b] of [
        [before, after],
        [fresh(before), after],
        [before, fresh(after)],
        [fresh(before), fresh(after)],
      ] as const) {
        expect(changedEntries(a, b, 2)).toEqual(wanted);
        expect(changedEntries(a, b, 1)).toBeUndefined();
        expect(changedEntries(b, a, 9)).toBeUndefined();
      }
    }
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

describe("a vector", () => {
  it("is an array at each size at which it grows", () => {
    let vector: Vector<number> = emptyVector();
    for (const i of numbers(1_060)) {
      expect(vectorSize(vector)).toBe(i);
      vector = pushItem(vector, i);
      if (i % 31 > 1 && i % 32 > 1) continue;
      expect(vectorItems(vector)).toEqual(numbers(i + 1));
      expect(vector).toEqual(vectorOf(numbers(i + 1)));
      expect(vectorItem(vector, i)).toBe(i);
    }
    for (const at of [-1, 1_060, 0.5, Number.NaN]) {
      const changed = replaceItem(vector, at, -1);
      if (at !== 0.5) expect(changed).toBe(vector);
    }
    expect(vectorOf([])).toBe(emptyVector());
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

describe("a List that begins with another", () => {
  it.each([0, 1, 31, 32, 33, 1_023, 1_024, 1_025, 1_060])("of %i shares its rows", (size) => {
    const prefix = listOf(numbers(size));
    let list = prefix;
    for (const more of numbers(70)) {
      expect(sharesPrefix(list, prefix)).toBe(true);
      list = append(list, more);
    }
    expect(sharesPrefix(prefix, append(prefix, 1))).toBe(false);
    // Equal numbers are one value, and rows of them are not.
    expect(sharesPrefix(listOf(numbers(size + 1)), prefix)).toBe(size < 32);
    if (size > 0) {
      expect(sharesPrefix(append(listOf(["x", ...numbers(size - 1)] as never), 1), prefix)).toBe(
        false,
      );
      const last = [...numbers(size - 1), "x"] as never;
      expect(sharesPrefix(listOf(last), prefix)).toBe(false);
    }
  });

  it("of objects of its own does not", () => {
    const made = () => listOf(numbers(3).map((i) => ({ i })));
    expect(sharesPrefix(append(made(), { i: 3 }), made())).toBe(false);
  });
});
