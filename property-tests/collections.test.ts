// A List and a Vector are what an array is, a Table what a Map is: at each size at which their rows change shape,
// live and from JSON, in every version that there was; and two versions share and differ in what they should.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asJson,
  changedEntries,
  itemAt,
  type Json,
  listHead,
  refOf,
  sealJson,
  sharesPrefix,
  type Table,
  tableAt,
  tableCells,
  tableNewest,
  tableOfCells,
  takeFirst,
  toArray,
} from "../src/core/kernel/values/index.js";
import { heightOf } from "../src/core/kernel/values/stamp.js";
import { lists, tables, vectors } from "../src/kernel.js";
import { throughJson } from "../test/support/by-hand.js";
import { seeds } from "./setup.js";

/** Small ones, and those around which there is a row or a level more. */
const sizes = fc.oneof(
  fc.nat(70),
  fc.constantFrom(0, 8, 9, 16, 17, 31, 32, 33, 63, 64, 1_023, 1_024, 1_025, 1_056),
);
const numbers = (count: number): Json[] => Array.from({ length: count }, (_, i) => i);
const odd: readonly Json[] = [
  null,
  "",
  { a: [[1]] },
  [[[[{}]]]],
  "x".repeat(300),
  { id: "of one" },
];
const item = fc.oneof<fc.Arbitrary<Json>[]>(fc.nat(9), fc.constantFrom(...odd));
const place = fc.integer({ min: -40, max: 40 });
const count = fc.constantFrom(1, 1, 2, 12, 33);
const fresh = <T>(value: T): T => sealJson<T>(throughJson(value));

/** A change to a collection, and the same to what it is compared with. */
type Op<C, M> = (collection: C, model: M) => readonly [C, M];

/** All versions that a collection comes to, the last one first. */
function versionsOf<C, M>(first: readonly [C, M], ops: readonly Op<C, M>[]): (readonly [C, M])[] {
  const versions = [first];
  for (const op of ops) versions.unshift(op(...(versions[0] as readonly [C, M])));
  return versions;
}

/** A collection has the digest of one that was made at once, and is as high as what comes back from its text. */
function isAsMade(is: object, made: object, slack = 0): void {
  expect(refOf(asJson(is as never))).toBe(refOf(asJson(made as never)));
  const [height, least] = [heightOf(is), heightOf(fresh(is))];
  expect([height, height >= least]).toEqual([height, true]);
  if (slack > 0) expect(height).toBeLessThanOrEqual(least + slack);
}

/** What a later version has otherwise, by the cells of both. */
function changedByRule(before: Table<Json>, after: Table<Json>, limit: number) {
  const [was, is] = [tableCells(before), tableCells(after)];
  const levels = ({ length }: { length: number }) => [32, 1_024].filter((most) => length > most);
  if (was.length > is.length || levels(was).length !== levels(is).length) return undefined;
  const text = JSON.stringify;
  const others = is.flatMap((cell, i) => (text(cell) === text(was[i]) ? [] : [[cell, was[i]]]));
  const isLost = others.some(([cell, old]) => cell == null || (old && old[0] !== cell[0]));
  if (isLost || others.length === 0 || others.length > limit) return undefined;
  return others.map(([cell]) => cell);
}

