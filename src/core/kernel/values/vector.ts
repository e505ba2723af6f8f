/**
 * Vector: an immutable array that shares structure, as plain JSON. Push, replacement and digest
 * cost the same at any size. Unlike a List it can replace an item.
 */
import { checkVector } from "./check-collections.js";
import { VECTOR_KEY } from "./json.js";
import { itemIn, itemsIn, noRow, pushed, type Row, replaced, rowsOf } from "./rows.js";
import { sealedCollection } from "./seal.js";
import { factsOf, flagsIn, HOLDS_LIST, heightIn, markPassed } from "./stamp.js";

declare const itemType: unique symbol;

/** An immutable array of JSON items. Make and read it with the functions beside it. */
export interface Vector<T> {
  readonly [VECTOR_KEY]: number;
  /** Rows of rows of items; how deep follows from the size. */
  readonly rows: Row;
  readonly [itemType]?: T;
}

const EMPTY: Vector<never> = vector(0, noRow);

function vector<T>(size: number, rows: Row): Vector<T> {
  const made: Vector<T> = { [VECTOR_KEY]: size, rows };
  const facts = factsOf(rows);
  markPassed(made, heightIn(facts) + 1, flagsIn(facts) | HOLDS_LIST);
  return Object.freeze(made);
}

/** The vector without items. */
export function emptyVector<T>(): Vector<T> {
  return EMPTY;
}

/** A vector of the given items. */
export function vectorOf<T>(items: Iterable<T>): Vector<T> {
  const all = [...items];
  return all.length === 0 ? EMPTY : vector(all.length, rowsOf(all));
}

/** Returns the number of a vector's items. */
export function vectorSize(of: Vector<unknown>): number {
  checkVector(of);
  return of[VECTOR_KEY];
}

/** A new vector with an item added at the end. */
export function pushItem<T>(to: Vector<T>, item: T): Vector<T> {
  checkVector(to);
  const { [VECTOR_KEY]: size, rows } = to;
  const facts = factsOf(rows);
  if (facts === 0) return pushItem(sealedCollection(to), item);
  return vector(size + 1, pushed(rows, facts, size, item));
}

/** A new vector with another item at an index. An index that is not there changes nothing. */
export function replaceItem<T>(of: Vector<T>, index: number, item: T): Vector<T> {
  checkVector(of);
  const { [VECTOR_KEY]: size, rows } = of;
  if (!(index >= 0 && index < size && Number.isInteger(index))) return of;
  const facts = factsOf(rows);
  if (facts === 0) return replaceItem(sealedCollection(of), index, item);
  return vector(size, replaced(rows, facts, size, index, item));
}

/** The item at an index, counted from 0. */
export function vectorItem<T>(of: Vector<T>, index: number): T | undefined {
  checkVector(of);
  return itemIn(of.rows, of[VECTOR_KEY], index);
}

/** All items, in order. */
export function vectorItems<T>(of: Vector<T>): T[] {
  checkVector(of);
  return itemsIn(of.rows, of[VECTOR_KEY]);
}
