/** Checks the internal form of Lists, Vectors and Tables that come back from JSON. */
import { type JsonObject, LIST_KEY, TABLE_KEY, VECTOR_KEY } from "./json.js";

const WIDTH = 32;

/** Returns the claim of an object, to be a List, a Vector or a Table, where it is none. */
export function malformedCollection(value: JsonObject): string | undefined {
  if (LIST_KEY in value) return isListShaped(value) ? undefined : "List";
  if (VECTOR_KEY in value)
    return isRowsShaped(value, VECTOR_KEY, () => true) ? undefined : "Vector";
  return isRowsShaped(value, TABLE_KEY, isEntry) ? undefined : "Table";
}

function isSize(size: unknown): size is number {
  return Number.isSafeInteger(size) && (size as number) >= 0;
}

function isListShaped(value: JsonObject): boolean {
  const { spine } = value;
  const size = value[LIST_KEY];
  if (!isSize(size) || !Array.isArray(spine) || Object.keys(value).length !== 2) return false;
  let count = 0;
  for (let level = 0; level < spine.length; level++) {
    const row: unknown = spine[level];
    if (!Array.isArray(row) || row.length >= WIDTH) return false;
    if (!row.every((item) => isFull(item, level))) return false;
    count += row.length * WIDTH ** level;
  }
  return count === size;
}

/** Returns true when an entry of a List's row holds all the items that its level says. */
function isFull(entry: unknown, level: number): boolean {
  if (level === 0) return true;
  if (!Array.isArray(entry) || entry.length !== WIDTH) return false;
  return level === 1 || entry.every((item) => isFull(item, level - 1));
}

function isRowsShaped(value: JsonObject, key: string, isItem: (item: unknown) => boolean): boolean {
  const size = value[key];
  if (!isSize(size) || Object.keys(value).length !== 2) return false;
  let levels = 1;
  for (let room = WIDTH; room < size; room *= WIDTH) levels += 1;
  return isRow(value.rows, levels, size, isItem);
}

/** Returns true when a row holds so many items, all its rows but the last ones full. */
function isRow(
  value: unknown,
  levels: number,
  size: number,
  isItem: (item: unknown) => boolean,
): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { items } = value as { readonly items?: unknown };
  if (!Array.isArray(items) || Object.keys(value).length !== 1) return false;
  if (levels === 1) return items.length === size && items.every(isItem);
  const room = WIDTH ** (levels - 1);
  if (items.length !== Math.ceil(size / room)) return false;
  return items.every((row, i) => isRow(row, levels - 1, Math.min(room, size - i * room), isItem));
}

/** An entry of a Table, or the gap that a removed one left. */
function isEntry(item: unknown): boolean {
  if (item === null) return true;
  if (typeof item !== "object" || Object.keys(item).length !== 2) return false;
  return "value" in item && "key" in item && typeof item.key === "string";
}
