/**
 * List: an append-only collection for what grows with a run (messages, tool records, thoughts). It
 * is plain JSON and shares structure with its predecessors. In a digest it is represented by its
 * size and the head of a hash chain over its items, computed on demand and cached (`canonical.ts`):
 * an append costs the same at any length, and a hash only the new items.
 *
 * The spine works like an odometer: `spine[0]` holds the newest items, fewer than 32; a full row
 * becomes one entry of `spine[1]`, and so on.
 */
import { checkList } from "./check-collections.js";
import { type Hidden, Itself, ownField } from "./hidden.js";
import { type Json, LIST_KEY, MAX_DEPTH, toJson } from "./json.js";
import { sealedCollection } from "./seal.js";
import {
  factsOf,
  factsOfPassed,
  flagsIn,
  flagsOf,
  HOLDS_LIST,
  heightIn,
  heightOf,
  markPassed,
} from "./stamp.js";

declare const itemType: unique symbol;

/** An immutable, append-only list of JSON items. Make and read it with the functions beside it. */
export interface List<T> {
  readonly [LIST_KEY]: number;
  readonly spine: readonly (readonly unknown[])[];
  readonly [itemType]?: T;
}

const WIDTH = 32;

/** The head of the chain over a List's first items, as far as somebody has asked for it. */
export interface CachedHead {
  size: number;
  head: string;
}

class CachedHeads extends Itself {
  #content: CachedHead;
  constructor(value: object, content: CachedHead) {
    super(value);
    this.#content = content;
  }
  static get(value: object): CachedHead | undefined {
    return #content in value ? value.#content : undefined;
  }
  static add(value: object, content: CachedHead): void {
    new CachedHeads(value, content);
  }
}

/** Kept by who makes heads; a List that goes on from another takes what is known along. */
export const cachedHeads: Hidden<CachedHead> = /* @__PURE__ */ ownField<CachedHead>(CachedHeads);

/** An item wraps what comes from outside (a message, its part), and a List in a context wraps it. */
const MAX_ITEM_DEPTH = MAX_DEPTH + 12;

/** Of `spine[0]` items, of `spine[1]` rows of them, and so on. */
type Row = readonly unknown[];

const NO_ITEMS: readonly never[] = Object.freeze([]);
/** The list, the spine and a row of it lie around each of its entries. */
const AROUND = 3;

const EMPTY: List<never> = sealed({ [LIST_KEY]: 0, spine: NO_ITEMS }, 2, 0);

/** @param flags of its items */
function sealed<T>(list: List<T>, height: number, flags: number): List<T> {
  markPassed(list, height, flags | HOLDS_LIST);
  return Object.freeze(list);
}

/** The list without items. */
export function emptyList<T>(): List<T> {
  return EMPTY;
}

/**
 * A list of the given items: as if they were appended one by one, with its rows made at once.
 * @param head of its chain, where it is known for sure
 */
export function listOf<T>(items: Iterable<T>, head?: string): List<T> {
  const all: Json[] = [];
  let flags = 0;
  for (const value of items) {
    const item = itemOf(value, all.length);
    all.push(item);
    flags |= flagsOf(item);
  }
  if (all.length === 0) return EMPTY;
  const spine: Row[] = [];
  for (let row: Row = all; row.length > 0; ) {
    const full = Math.floor(row.length / WIDTH) * WIDTH;
    const above: unknown[] = [];
    for (let at = 0; at < full; at += WIDTH) above.push(fullRow(row.slice(at, at + WIDTH)));
    spine.push(full === row.length ? NO_ITEMS : Object.freeze(row.slice(full)));
    row = above;
  }
  const height = AROUND + Math.max(...spine.flat().map(heightOf));
  const list: List<T> = { [LIST_KEY]: all.length, spine: Object.freeze(spine) };
  if (head !== undefined) cachedHeads.add(list, { size: all.length, head });
  return sealed(list, height, flags);
}

/** Returns true when a value is a List. */
export function isList(value: unknown): value is List<unknown> {
  return typeof value === "object" && value !== null && LIST_KEY in value;
}

