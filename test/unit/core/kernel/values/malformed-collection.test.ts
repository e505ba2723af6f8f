// Collections that come back from JSON are taken for what they say they are only where they are whole.
import { describe, expect, it } from "vitest";
import {
  emptyTable,
  type Json,
  type JsonObject,
  listOf,
  tableDelete,
  tableSet,
  vectorOf,
} from "../../../../../src/core/kernel/values/index.js";
import { malformedCollection } from "../../../../../src/core/kernel/values/malformed-collection.js";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

function tableOf(count: number) {
  let table = emptyTable<number>();
  for (const i of numbers(count)) table = tableSet(table, `k${i}`, i);
  return tableDelete(table, "k1");
}

const whole = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));

/** The collections, and all that is within them, each with another value in its place. */
function* damages(value: Json): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  const keys = Object.keys(value);
  const placed = (key: string, instead: unknown): Json => {
    const copy = structuredClone(value) as never as Record<string, unknown>;
    copy[key] = instead;
    return copy as never;
  };
  for (const key of keys) {
    const inside = (value as JsonObject)[key] as Json;
    for (const damaged of damages(inside)) yield placed(key, damaged);
  }
  if (Array.isArray(value)) {
    yield value.slice(1);
    yield [...value, 0];
  } else {
    for (const key of keys) {
      for (const instead of [null, -1, 1.5, "1", [], {}, 1e9]) yield placed(key, instead);
      const without: Record<string, Json> = { ...(value as JsonObject) };
      delete without[key];
      yield without;
    }
    yield placed("more", 0);
  }
}

const isRefused = (value: unknown) => malformedCollection(value as JsonObject) !== undefined;

describe.each([
  ["a List", (count: number) => listOf(numbers(count))],
  ["a Vector", (count: number) => vectorOf(numbers(count))],
])("%s", (_name, make) => {
  it.each([0, 1, 31, 33, 40])("of %i is taken whole, and damaged in any row it is not", (count) => {
    const own = whole(make(count));
    expect(isRefused(own)).toBe(false);
    const [size] = Object.keys(own) as [string];
    const text = JSON.stringify(own);
    const taken = [...damages(own)].filter(
      (damaged) => JSON.stringify(damaged) !== text && !isRefused(damaged),
    );
    // What is no collection any more is any object.
    const left = taken.filter((one) => size in (one as object));
    expect(left).toEqual([]);
  });
});

describe("a Table", () => {
  it.each([2, 40])("of %i is taken whole, and damaged in any row it is not", (count) => {
    const own = whole(tableOf(count));
    expect(isRefused(own)).toBe(false);
    const [size] = Object.keys(own) as [string];
    const items = (one: Json) => JSON.stringify((one as { rows?: Json }).rows);
    const taken = [...damages(own)].filter((damaged) => size in (damaged as object));
    // An entry's value may be anything, and a gap may stand where an entry stood.
    const left = taken.filter((one) => !isRefused(one) && !/"value":|^undefined/.test(items(one)));
    expect(left).toEqual([]);
    for (const entry of [
      1,
      "k",
      [],
      {},
      { key: 1, value: 1 },
      { key: "k" },
      { value: 1, more: 1 },
    ]) {
      const rows = { items: [null, entry] };
      expect([entry, isRefused({ [size]: 2, rows })]).toEqual([entry, true]);
    }
    expect(isRefused({ [size]: 2, rows: { items: [null, { key: "k", value: 1 }] } })).toBe(false);
  });
});
