/**
 * States by their content, for snapshots and upgrades: Lists, Vectors and Tables as their items, so
 * that there is no shape to forge. What is read back is built anew, and with it every digest.
 */
import {
  isJsonObject,
  isList,
  type Json,
  type JsonObject,
  type List,
  listOf,
  ReckonerError,
  sealJson,
  TABLE_KEY,
  type Table,
  tableOfPlaces,
  tablePlaces,
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
    const places = tablePlaces(value as unknown as Table<Json>);
    return { [TABLE]: places.map((each) => each && [each[0], contentOf(each[1])]) };
  }
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, child]) => [
      key.startsWith("=") ? `=${key}` : key,
      contentOf(child),
    ]),
  );
}

/**
 * A value from its content.
 * @throws ReckonerError `json.refused` where it is none
 */
export function fromContent(content: Json): Json {
  if (typeof content !== "object" || content === null) return content;
  if (Array.isArray(content)) return content.map((item: Json) => fromContent(item));
  const object = content as JsonObject;
  if (LIST in object) {
    return listOf(itemsOf(object[LIST]).map(fromContent)) as unknown as Json;
  }
  if (VECTOR in object) {
    return vectorOf(itemsOf(object[VECTOR]).map(fromContent)) as unknown as Json;
  }
  if (TABLE in object) {
    return tableOfPlaces(itemsOf(object[TABLE]).map(placeOf)) as unknown as Json;
  }
  const copy: Record<string, Json> = {};
  for (const [key, child] of Object.entries(object)) {
    if (key === "__proto__") throw refused("has a key __proto__");
    copy[key.startsWith("==") ? key.slice(1) : key] = fromContent(child);
  }
  return sealJson(copy);
}

/** The parts of a long collection, each as a content by itself; `undefined` where it is none. */
export function splitContent(content: Json, length: number): readonly Json[] | undefined {
  const [key] = Object.keys(content as JsonObject);
  const items = (content as JsonObject)[key ?? ""];
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

function placeOf(place: Json): readonly [string, Json] | null {
  if (place === null) return null;
  if (!Array.isArray(place) || place.length !== 2 || typeof place[0] !== "string") {
    throw refused("has an entry that is none");
  }
  return [place[0], fromContent(place[1])];
}

function itemsOf(items: Json | undefined): readonly Json[] {
  if (Array.isArray(items)) return items;
  throw refused("has a collection without items");
}

function refused(what: string): ReckonerError {
  return new ReckonerError("json.refused", `The content ${what}.`);
}
