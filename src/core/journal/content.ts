/**
 * Converts states to their content for snapshots and upgrade lines: Lists, Vectors and Tables become their
 * items. A reader builds them and their digests anew, so that their internal form cannot be forged. A
 * snapshot only names full rows of Lists, an upgrade the Lists that the journal had before.
 */
import {
  isList,
  isPassedPlain,
  isWithoutEquals,
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
} from "../kernel/values/index.js";

/** The key that stands for a collection; a key of a value's own that begins like one gets another `=`. */
export const LIST = "=list";
export const VECTOR = "=vector";
export const TABLE = "=table";
/** Beside the items of a List behind another one: the reference of that. */
export const AFTER = "=after";

/** The content of a List that does not stand there whole; `undefined` for one that does. */
export type ListContent = (list: List<Json>, of: (value: Json) => Json) => JsonObject | undefined;

/** Returns true when a value is validated and without collections and keys that need another `=`. */
function isItsContent(value: object): boolean {
  return isPassedPlain(value) && isWithoutEquals(value);
}

/** A value by its content. @param short of Lists that do not stand there whole */
export function contentOf(value: Json, short?: ListContent): Json {
  if (typeof value !== "object" || value === null || isItsContent(value)) return value;
  const of = (each: Json) => contentOf(each, short);
  if (Array.isArray(value)) return value.map(of);
  if (isList(value)) {
    const list = value as List<Json>;
    return short?.(list, of) ?? { [LIST]: toArray(list).map(of) };
  }
  if (VECTOR_KEY in value) {
    return { [VECTOR]: vectorItems(value as unknown as Vector<Json>).map(of) };
  }
  if (TABLE_KEY in value) {
    const cells = tableCells(value as unknown as Table<Json>);
    return { [TABLE]: cells.map((each) => each && [each[0], of(each[1])]) };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key.startsWith("=") ? `=${key}` : key, of(child)]),
  );
}
