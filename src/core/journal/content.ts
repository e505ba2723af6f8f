/**
 * Converts states to their content for snapshots and upgrade lines: Lists, Vectors and Tables
 * become their items, so that their internal form cannot be forged. What is read back is built
 * anew, and so is every digest.
 */
import {
  asJson,
  isJsonObject,
  isList,
  isWithoutEquals,
  type Json,
  type JsonObject,
  type List,
  listOf,
  ReckonerError,
  TABLE_KEY,
  type Table,
  tableCells,
  tableOfCells,
  toArray,
  VECTOR_KEY,
  type Vector,
  vectorItems,
  vectorOf,
} from "../kernel/index.js";

/** What stands for a collection; a key of a value's own that begins like one gets another `=`. */
const LIST = "=list";
const VECTOR = "=vector";
const TABLE = "=table";

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

/**
 * A value from its content. What holds no collection is not copied but taken as it is, so that a long
 * List costs what its items' digests cost.
 * @throws ReckonerError `json.refused` where it is none
 */
export function fromContent(content: Json): Json {
  if (typeof content !== "object" || content === null || isWithoutEquals(content)) return content;
  if (Array.isArray(content)) return arrayFrom(content);
  const object = content as JsonObject;
  if (LIST in object) {
    return asJson(listOf(arrayFrom(itemsOf(object[LIST]))));
  }
  if (VECTOR in object) {
    return asJson(vectorOf(arrayFrom(itemsOf(object[VECTOR]))));
  }
  if (TABLE in object) {
    return asJson(tableOfCells(itemsOf(object[TABLE]).map(cellOf)));
  }
  let copy: Record<string, Json> | undefined;
  for (const key of Object.keys(object)) {
    if (key === "__proto__") throw refused("has a key __proto__");
    const child = object[key] as Json;
    const built = fromContent(child);
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

function arrayFrom(items: readonly Json[]): readonly Json[] {
  let copy: Json[] | undefined;
  for (const [i, item] of items.entries()) {
    const built = fromContent(item);
    if (copy === undefined && built === item) continue;
    copy ??= items.slice(0, i);
    copy.push(built);
  }
  return copy ?? items;
}

/** The parts of a long collection, each as a content by itself; `undefined` where it is none. */
export function splitContent(content: Json, length: number): readonly Json[] | undefined {
  // A text has a key for each of its characters.
  if (!isJsonObject(content)) return undefined;
  const [key] = Object.keys(content);
  const items = content[key ?? ""];
  if ((key !== LIST && key !== VECTOR && key !== TABLE) || !Array.isArray(items)) return undefined;
  const parts: Json[] = [];
  let part: Json[] = [];
  let size = 0;
  for (const item of items as readonly Json[]) {
    const more = JSON.stringify(item).length;
    if (size > 0 && size + more > length) {
      parts.push({ [key]: part });
      part = [];
      size = 0;
    }
    part.push(item);
    size += more;
  }
  return [...parts, { [key]: part }];
}

/** A content with what was split from it. @throws ReckonerError `json.refused` */
export function joinContent(first: Json, rest: Json): Json {
  for (const key of [LIST, VECTOR, TABLE]) {
    if (!isJsonObject(first) || !isJsonObject(rest) || !(key in first) || !(key in rest)) continue;
    return { [key]: [...itemsOf(first[key]), ...itemsOf(rest[key])] };
  }
  throw refused("is given twice");
}

function cellOf(cell: Json): readonly [string, Json] | null {
  if (cell === null) return null;
  if (!Array.isArray(cell) || cell.length !== 2 || typeof cell[0] !== "string") {
    throw refused("has an entry that is none");
  }
  return [cell[0], fromContent(cell[1])];
}

function itemsOf(items: Json | undefined): readonly Json[] {
  if (Array.isArray(items)) return items;
  throw refused("has a collection without items");
}

function refused(what: string): ReckonerError {
  return new ReckonerError("json.refused", `The content ${what}.`);
}
