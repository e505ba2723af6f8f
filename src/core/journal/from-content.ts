/**
 * Rebuilds Lists, Vectors and Tables from the content that snapshots and upgrades hold: the inverse of
 * `content.ts`.
 */
import {
  asJson,
  isJsonObject,
  isWithoutEquals,
  type Json,
  type JsonObject,
  type List,
  listOf,
  ReckonerError,
  tableOfCells,
  vectorOf,
} from "../kernel/values/index.js";
import { LIST, TABLE, VECTOR } from "./content.js";

/** A List whose content is not whole; `undefined` for one that is. */
export type ListFrom = (content: JsonObject, of: (item: Json) => Json) => List<Json> | undefined;

/**
 * A value from its content. A value that holds no collection is not copied but taken as it is, so that a long
 * List costs what its items' digests cost.
 * @param short gives Lists that do not stand there whole, where there may be some
 * @throws ReckonerError `json.refused` where it is none
 */
export function fromContent(content: Json, short?: ListFrom): Json {
  if (typeof content !== "object" || content === null || isWithoutEquals(content)) return content;
  const arrayFrom = (items: readonly Json[]) => arrayOf(items, short);
  if (Array.isArray(content)) return arrayFrom(content);
  const object = content as JsonObject;
  if (LIST in object) {
    const list = short?.(object, (each) => fromContent(each, short));
    return asJson(list ?? listOf(arrayFrom(itemsOf(object[LIST]))));
  }
  if (VECTOR in object) {
    return asJson(vectorOf(arrayFrom(itemsOf(object[VECTOR]))));
  }
  if (TABLE in object) {
    return asJson(tableOfCells(itemsOf(object[TABLE]).map((cell) => cellOf(cell, short))));
  }
  let copy: Record<string, Json> | undefined;
  for (const key of Object.keys(object)) {
    if (key === "__proto__") throw refused("has a key __proto__");
    const child = object[key] as Json;
    const built = fromContent(child, short);
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

function arrayOf(items: readonly Json[], short?: ListFrom): readonly Json[] {
  let copy: Json[] | undefined;
  for (const [i, item] of items.entries()) {
    const built = fromContent(item, short);
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
    return { ...first, [key]: [...itemsOf(first[key]), ...itemsOf(rest[key])] };
  }
  throw refused("is given twice");
}

function cellOf(cell: Json, short?: ListFrom): readonly [string, Json] | null {
  if (cell === null) return null;
  if (!Array.isArray(cell) || cell.length !== 2 || typeof cell[0] !== "string") {
    throw refused("has an invalid entry");
  }
  return [cell[0], fromContent(cell[1], short)];
}

/** The items of a collection's content. @throws ReckonerError `json.refused` where it has none */
export function itemsOf(items: Json | undefined): readonly Json[] {
  if (Array.isArray(items)) return items;
  throw refused("has a collection without items");
}

function refused(what: string): ReckonerError {
  return new ReckonerError("json.refused", `The content ${what}.`);
}
