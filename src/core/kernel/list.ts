/**
 * List: the append-only value for what grows with a run (messages, tool records, thoughts). It is
 * plain JSON, shares structure with its predecessors, and carries its size and the head of a hash
 * chain over its items, so that an append and a hash cost the same at any length.
 *
 * The spine works like an odometer: `spine[0]` holds the newest items, fewer than 32; a full row
 * moves up as one entry of `spine[1]`, and so on.
 */
import { ReckonerError } from "./errors.js";
import { hashOf, sha256 } from "./hash.js";
import {
  asJson,
  type Json,
  type JsonObject,
  LIST_KEY,
  MAX_DEPTH,
  MAX_OWN_DEPTH,
  seal,
  toJson,
} from "./json.js";
import { hasPassed, heightOf, holdsList, markPassed } from "./stamp.js";

declare const itemType: unique symbol;

/** An immutable, append-only list of JSON items. Make and read it with the functions beside it. */
export interface List<T> {
  readonly [LIST_KEY]: number;
  /** Head of the hash chain: SHA-256 of the previous head and the item's hash. */
  readonly head: string;
  readonly spine: readonly (readonly unknown[])[];
  readonly [itemType]?: T;
}

const WIDTH = 32;

/** An item wraps what comes from outside (a message, its part), and a List in a context wraps it. */
const MAX_ITEM_DEPTH = MAX_DEPTH + 12;

const NO_ITEMS: readonly never[] = sealJson([]) as readonly never[];

const EMPTY: List<never> = sealed({ [LIST_KEY]: 0, head: "", spine: [] });

function sealed<T>(list: List<T>): List<T> {
  const height = list.spine.reduce((max, row) => Math.max(max, heightOf(row)), 0);
  markPassed(list.spine, height + 1, false);
  Object.freeze(list.spine);
  markPassed(list, height + 2, true);
  return Object.freeze(list);
}

function sealedRow(before: readonly unknown[], last: unknown): readonly unknown[] {
  const row = [...before, last];
  markPassed(row, Math.max(heightOf(before), heightOf(last) + 1), false);
  return Object.freeze(row);
}

/** The list without items. */
export function emptyList<T>(): List<T> {
  return EMPTY;
}

/** A list of the given items. */
export function listOf<T>(items: Iterable<T>): List<T> {
  return append(EMPTY as List<T>, ...items);
}

/** Whether a value is a List. */
export function isList(value: unknown): value is List<unknown> {
  return typeof value === "object" && value !== null && LIST_KEY in value;
}

/** How many items a list has. */
export function sizeOf(list: List<unknown>): number {
  return list[LIST_KEY];
}

/** A new list with items added at the end. Items pass the JSON border. */
export function append<T>(list: List<T>, ...items: readonly T[]): List<T> {
  let next = list;
  for (const item of items) next = appendOne(next, item);
  return next;
}

function appendOne<T>(list: List<T>, value: T): List<T> {
  const item =
    typeof value === "object" && value !== null && hasPassed(value) && !holdsList(value)
      ? asJson(value)
      : toJson(value, `$[${sizeOf(list)}]`, MAX_ITEM_DEPTH);
  const spine = [...list.spine];
  let carry: unknown = item;
  for (let level = 0; ; level++) {
    const row = sealedRow(spine[level] ?? [], carry);
    if (row.length < WIDTH) {
      spine[level] = row;
      break;
    }
    spine[level] = NO_ITEMS;
    carry = row;
  }
  return sealed({ [LIST_KEY]: sizeOf(list) + 1, head: chain(list.head, item), spine });
}

/** The head of a list after one more item. */
export function chain(head: string, item: Json): string {
  return sha256(`${head}\n${hashOf(item)}`);
}

/** The item at an index, counted from 0, or from the end where negative. */
export function itemAt<T>(list: List<T>, index: number): T | undefined {
  const size = sizeOf(list);
  let rest = index < 0 ? size + index : index;
  if (rest < 0 || rest >= size) return undefined;
  for (let level = list.spine.length - 1; level >= 0; level--) {
    const row = list.spine[level] as readonly unknown[];
    const span = WIDTH ** level;
    if (rest < row.length * span) {
      let found: unknown = row[Math.floor(rest / span)];
      for (let below = level - 1; below >= 0; below--) {
        rest %= WIDTH ** (below + 1);
        found = (found as readonly unknown[])[Math.floor(rest / WIDTH ** below)];
      }
      return found as T;
    }
    rest -= row.length * span;
  }
  return undefined;
}

/** The items of a list as an array, from an index on. */
export function toArray<T>(list: List<T>, from = 0): T[] {
  const size = sizeOf(list);
  if (size - from <= WIDTH) {
    const tail: T[] = [];
    for (let i = Math.max(0, from); i < size; i++) tail.push(itemAt(list, i) as T);
    return tail;
  }
  const all: T[] = [];
  for (let level = list.spine.length - 1; level >= 0; level--) {
    collect(list.spine[level] as readonly unknown[], level, all);
  }
  return from === 0 ? all : all.slice(from);
}

function collect(row: readonly unknown[], level: number, into: unknown[]): void {
  for (const item of row) {
    if (level === 0) into.push(item);
    else collect(item as readonly unknown[], level - 1, into);
  }
}

/** Checks an object that claims to be a List, as it comes back from JSON. @internal */
export function checkList(value: JsonObject, path: string): void {
  const list = value as unknown as List<unknown>;
  const size = list[LIST_KEY];
  const shaped =
    Number.isSafeInteger(size) &&
    size >= 0 &&
    typeof list.head === "string" &&
    Array.isArray(list.spine) &&
    Object.keys(value).length === 3 &&
    count(list.spine) === size;
  if (!shaped) {
    throw new ReckonerError("json.refused", `${path} is not a well-formed List.`, { place: path });
  }
}

function count(spine: readonly (readonly unknown[])[]): number {
  let size = 0;
  for (let level = 0; level < spine.length; level++) {
    const row = spine[level];
    if (!Array.isArray(row) || row.length >= WIDTH || !row.every((item) => isFull(item, level))) {
      return -1;
    }
    size += row.length * WIDTH ** level;
  }
  return size;
}

/** Whether an entry of a row holds all the items that its level says. */
function isFull(entry: unknown, level: number): boolean {
  if (level === 0) return true;
  if (!Array.isArray(entry) || entry.length !== WIDTH) return false;
  return level === 1 || entry.every((item) => isFull(item, level - 1));
}

/**
 * A machine's own value as sealed JSON; Lists are allowed in it.
 * @typeParam T what the caller knows the value to be
 * @internal
 */
export function sealJson<T = Json>(
  value: unknown,
  path = "$",
  maxDepth: number = MAX_OWN_DEPTH,
): T {
  return seal(value, path, checkList, maxDepth) as T;
}