describe.each(seeds)("collections (seed %d)", (seed) => {
  const runs = { seed, numRuns: 100 };

  it("a List is an array to which is only added", () => {
    type Change = Op<ReturnType<typeof lists.of<Json>>, Json[]>;
    const op = fc.oneof<fc.Arbitrary<Change>[]>(
      fc.array(item, { maxLength: 40 }).map((more) => (list, all) => {
        const next = lists.append(list, ...more);
        expect(sharesPrefix(next, list)).toBe(true);
        if (more.length > 0) expect(sharesPrefix(list, next)).toBe(false);
        return [next, [...all, ...more]];
      }),
      fc.constant((list, all) => [fresh(list), all]),
    );
    const property = fc.property(sizes, fc.array(op), fc.array(place), (size, ops, places) => {
      const versions = versionsOf([lists.of(numbers(size)), numbers(size)], ops);
      for (const [list, all] of versions) {
        const made = lists.of(all);
        expect(JSON.stringify(list)).toBe(JSON.stringify(made));
        expect([toArray(list), listHead(list)]).toEqual([all, listHead(made)]);
        isAsMade(list, made, 2);
        for (const at of [...places, 1_024, all.length, -all.length, -all.length - 1]) {
          expect(itemAt(list, at)).toEqual(all.at(at));
          const from = Math.abs(at);
          expect(toArray(list, from)).toEqual(all.slice(from));
          const [first, same] = [takeFirst(list, from), lists.of(all.slice(0, from))];
          expect(JSON.stringify(first)).toBe(JSON.stringify(same));
          for (const more of [[], [-1]]) {
            const heads = [first, same].map((each) => listHead(lists.append(each, ...more)));
            expect(heads[0]).toBe(heads[1]);
          }
          expect(sharesPrefix(list, first)).toBe(true);
        }
        if (all.length === 0) continue;
        for (const other of [all.with(0, "other"), all.with(-1, "other")]) {
          expect(sharesPrefix(lists.append(list, 1), lists.of(other))).toBe(false);
        }
      }
    });
    fc.assert(property, runs);
  });

  it("a Vector is an array", () => {
    type Change = Op<ReturnType<typeof vectors.of<Json>>, Json[]>;
    const op = fc.oneof<fc.Arbitrary<Change>[]>(
      fc.tuple(item, count).map(([each, times]) => (vector, all) => {
        const more: Json[] = Array(times).fill(each);
        return [more.reduce(vectors.push<Json>, vector), [...all, ...more]];
      }),
      fc.tuple(item, fc.oneof(place, fc.constant(-1))).map(([each, from]) => (vector, all) => {
        // The place behind the last one is among them.
        const at = from < 0 ? all.length + 1 + from : from;
        const next = vectors.replace(vector, at, each);
        if (at >= 0 && at < all.length) return [next, all.with(at, each)];
        expect(next).toBe(vector);
        return [vector, all];
      }),
      fc.constant((vector, all) => [fresh(vector), all]),
    );
    const property = fc.property(sizes, fc.array(op), (size, ops) => {
      for (const [vector, all] of versionsOf([vectors.of(numbers(size)), numbers(size)], ops)) {
        expect([vectors.size(vector), vectors.items(vector)]).toEqual([all.length, all]);
        expect(vector).toEqual(vectors.of(all));
        isAsMade(vector, vectors.of(all));
        if (all.length === 0) expect(vectors.of(all)).toBe(vectors.empty());
        for (const at of [-1, 0, 31, 32, all.length - 1, all.length, 0.5]) {
          expect(vectors.item(vector, at)).toEqual(all[at]);
        }
      }
    });
    fc.assert(property, runs);
  });

  it("a Table is a Map", () => {
    type Change = Op<Table<Json>, ReadonlyMap<string, Json>>;
    const each =
      (
        from: number,
        many: number,
        change: (i: number, map: Map<string, Json>, table: Table<Json>) => Table<Json>,
      ): Change =>
      (table, before) => {
        const map = new Map(before);
        return [
          Array.from({ length: many }, (_, i) => from + i).reduce(
            (made, i) => change(i, map, made),
            table,
          ),
          map,
        ];
      };
    const set = (key: string, value: Json, map: Map<string, Json>, table: Table<Json>) => {
      map.set(key, value);
      return tables.set(table, key, value);
    };
    const remove = (key: string, map: Map<string, Json>, table: Table<Json>) => {
      const next = tables.remove(table, key);
      expect(next === table).toBe(!map.delete(key));
      return next;
    };
    const op = fc.oneof<fc.Arbitrary<Change>[]>(
      fc
        .tuple(fc.nat(90), count, item)
        .map(([from, many, value]) =>
          each(from, many, (i, map, table) => set(`k${i}`, value, map, table)),
        ),
      fc
        .tuple(fc.nat(90), count)
        .map(([from, many]) => each(from, many, (i, map, table) => remove(`k${i}`, map, table))),
      fc
        .tuple(fc.nat(9), count)
        .map(([at, many]) =>
          each(0, many, (i, map, table) => set(`k${at}`, i, map, remove(`k${at}`, map, table))),
        ),
      fc.constant((table, map) => [fresh(table), map]),
    );
    const property = fc.property(sizes, fc.array(op), (size, ops) => {
      const first = each(0, size, (i, map, table) => set(`k${i}`, i, map, table));
      const versions = versionsOf(first(tables.empty(), new Map()), ops);
      const keys = ["", "toString", ...numbers(Math.max(size, 130)).map((i) => `k${i}`)];
      for (const [i, [table, map]] of versions.entries()) {
        const [values, cells] = [[...map.values()], tableCells(table)];
        expect([tables.size(table), tables.values(table)]).toEqual([map.size, values]);
        expect(tableNewest(table)).toEqual(values.at(-1));
        expect(keys.map((key) => tables.get(table, key))).toEqual(keys.map((key) => map.get(key)));
        expect(keys.filter((key) => tables.has(table, key))).toEqual(
          keys.filter((key) => map.has(key)),
        );
        for (const at of [-1, 0, 5, 31, 32, cells.length - 1, cells.length, 0.5]) {
          expect(tableAt(table, at)).toEqual(cells[at]?.[1]);
        }
        expect(tableOfCells(cells)).toEqual(table);
        isAsMade(table, tableOfCells(cells));
        const [before] = versions[i + 1 + (i % 2)] ?? [table];
        for (const limit of [1, 2, 40]) {
          const wanted = changedByRule(before, table, limit);
          expect(changedEntries(before, table, limit)).toEqual(wanted);
          if (limit > 2) expect(changedEntries(fresh(before), table, limit)).toEqual(wanted);
        }
      }
    });
    fc.assert(property, runs);
  });
});