/** Returns the number of a list's items. @throws ReckonerError `option.invalid` where it is none */
export function sizeOf(list: List<unknown>): number {
  checkList(list);
  return list[LIST_KEY];
}

/**
 * A new list with items added at the end. Items pass the JSON border, and so does a list that came from
 * outside, since the new one shares its rows.
 * @throws ReckonerError `json.refused`
 */
export function append<T>(list: List<T>, ...items: readonly T[]): List<T> {
  checkList(list);
  let next = list;
  for (let i = 0; i < items.length; i++) next = appendOne(next, items[i] as T);
  return next;
}

/** A value as an item: through the border, where it has not passed it. */
function itemOf(value: unknown, at: number): Json {
  const facts = factsOf(value);
  if (facts !== 0 && (facts & HOLDS_LIST) === 0) return value as Json;
  return toJson(value, typeof value === "string" ? undefined : `$[${at}]`, MAX_ITEM_DEPTH);
}

function appendOne<T>(list: List<T>, value: T): List<T> {
  const facts = factsOf(list);
  if (facts === 0) return appendOne(sealedCollection(list), value);
  const item = itemOf(value, sizeOf(list));
  // V8 slices a frozen array fifteen times as slowly as it spreads one.
  const spine = [...list.spine];
  let carry: unknown = item;
  let level = 0;
  for (; ; level++) {
    const row = spine[level] ?? NO_ITEMS;
    if (row.length < WIDTH - 1) {
      spine[level] = Object.freeze([...row, carry]);
      break;
    }
    spine[level] = NO_ITEMS;
    carry = fullRow([...row, carry]);
  }
  // The deepest item so far may have moved up, and is deeper by that.
  const height = Math.max(heightIn(facts), AROUND + heightOf(carry));
  const flags = flagsIn(facts | factsOfPassed(item));
  const more: List<T> = { [LIST_KEY]: sizeOf(list) + 1, spine: Object.freeze(spine) };
  const cached = cachedHeads.get(list);
  if (cached !== undefined) cachedHeads.add(more, { size: cached.size, head: cached.head });
  return sealed(more, height, flags);
}

/** A row that is entry of the row above: it bears its height, so that nobody looks into it again. */
function fullRow(entries: Row): Row {
  let height = 0;
  let flags = 0;
  for (let i = 0; i < entries.length; i++) {
    const its = factsOfPassed(entries[i]);
    height = Math.max(height, heightIn(its));
    flags |= flagsIn(its);
  }
  markPassed(entries, height + 1, flags);
  return Object.freeze(entries);
}

/** The item at an index, counted from 0, or from the end where negative. */
export function itemAt<T>(list: List<T>, index: number): T | undefined {
  const size = sizeOf(list);
  let rest = index < 0 ? size + index : index;
  if (rest < 0 || rest >= size) return undefined;
  for (let level = list.spine.length - 1; level >= 0; level--) {
    const row = list.spine[level] as Row;
    const span = WIDTH ** level;
    if (rest < row.length * span) {
      let found: unknown = row[Math.floor(rest / span)];
      for (let below = level - 1; below >= 0; below--) {
        rest %= WIDTH ** (below + 1);
        found = (found as Row)[Math.floor(rest / WIDTH ** below)];
      }
      return found as T;
    }
    rest -= row.length * span;
  }
  return undefined;
}

/** The items of a list as an array, from an index on. */
export function toArray<T>(list: List<T>, from = 0): T[] {
  checkList(list);
  const all: T[] = [];
  let skip = from;
  for (let level = list.spine.length - 1; level >= 0; level--) {
    skip = collect(list.spine[level] as Row, level, skip, all);
  }
  return all;
}

/** @returns how many items are still to be left out */
function collect(row: Row, level: number, skip: number, into: unknown[]): number {
  const span = WIDTH ** level;
  let left = skip;
  for (let i = 0; i < row.length; i++) {
    if (left >= span) left -= span;
    else if (level === 0) into.push(row[i]);
    else left = collect(row[i] as Row, level - 1, left, into);
  }
  return left;
}

