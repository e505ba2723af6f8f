/** Values built anew from their content, as snapshots and upgrades hold it. */
import {
  asJson,
  isJsonObject,
  isWithoutEquals,
  type Json,
  type JsonObject,
  listOf,
  ReckonerError,
  tableOfCells,
  vectorOf,
} from "../kernel/index.js";
import { HEAD, LIST, ROWS, TABLE, VECTOR } from "./content.js";
import { listOfRows, type RowsContent } from "./shared-rows.js";

/**
 * A value from its content. What holds no collection is not copied but taken as it is, so that a long
 * List costs what its items' digests cost.
 * @param row gives what the text of a row says, where it may name some
 * @throws ReckonerError `json.refused` where it is none
 */
export function fromContent(content: Json, row?: (name: string) => Json): Json {
  if (typeof content !== "object" || content === null || isWithoutEquals(content)) return content;
  const arrayFrom = (items: readonly Json[]) => arrayOf(items, row);
  if (Array.isArray(content)) return arrayFrom(content);
  const object = content as JsonObject;
  if (row !== undefined && ROWS in object) {
    const named = { rows: object[ROWS], rest: object[LIST] } as unknown as RowsContent;
    const of = (each: Json) => fromContent(each, row);
    return asJson(listOfRows(named, row, of, String(object[HEAD])));
  }
  if (LIST in object) {
    return asJson(listOf(arrayFrom(itemsOf(object[LIST]))));
  }
  if (VECTOR in object) {
    return asJson(vectorOf(arrayFrom(itemsOf(object[VECTOR]))));
  }
  if (TABLE in object) {
    return asJson(tableOfCells(itemsOf(object[TABLE]).map((cell) => cellOf(cell, row))));
  }
  let copy: Record<string, Json> | undefined;
  for (const key of Object.keys(object)) {
    if (key === "__proto__") throw refused("has a key __proto__");
    const child = object[key] as Json;
    const built = fromContent(child, row);
    if (copy === undefined) {
      if (built === child && !key.startsWith("==")) continue;
      copy = before(object, key);
    }
    copy[key.startsWith("==") ? key.slice(1) : key] = built;
  }
  return copy ?? object;
}

/** The entries of an object before a key. */
function before(object: JsonObject, end: string): Record<string, Json> {
  const keys = Object.keys(object);
  const first = keys.slice(0, keys.indexOf(end));
  return Object.fromEntries(first.map((key) => [key, object[key] as Json]));
}

function arrayOf(items: readonly Json[], row?: (name: string) => Json): readonly Json[] {
  let copy: Json[] | undefined;
  for (const [i, item] of items.entries()) {
    const built = fromContent(item, row);
    if (copy === undefined && built === item) continue;
    copy ??= items.slice(0, i);
    copy.push(built);
  }
  return copy ?? items;
}

/** A content with what was split from it. @throws ReckonerError `json.refused` */
export function joinContent(first: Json, rest: Json): Json {
  for (const key of [LIST, VECTOR, TABLE]) {
    if (!isJsonObject(first) || !isJsonObject(rest) || !(key in first) || !(key in rest)) continue;
    return { [key]: [...itemsOf(first[key]), ...itemsOf(rest[key])] };
  }
  throw refused("is given twice");
}

function cellOf(cell: Json, row?: (name: string) => Json): readonly [string, Json] | null {
  if (cell === null) return null;
  if (!Array.isArray(cell) || cell.length !== 2 || typeof cell[0] !== "string") {
    throw refused("has an invalid entry");
  }
  return [cell[0], fromContent(cell[1], row)];
}

function itemsOf(items: Json | undefined): readonly Json[] {
  if (Array.isArray(items)) return items;
  throw refused("has a collection without items");
}

function refused(what: string): ReckonerError {
  return new ReckonerError("json.refused", `The content ${what}.`);
}
