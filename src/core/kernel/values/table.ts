/**
 * Table: an immutable map from strings to JSON values that keeps insertion order and shares
 * structure, as plain JSON. Lookup, change and digest cost the same at any size. The index of keys
 * is derived and hidden.
 */

import { refOf, rowDigest } from "./canonical.js";
import { checkTable } from "./check-collections.js";
import { ReckonerError } from "./errors.js";
import { hiddenField } from "./hidden.js";
import { type Json, MAX_OWN_DEPTH, soundText, TABLE_KEY, toJson } from "./json.js";
import { Places } from "./places.js";
import { childPath } from "./refusal.js";
import { itemIn, itemsIn, levelsOf, noRow, pushed, type Row, replaced, rowsOf } from "./rows.js";
import { sealedCollection } from "./seal.js";
import { shownBriefly } from "./size-limits.js";
import { factsOf, flagsIn, flagsOf, HOLDS_LIST, heightIn, markPassed } from "./stamp.js";

declare const valueType: unique symbol;

/** An immutable map. Make and read it with the functions beside it. */
export interface Table<V> {
  /** The number of its cells: its entries, and the gaps that removed ones left. */
  readonly [TABLE_KEY]: number;
  readonly rows: Row;
  readonly [valueType]?: V;
}

type Entry<V> = { readonly key: string; readonly value: V };

/** Where each key stands, and how many there are. */
interface Index {
  readonly places: Places;
  /** The places of keys that have had too many places. */
  readonly moved: ReadonlyMap<string, number> | undefined;
  readonly count: number;
}

/** Cells that are looked through sooner than an index of them is made. */
const FEW = 8;

const indexes = hiddenField<Index>();

const EMPTY: Table<never> = table(0, noRow);

function table<V>(size: number, rows: Row, index?: Index): Table<V> {
  const made = marked<V>(size, rows);
  if (index !== undefined) indexes.add(made, index);
  return Object.freeze(made);
}

/** A table's shape, which has to be frozen right after. */
function marked<V>(size: number, rows: Row): Table<V> {
  const made: Table<V> = { [TABLE_KEY]: size, rows };
  const facts = factsOf(rows);
  markPassed(made, heightIn(facts) + 1, flagsIn(facts) | HOLDS_LIST);
  return made;
}

/** A table of few cells has no index, and one that came back from JSON has none yet. */
function indexOf(of: Table<unknown>): Index | undefined {
  if (of[TABLE_KEY] <= FEW) return undefined;
  const found = indexes.get(of);
  if (found !== undefined) return found;
  const index = indexFor(of);
  indexes.add(of, index);
  return index;
}

function indexFor(of: Table<unknown>): Index {
  const places = new Places();
  let count = 0;
  cellsOf(of).forEach((entry, at) => {
    if (entry === null) return;
    places.add(entry.key, at);
    count += 1;
  });
  return { places, moved: undefined, count };
}

/** Counts the entries of a table. @param index its own */
function countOf(of: Table<unknown>, index: Index | undefined): number {
  if (index !== undefined) return index.count;
  const { items } = of.rows;
  let count = 0;
  for (let at = 0; at < items.length; at++) if (items[at] !== null) count += 1;
  return count;
}

/** Returns the cell of a key. */
function cellOf(
  of: Table<unknown>,
  key: string,
  index: Index | undefined = indexOf(of),
): number | undefined {
  if (index !== undefined) {
    const moved = index.moved?.get(key);
    if (moved === undefined) return index.places.find(of, key, holds);
    return holds(of, moved, key) ? moved : undefined;
  }
  const { items } = of.rows;
  for (let at = 0; at < items.length; at++) {
    if ((items[at] as Entry<unknown> | null)?.key === key) return at;
  }
  return undefined;
}

function holds(of: Table<unknown>, at: number, key: string): boolean {
  return itemIn<Entry<unknown> | null>(of.rows, of[TABLE_KEY], at)?.key === key;
}

/** The same of any key: what is not a string is none, and in JSON a lone surrogate is U+FFFD. */
function cellOfAny(of: Table<unknown>, key: unknown): number | undefined {
  return typeof key === "string" ? cellOf(of, soundText(key)) : undefined;
}

/** An index with a key more; beyond a few cells it is made of all keys. */
function indexWith(
  to: Table<unknown>,
  key: string,
  at: number,
  index: Index | undefined,
): Index | undefined {
  if (at < FEW) return undefined;
  const { places, moved, count } = index ?? indexFor(to);
  if (!places.isWorn(key)) return { places: places.add(key, at), moved, count: count + 1 };
  return { places, moved: new Map(moved).set(key, at), count: count + 1 };
}

function cellsOf<V>(of: Table<V>): (Entry<V> | null)[] {
  return itemsIn<Entry<V> | null>(of.rows, of[TABLE_KEY]);
}

/** The table without entries. */
export function emptyTable<V>(): Table<V> {
  return EMPTY;
}

/** A table of cells as `tableCells` gives them. @internal */
export function tableOfCells<V>(cells: readonly (readonly [string, V] | null)[]): Table<V> {
  if (cells.length === 0) return EMPTY;
  const entries = cells.map((each) => each && { key: each[0], value: each[1] });
  return Object.freeze(marked<V>(entries.length, rowsOf(entries)));
}

/** A table's entries and the gaps between them. @internal */
export function tableCells<V>(of: Table<V>): (readonly [string, V] | null)[] {
  checkTable(of);
  return cellsOf(of).map((each) => each && ([each.key, each.value] as const));
}