/** The list of the first so many items: it shares their rows, and costs the same at any length. */
export function takeFirst<T>(list: List<T>, count: number): List<T> {
  if (count >= sizeOf(list)) return list;
  const whole = factsOf(list) === 0 ? sealedCollection(list) : list;
  const spine: Row[] = [];
  let height = 0;
  let flags = 0;
  let at = 0;
  for (let level = whole.spine.length - 1; level >= 0; level--) {
    const row: unknown[] = [];
    for (const span = WIDTH ** level; count - at >= span; at += span) {
      const entry = nodeAt(whole, at, level);
      height = Math.max(height, heightOf(entry));
      flags |= flagsOf(entry);
      row.push(entry);
    }
    if (row.length > 0 || spine.length > 0)
      spine.unshift(row.length > 0 ? Object.freeze(row) : NO_ITEMS);
  }
  if (at === 0) return EMPTY;
  const first: List<T> = { [LIST_KEY]: at, spine: Object.freeze(spine) };
  const held = cachedHeads.get(whole);
  if (held !== undefined && held.size <= at) cachedHeads.add(first, { ...held });
  return sealed(first, AROUND + height, flags);
}

/**
 * The sum of a number of each item. Of a list that goes on it costs what has come: items and full rows keep theirs.
 * @param sums the numbers that were taken, for one such function
 */
export function sumOfItems<T extends object>(
  list: List<T>,
  of: (item: T) => number,
  sums: WeakMap<object, number>,
): number {
  let sum = 0;
  for (let level = 0; level < list.spine.length; level++) {
    const row = list.spine[level] as Row;
    for (let i = 0; i < row.length; i++) sum += sumBelow(row[i] as object, level, of, sums);
  }
  return sum;
}

function sumBelow<T extends object>(
  node: object,
  level: number,
  of: (item: T) => number,
  sums: WeakMap<object, number>,
): number {
  const before = sums.get(node);
  if (before !== undefined) return before;
  let sum = 0;
  if (level === 0) sum = of(node as T);
  else for (const each of node as readonly object[]) sum += sumBelow(each, level - 1, of, sums);
  sums.set(node, sum);
  return sum;
}

/**
 * Returns true when a list begins with all items of another, as far as the two share their rows; `false`
 * also where equal items stand in rows of their own.
 */
export function sharesPrefix(list: List<unknown>, prefix: List<unknown>): boolean {
  if (sizeOf(list) < sizeOf(prefix)) return false;
  const shared = sharesFullRows(list, prefix);
  if (shared !== undefined) return shared;
  let at = 0;
  for (let level = prefix.spine.length - 1; level >= 0; level--) {
    const row = prefix.spine[level] as Row;
    for (let i = 0; i < row.length; i++) {
      if (nodeAt(list, at, level) !== row[i]) return false;
      at += WIDTH ** level;
    }
  }
  return true;
}

/**
 * The same of lists that have the same full rows, and differ in the items behind them: mostly one is a
 * few items longer. @returns `undefined` where their full rows are not the same
 */
function sharesFullRows(list: List<unknown>, prefix: List<unknown>): boolean | undefined {
  const { length } = prefix.spine;
  if (list.spine.length !== length) return undefined;
  for (let level = 1; level < length; level++) {
    if (list.spine[level] !== prefix.spine[level]) return undefined;
  }
  const row = list.spine[0] ?? NO_ITEMS;
  const prefixRow = prefix.spine[0] ?? NO_ITEMS;
  for (let i = 0; i < prefixRow.length; i++) if (row[i] !== prefixRow[i]) return false;
  return true;
}

/** The entry of a level that begins at an index. */
function nodeAt(list: List<unknown>, index: number, level: number): unknown {
  let rest = index;
  for (let at = list.spine.length - 1; at >= level; at--) {
    const row = list.spine[at] as Row;
    const span = WIDTH ** at;
    if (rest < row.length * span) {
      let found: unknown = row[Math.floor(rest / span)];
      for (let below = at - 1; below >= level; below--) {
        rest %= WIDTH ** (below + 1);
        found = (found as Row)[Math.floor(rest / WIDTH ** below)];
      }
      return found;
    }
    rest -= row.length * span;
  }
  return undefined;
}
