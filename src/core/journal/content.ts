/**
 * Converts states to their content for snapshots and upgrade lines: Lists, Vectors and Tables
 * become their items, so that their internal form cannot be forged. A snapshot names full rows of Lists. What is read back is built
 * anew, and so is every digest.
 */
import {
  isList,
  type Json,
  type JsonObject,
  type List,
  listHead,
  TABLE_KEY,
  type Table,
  tableCells,
  toArray,
  VECTOR_KEY,
  type Vector,
  vectorItems,
} from "../kernel/index.js";
import { type NamedRows, rowsOfList } from "./shared-rows.js";

/** What stands for a collection; a key of a value's own that begins like one gets another `=`. */
export const LIST = "=list";
export const VECTOR = "=vector";
export const TABLE = "=table";
/** Beside the items of a List behind its full rows: the names of these, and the head of its chain. */
export const ROWS = "=rows";
export const HEAD = "=head";

/** A value by its content. @param rows takes full rows of Lists, which are named then */
export function contentOf(value: Json, rows?: NamedRows): Json {
  if (typeof value !== "object" || value === null) return value;
  const of = (each: Json) => contentOf(each, rows);
  if (Array.isArray(value)) return value.map(of);
  if (isList(value)) {
    const list = value as List<Json>;
    if (rows === undefined || list.spine.length < 2) return { [LIST]: toArray(list).map(of) };
    const named = rowsOfList(list, rows, of);
    return { [LIST]: named.rest, [ROWS]: named.rows, [HEAD]: listHead(list) };
  }
  if (VECTOR_KEY in value) {
    return { [VECTOR]: vectorItems(value as unknown as Vector<Json>).map(of) };
  }
  if (TABLE_KEY in value) {
    const cells = tableCells(value as unknown as Table<Json>);
    return { [TABLE]: cells.map((each) => each && [each[0], of(each[1])]) };
  }
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, child]) => [
      key.startsWith("=") ? `=${key}` : key,
      of(child),
    ]),
  );
}
