/**
 * Table: an immutable map from strings to JSON values that remembers the order of insertion and
 * shares structure, as plain JSON. A look-up and a change cost the same at any size; a plain object
 * would be copied whole at each change.
 */
import {
  emptyVector,
  pushItem,
  replaceItem,
  type Vector,
  vectorItem,
  vectorItems,
} from "./vector.js";

/** An immutable map. Make and read it with the functions beside it. */
export interface Table<V> {
  /** Where in `entries` a key stands: branches by a letter of the key's hash, leaves of pairs. */
  readonly index: Index;
  readonly entries: Vector<readonly [key: string, value: V]>;
}

type Leaf = readonly (readonly [key: string, position: number])[];
type Index = Leaf | { readonly [letter: string]: Index };

/** A leaf with more pairs becomes a branch, as long as the hash has letters left. */
const LEAF = 16;
const MAX_LEVEL = 6;
const letters = "abcdefghijklmnopqrstuvwxyzABCDEF";

const EMPTY: Table<never> = Object.freeze({
  index: Object.freeze([]),
  entries: emptyVector<readonly [string, never]>(),
});

/** The table without entries. */
export function emptyTable<V>(): Table<V> {
  return EMPTY;
}

/** How many entries a table has. */
export function tableSize(table: Table<unknown>): number {
  return table.entries.size;
}

/** The value of a key. */
export function tableGet<V>(table: Table<V>, key: string): V | undefined {
  const position = positionOf(table.index, key);
  return position === undefined ? undefined : vectorItem(table.entries, position)?.[1];
}

/** Whether a table has a key. */
export function tableHas(table: Table<unknown>, key: string): boolean {
  return positionOf(table.index, key) !== undefined;
}

/** A new table with a value under a key; a key that was there keeps its place in the order. */
export function tableSet<V>(table: Table<V>, key: string, value: V): Table<V> {
  const pair = Object.freeze([key, value] as const);
  const position = positionOf(table.index, key);
  if (position !== undefined) {
    return Object.freeze({
      index: table.index,
      entries: replaceItem(table.entries, position, pair),
    });
  }
  const entries = pushItem(table.entries, pair);
  return Object.freeze({
    index: withKey(table.index, key, hash(key), entries.size - 1, 0),
    entries,
  });
}

/** The values, in order of insertion. */
export function tableValues<V>(table: Table<V>): V[] {
  return vectorItems(table.entries).map(([, value]) => value);
}

/** The newest entry. */
export function tableNewest<V>(table: Table<V>): V | undefined {
  return vectorItem(table.entries, table.entries.size - 1)?.[1];
}

function positionOf(index: Index, key: string): number | undefined {
  let node: Index | undefined = index;
  const bits = hash(key);
  for (let level = 0; node !== undefined && !isLeaf(node); level++) {
    node = node[letterAt(bits, level)];
  }
  return node?.find((pair) => pair[0] === key)?.[1];
}

function withKey(index: Index, key: string, bits: number, position: number, level: number): Index {
  if (isLeaf(index)) {
    const pair = Object.freeze([key, position] as const);
    if (index.length < LEAF || level >= MAX_LEVEL) return Object.freeze([...index, pair]);
    let branch: Index = Object.freeze({});
    for (const [other, place] of [...index, pair]) {
      branch = withKey(branch, other, hash(other), place, level);
    }
    return branch;
  }
  const letter = letterAt(bits, level);
  const child = index[letter] ?? Object.freeze([]);
  return Object.freeze({ ...index, [letter]: withKey(child, key, bits, position, level + 1) });
}

function isLeaf(index: Index): index is Leaf {
  return Array.isArray(index);
}

function letterAt(bits: number, level: number): string {
  return letters[(bits >>> (5 * level)) & 31] as string;
}

/** FNV-1a with a last stir; which branch a key is in matters to nobody, as long as it is the same. */
function hash(key: string): number {
  let bits = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) bits = Math.imul(bits ^ key.charCodeAt(i), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  return (bits ^ (bits >>> 13)) >>> 0;
}
