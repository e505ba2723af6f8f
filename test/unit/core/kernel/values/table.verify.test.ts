// Table and Vector: persistent, ordered, plain JSON; compared with a Map and an array.
import "../../../../support/work.js";

import { describe, expect, it } from "vitest";
import {
  emptyTable,
  emptyVector,
  pushItem,
  replaceItem,
  sealJson,
  type Table,
  tableAt,
  tableDelete,
  tableGet,
  tableHas,
  tableNewest,
  tableSet,
  tableSize,
  tableValues,
  type Vector,
  vectorItem,
  vectorItems,
  vectorOf,
} from "../../../../../src/core/kernel/values/index.js";
import { expectFlat } from "../../../../support/work.js";

describe("a vector", () => {
  it("is an array, at any size and through JSON", () => {
    let vector: Vector<number> = emptyVector();
    const array: number[] = [];
    for (let i = 0; i < 2_100; i++) {
      vector = pushItem(vector, i);
      array.push(i);
      if ([1, 31, 32, 33, 1_024, 1_025].includes(i)) expect(vectorItems(vector)).toEqual(array);
    }
    vector = replaceItem(JSON.parse(JSON.stringify(vector)), 1_500, -1);
    array[1_500] = -1;
    expect(vectorItems(vector)).toEqual(array);
    expect(vectorItem(vector, 1_500)).toBe(-1);
    expect([vectorItem(vector, -1), vectorItem(vector, 2_100)]).toEqual([undefined, undefined]);
    expect(replaceItem(vector, 9_999, 0)).toBe(vector);
  });

  it("is not changed by what is made of it", () => {
    const vector = vectorOf([1, 2, 3]);
    pushItem(vector, 4);
    replaceItem(vector, 0, 9);
    expect(vectorItems(vector)).toEqual([1, 2, 3]);
  });
});

describe("a table", () => {
  it("is a map in order of insertion, at any size and through JSON", () => {
    let table: Table<number> = emptyTable();
    const map = new Map<string, number>();
    for (let i = 0; i < 5_000; i++) {
      const key = `key ${(i * 7_919) % 3_000}`;
      table = tableSet(table, key, i);
      map.set(key, i);
    }
    expect(tableSize(table)).toBe(3_000);
    expect(tableValues(JSON.parse(JSON.stringify(table)))).toEqual([...map.values()]);
    for (const [key, value] of map) expect(tableGet(table, key)).toBe(value);
    expect(tableHas(table, "nobody")).toBe(false);
    expect(tableNewest(table)).toBe([...map.values()].at(-1));
  });

  it("has what its cells hold, and its newest entry, whatever was removed", () => {
    let table: Table<number> = emptyTable();
    expect([tableNewest(table), tableAt(table, 0)]).toEqual([undefined, undefined]);
    for (let i = 0; i < 40; i++) table = tableSet(table, `k${i}`, i);
    for (const i of [39, 38, 5]) table = tableDelete(table, `k${i}`);
    expect(tableNewest(table)).toBe(37);
    expect([4, 5, 6, 38, 99].map((at) => tableAt(table, at))).toEqual([
      4,
      undefined,
      6,
      undefined,
      undefined,
    ]);
  });

  it("finds a key in each of its versions, however often it was removed and set again, and on branches", () => {
    let table = emptyTable<number>();
    for (let i = 0; i < 40; i++) table = tableSet(table, `k${i}`, i);
    const versions: [Table<number>, number | undefined][] = [];
    for (let i = 0; i < 30; i++) {
      const without = tableDelete(table, "k5");
      const branch = tableSet(tableSet(without, `other${i}`, 0), "k5", i + 100);
      table = tableSet(without, "k5", i);
      versions.push([without, undefined], [branch, i + 100], [table, i]);
    }
    for (const [version, value] of versions) {
      expect(tableGet(version, "k5")).toBe(value);
      expect(tableGet(version, "k6")).toBe(6);
      expect(tableSize(version)).toBe(tableValues(version).length);
    }
  });

  it("is changed and sealed at the cost of what is new, not of what is there", () =>
    expectFlat(
      (count) => {
        let table: Table<{ readonly n: number }> = emptyTable();
        for (let i = 0; i < count; i++) table = tableSet(table, `k${i}`, { n: i });
        sealJson(table);
        return () => {
          for (let i = 0; i < count; i++) {
            table = tableSet(table, `k${i}`, { n: -i });
            sealJson(table);
          }
        };
      },
      1_000,
      8_000,
      // There is a level of rows more.
      2,
    ));
});
