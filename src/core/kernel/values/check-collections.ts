/**
 * Checks that an argument is a List, a Vector or a Table: in plain JavaScript an array is easily
 * passed instead. One function per kind, since V8 looks up a property much faster if a place in the
 * source always has the same name.
 */
import { ReckonerError } from "./errors.js";
import type { LIST_KEY, TABLE_KEY, VECTOR_KEY } from "./json.js";

/** @throws ReckonerError `option.invalid` where a value is no List */
export function checkList(value: { readonly [LIST_KEY]: number }): void {
  if ((value as Partial<typeof value> | null)?.["@list"] === undefined)
    throw noCollection(value, "A List is needed; make one with lists.of(items)");
}

/** @throws ReckonerError `option.invalid` where a value is no Vector */
export function checkVector(value: { readonly [VECTOR_KEY]: number }): void {
  if ((value as Partial<typeof value> | null)?.["@vector"] === undefined)
    throw noCollection(value, "A Vector is needed; make one with vectors.of(items)");
}

/** @throws ReckonerError `option.invalid` where a value is no Table */
export function checkTable(value: { readonly [TABLE_KEY]: number }): void {
  if ((value as Partial<typeof value> | null)?.["@table"] === undefined)
    throw noCollection(
      value,
      "A Table is needed; make one with tables.set(tables.empty(), key, value)",
    );
}

function noCollection(value: unknown, needed: string): ReckonerError {
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return new ReckonerError("option.invalid", `${needed}. What was given is ${kind}.`);
}
