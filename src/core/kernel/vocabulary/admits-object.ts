/**
 * Tells whether an object can fit a JSON Schema, as the arguments of a tool call have to; `tool()` refuses
 * an input schema for which none can.
 */
import { isJsonObject, type Json, type JsonObject } from "../values/json.js";

/**
 * Returns false for a schema that no object fits. A schema that it cannot judge counts as one that some
 * objects fit.
 */
export function admitsObject(schema: JsonObject): boolean {
  return admits(schema, schema, new Set());
}

function admits(schema: Json, root: JsonObject, above: ReadonlySet<Json>): boolean {
  if (!isJsonObject(schema)) return schema !== false;
  // A reference that leads back to itself says nothing of its own.
  if (above.has(schema)) return true;
  const inner = new Set(above).add(schema);
  const within = (each: Json) => admits(each, root, inner);
  const { type, enum: values, const: value, anyOf, oneOf, allOf, $ref } = schema;
  if (type !== undefined && type !== "object" && !(Array.isArray(type) && type.includes("object")))
    return false;
  if (Array.isArray(values) && !values.some((each) => isJsonObject(each as Json))) return false;
  if (value !== undefined && !isJsonObject(value)) return false;
  for (const some of [anyOf, oneOf]) {
    if (Array.isArray(some) && !some.some(within)) return false;
  }
  if (Array.isArray(allOf) && !allOf.every(within)) return false;
  return typeof $ref !== "string" || within(pointed(root, $ref));
}

/** Returns the target of a reference within the schema; `true`, which everything fits, where it leads elsewhere. */
function pointed(root: JsonObject, ref: string): Json {
  if (!ref.startsWith("#")) return true;
  let at: Json | undefined = root;
  for (const segment of ref.split("/").slice(1)) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    at =
      typeof at === "object" && at !== null && Object.hasOwn(at, name)
        ? (at as JsonObject)[name]
        : undefined;
  }
  return at ?? true;
}