/** Returns the number of a table's entries. */
export function tableSize(of: Table<unknown>): number {
  checkTable(of);
  return countOf(of, indexOf(of));
}

/** The value of a key. */
export function tableGet<V>(of: Table<V>, key: string): V | undefined {
  checkTable(of);
  const at = cellOfAny(of, key);
  return at === undefined ? undefined : itemIn<Entry<V>>(of.rows, of[TABLE_KEY], at)?.value;
}

/** Returns true when a table has a key. */
export function tableHas(of: Table<unknown>, key: string): boolean {
  checkTable(of);
  return cellOfAny(of, key) !== undefined;
}

/**
 * A new table with a value under a key; a key that was there keeps its cell.
 * @throws ReckonerError `json.refused` for a key that is not a string, or a value that is not JSON
 */
export function tableSet<V>(to: Table<V>, key: string, value: V): Table<V> {
  checkTable(to);
  const { [TABLE_KEY]: size, rows } = to;
  const facts = factsOf(rows);
  if (facts === 0) return tableSet(sealedCollection(to), key, value);
  if (typeof key !== "string") {
    const message = `The key ${shownBriefly(key)} of a Table is not a string; pass a string.`;
    throw new ReckonerError("json.refused", message);
  }
  const name = soundText(key);
  const index = indexOf(to);
  const at = cellOf(to, name, index);
  const entry = entryOf(name, value);
  if (at !== undefined) return table(size, replaced(rows, facts, size, at, entry), index);
  return table(size + 1, pushed(rows, facts, size, entry), indexWith(to, name, size, index));
}

/** An entry of what has passed the border is sealed as it is. */
function entryOf<V>(key: string, value: V): Entry<V> {
  if (value === undefined) toJson(value, childPath("$", key));
  const entry: Entry<V> = { key, value };
  const facts = factsOf(value);
  const height = heightIn(facts);
  if (height === 0 || height >= MAX_OWN_DEPTH) return entry;
  markPassed(entry, height + 1, flagsIn(facts) | flagsOf(key));
  return Object.freeze(entry);
}

/** A new table without a key. Its cell stays as a gap until there are more gaps than entries. */
export function tableDelete<V>(from: Table<V>, key: string): Table<V> {
  checkTable(from);
  const at = cellOfAny(from, key);
  if (at === undefined) return from;
  const { [TABLE_KEY]: size, rows } = from;
  const facts = factsOf(rows);
  if (facts === 0) return tableDelete(sealedCollection(from), key);
  const index = indexOf(from);
  const count = countOf(from, index) - 1;
  if (count === 0) return EMPTY;
  const left = replaced(rows, facts, size, at, null);
  if (size > GAPS_FROM && count < size / 2) {
    const entries = itemsIn<Entry<V> | null>(left, size).filter((each) => each !== null);
    return tableOfCells(entries.map((each) => [each.key, each.value] as const));
  }
  if (index === undefined) return table(size, left);
  return table(size, left, { ...index, count });
}

/** A table with fewer cells keeps its gaps. */
const GAPS_FROM = 16;

/** The values, in order of insertion. */
export function tableValues<V>(of: Table<V>): V[] {
  checkTable(of);
  return cellsOf(of).flatMap((each) => (each === null ? [] : [each.value]));
}

/** The value in a cell, in the order of insertion, counted from 0; none where it was removed. */
export function tableAt<V>(of: Table<V>, cell: number): V | undefined {
  checkTable(of);
  return itemIn<Entry<V> | null>(of.rows, of[TABLE_KEY], cell)?.value;
}

/** The newest entry's value. */
export function tableNewest<V>(of: Table<V>): V | undefined {
  checkTable(of);
  const size = of[TABLE_KEY];
  for (let at = size - 1; at >= 0; at--) {
    const entry = itemIn<Entry<V> | null>(of.rows, size, at);
    if (entry !== null && entry !== undefined) return entry.value;
  }
  return undefined;
}

/**
 * The entries that another version of a table has otherwise or has not, by what they hold: it does not
 * matter which rows the two share, but for the time that it takes.
 * @returns `undefined` where there are none, or more than the limit, or where one was removed or moved
 */
export function changedEntries<V>(
  before: Table<V>,
  after: Table<V>,
  limit: number,
): readonly (readonly [key: string, value: V])[] | undefined {
  const size = after[TABLE_KEY];
  const levels = levelsOf(size);
  if (before[TABLE_KEY] > size || levelsOf(before[TABLE_KEY]) !== levels) return undefined;
  const changed: (readonly [string, V])[] = [];
  const isComplete = collectChanged(before.rows, after.rows, levels, limit, changed);
  return isComplete && changed.length > 0 ? changed : undefined;
}

/** @returns whether all that differs is in what was collected */
function collectChanged<V>(
  before: Row | undefined,
  after: Row,
  level: number,
  limit: number,
  into: (readonly [string, V])[],
): boolean {
  for (let at = 0; at < after.items.length; at++) {
    const was = before?.items[at];
    const is = after.items[at];
    if (was === is) continue;
    if (level > 1) {
      const [a, b] = [was as Row | undefined, is as Row];
      const same = a !== undefined && rowDigest(a, level - 1, ",") === rowDigest(b, level - 1, ",");
      if (!same && !collectChanged(a, b, level - 1, limit, into)) return false;
      continue;
    }
    const [a, b] = [was as Entry<V> | null | undefined, is as Entry<V> | null];
    if (b === null || (a && a.key !== b.key)) return false;
    if (a && refOf(a.value as Json) === refOf(b.value as Json)) continue;
    if (into.length === limit) return false;
    into.push([b.key, b.value]);
  }
  return true;
}
