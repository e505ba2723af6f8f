/**
 * Rows of 32, and rows of rows: the persistent tree behind Vector and Table. A change copies one
 * row per level and shares all others, so that it costs the same at any size, including the digest,
 * which each row caches.
 */
import { type HiddenField, hiddenField } from "./hidden.js";
import type { Json } from "./json.js";
import { sealJson } from "./seal.js";
import {
  factsOf,
  factsOfPassed,
  flagsIn,
  flagsOf,
  heightIn,
  heightOf,
  markPassed,
} from "./stamp.js";

/** A row: items, or rows of the level below. An object, since engines copy a marked array slowly. */
export interface Row {
  readonly items: readonly unknown[];
}

const WIDTH = 32;

/**
 * The text that a row's digest is of, as an earlier version of the row had it, and which of its places
 * have changed since: what is behind it needs a few pieces put in, and not all its items looked at.
 */
export interface RowText {
  readonly text: string;
  readonly changed: readonly number[];
}

/** Kept by who makes the texts; a changed row takes its predecessor's along. */
export const rowTexts: HiddenField<RowText> = hiddenField<RowText>();
/** A row of so few places is written out anew. */
export const FEW_PLACES = 8;
/** With more changes a text is made anew. */
const MAX_CHANGED = 4;

/** The row without items. */
export const noRow: Row = row([], 2, 0);

/** @param height of the row: one of its object, one of its array, and that of what it holds */
function row(items: readonly unknown[], height: number, flags: number): Row {
  const made: Row = { items: Object.freeze(items) };
  markPassed(made, height, flags);
  return Object.freeze(made);
}

/** @param facts what `factsOf` says of the row before */
function rowLike(facts: number, items: readonly unknown[], item: unknown): Row {
  const its = factsOfPassed(item);
  const height = Math.max(heightIn(facts), heightIn(its) + 2);
  return row(items, height, flagsIn(facts | its));
}

/** Returns the number of levels of rows that hold so many items. */
export function levelsOf(size: number): number {
  let levels = 1;
  for (let room = WIDTH; room < size; room *= WIDTH) levels += 1;
  return levels;
}

function slot(index: number, level: number): number {
  return Math.floor(index / WIDTH ** level) % WIDTH;
}

/**
 * The rows with an item more, where `size` is how many they hold.
 * @param facts what `factsOf` says of the rows, which have passed the border
 */
export function pushed(rows: Row, facts: number, size: number, item: unknown): Row {
  const levels = levelsOf(size);
  const sealed = sealItem(item);
  if (size < WIDTH ** levels) return put(rows, facts, levels, size, sealed);
  const above = rowLike(factsOf(noRow), [rows], rows);
  return put(above, factsOf(above), levels + 1, size, sealed);
}

/** The same rows with another item at an index. */
export function replaced(
  rows: Row,
  facts: number,
  size: number,
  index: number,
  item: unknown,
): Row {
  return put(rows, facts, levelsOf(size), index, sealItem(item));
}

function put(before: Row, facts: number, levels: number, index: number, item: unknown): Row {
  const items = [...before.items];
  const at = slot(index, levels - 1);
  let child = item;
  if (levels > 1) {
    const below = (items[at] as Row | undefined) ?? noRow;
    child = put(below, factsOf(below), levels - 1, index, item);
  }
  items[at] = child;
  const made = rowLike(facts, items, child);
  const text = items.length > FEW_PLACES ? rowTexts.get(before) : undefined;
  if (text !== undefined && text.changed.length < MAX_CHANGED) {
    rowTexts.add(made, { text: text.text, changed: [...text.changed, at] });
  }
  return made;
}

function sealItem(item: unknown): Json {
  return item === null || typeof item === "boolean" ? item : sealJson(item);
}

/** The item at an index, counted from 0. */
export function itemIn<T>(rows: Row, size: number, index: number): T | undefined {
  if (!(index >= 0 && index < size && Number.isInteger(index))) return undefined;
  let found: unknown = rows;
  for (let level = levelsOf(size) - 1; level >= 0; level--) {
    found = (found as Row).items[slot(index, level)];
  }
  return found as T;
}

/** All items, in order. */
export function itemsIn<T>(rows: Row, size: number): T[] {
  const all: T[] = [];
  if (size > 0) collect(rows, levelsOf(size), all);
  return all;
}

function collect({ items }: Row, levels: number, into: unknown[]): void {
  for (const item of items) {
    if (levels === 1) into.push(item);
    else collect(item as Row, levels - 1, into);
  }
}

/** The rows of given items, made at once. */
export function rowsOf(items: readonly unknown[]): Row {
  let level: readonly unknown[] = items.map(sealItem);
  if (level.length === 0) return noRow;
  do {
    const above: Row[] = [];
    for (let i = 0; i < level.length; i += WIDTH) {
      const items = level.slice(i, i + WIDTH);
      const height = items.reduce((max: number, item) => Math.max(max, heightOf(item) + 2), 2);
      const flags = items.reduce((all: number, item) => all | flagsOf(item), 0);
      above.push(row(items, height, flags));
    }
    level = above;
  } while (level.length > 1);
  return level[0] as Row;
}
