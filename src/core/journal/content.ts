/**
 * States by their content, for snapshots: Lists, Vectors and Tables as their items, so that there is
 * no shape to forge. What is read back is built anew, and with it every digest.
 */
import {
  isList,
  type Json,
  type JsonObject,
  LIST_KEY,
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

/** A value by its content. */
export function contentOf(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => contentOf(item));
  if (isList(value)) return { [LIST_KEY]: toArray(value as List<Json>).map(contentOf) };
  if (VECTOR_KEY in value) {
    return { [VECTOR_KEY]: vectorItems(value as unknown as Vector<Json>).map(contentOf) };
  }
  if (TABLE_KEY in value) {
    const places = tablePlaces(value as unknown as Table<Json>);
    return { [TABLE_KEY]: places.map((each) => each && [each[0], contentOf(each[1])]) };
  }
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, child]) => [key, contentOf(child)]),
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
  if (LIST_KEY in object) {
    return listOf(itemsOf(object[LIST_KEY]).map(fromContent)) as unknown as Json;
  }
  if (VECTOR_KEY in object) {
    return vectorOf(itemsOf(object[VECTOR_KEY]).map(fromContent)) as unknown as Json;
  }
  if (TABLE_KEY in object) {
    return tableOfPlaces(itemsOf(object[TABLE_KEY]).map(placeOf)) as unknown as Json;
  }
  const copy: Record<string, Json> = {};
  for (const [key, child] of Object.entries(object)) {
    if (key === "__proto__") throw refused("has a key __proto__");
    copy[key] = fromContent(child);
  }
  return sealJson(copy);
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
