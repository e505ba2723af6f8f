/**
 * Converts states to their content for snapshots and upgrade lines: Lists, Vectors and Tables
 * become their items, so that their internal form cannot be forged. What is read back is built
 * anew, and so is every digest.
 */
import {
  isList,
  type Json,
  type JsonObject,
  type List,
  TABLE_KEY,
  type Table,
  tableCells,
  toArray,
  VECTOR_KEY,
  type Vector,
  vectorItems,
} from "../kernel/index.js";

/** What stands for a collection; a key of a value's own that begins like one gets another `=`. */
export const LIST = "=list";
export const VECTOR = "=vector";
export const TABLE = "=table";

/** A value by its content. */
export function contentOf(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => contentOf(item));
  if (isList(value)) return { [LIST]: toArray(value as List<Json>).map(contentOf) };
  if (VECTOR_KEY in value) {
    return { [VECTOR]: vectorItems(value as unknown as Vector<Json>).map(contentOf) };
  }
  if (TABLE_KEY in value) {
    const cells = tableCells(value as unknown as Table<Json>);
    return { [TABLE]: cells.map((each) => each && [each[0], contentOf(each[1])]) };
  }
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, child]) => [
      key.startsWith("=") ? `=${key}` : key,
      contentOf(child),
    ]),
  );
}
