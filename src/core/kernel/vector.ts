/**
 * Vector: an immutable array that shares structure, as plain JSON. A push and a replacement copy one
 * row of 32 for each level, so the 10 000th costs what the 10th does, sealing included: the kernel's
 * `seal` skips the rows that are shared. Unlike a List it can change an item, and it carries no hash.
 */

declare const itemType: unique symbol;

/** An immutable array of JSON items. Make and read it with the functions beside it. */
export interface Vector<T> {
  readonly size: number;
  /** Rows of rows of items; how deep follows from the size. */
  readonly rows: readonly unknown[];
  readonly [itemType]?: T;
}

const WIDTH = 32;

const EMPTY: Vector<never> = Object.freeze({ size: 0, rows: Object.freeze([]) });

/** The vector without items. */
export function emptyVector<T>(): Vector<T> {
  return EMPTY;
}

/** A vector of the given items. */
export function vectorOf<T>(items: Iterable<T>): Vector<T> {
  let vector = emptyVector<T>();
  for (const item of items) vector = pushItem(vector, item);
  return vector;
}

/** A new vector with an item added at the end. */
export function pushItem<T>(vector: Vector<T>, item: T): Vector<T> {
  const { size, rows } = vector;
  const levels = levelsOf(size);
  const full = size === WIDTH ** levels;
  const grown = full ? put([rows], levels + 1, size, item) : put(rows, levels, size, item);
  return Object.freeze({ size: size + 1, rows: grown });
}

/** A new vector with another item at an index. An index that is not there changes nothing. */
export function replaceItem<T>(vector: Vector<T>, index: number, item: T): Vector<T> {
  const { size, rows } = vector;
  if (!(index >= 0 && index < size)) return vector;
  return Object.freeze({ size, rows: put(rows, levelsOf(size), index, item) });
}

/** The item at an index, counted from 0. */
export function vectorItem<T>(vector: Vector<T>, index: number): T | undefined {
  if (!(index >= 0 && index < vector.size)) return undefined;
  let found: unknown = vector.rows;
  for (let level = levelsOf(vector.size) - 1; level >= 0; level--) {
    found = (found as readonly unknown[])[slot(index, level)];
  }
  return found as T;
}

/** All items, in order. */
export function vectorItems<T>(vector: Vector<T>): T[] {
  const all: T[] = [];
  collect(vector.rows, levelsOf(vector.size), all);
  return all;
}

function levelsOf(size: number): number {
  let levels = 1;
  for (let room = WIDTH; room < size; room *= WIDTH) levels += 1;
  return levels;
}

function slot(index: number, level: number): number {
  return Math.floor(index / WIDTH ** level) % WIDTH;
}

function put(row: readonly unknown[], levels: number, index: number, item: unknown): unknown[] {
  const copy = [...row];
  const here = slot(index, levels - 1);
  copy[here] =
    levels === 1
      ? item
      : put((copy[here] as readonly unknown[] | undefined) ?? [], levels - 1, index, item);
  Object.freeze(copy);
  return copy;
}

function collect(row: readonly unknown[], levels: number, into: unknown[]): void {
  for (const item of row) {
    if (levels === 1) into.push(item);
    else collect(item as readonly unknown[], levels - 1, into);
  }
}
