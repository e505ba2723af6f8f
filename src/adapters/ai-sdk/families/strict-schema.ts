/**
 * Rewrites a JSON Schema in the subset that a provider's strict mode takes: closed objects, all of whose
 * properties are required; one that was optional may be null. Constraints that the mode refuses are put into
 * words. The rules in `strict.ts` use it.
 */
import { isJsonObject, type Json, type JsonObject } from "../../../core/kernel/values/index.js";

/** A schema that a strict mode takes, or why there is none that means the same. */
export type Strict = { readonly schema: JsonObject } | { readonly reason: string };

/** Keywords whose meaning has no other form. */
const REFUSED = [
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependentRequired",
  "dependencies",
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
  "prefixItems",
  "contains",
  "additionalItems",
];

/** Constraints that are told in words: the reader checks them all the same. */
const IN_WORDS = [
  "minLength",
  "maxLength",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "default",
];

const FORMATS = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);

const LOOK_AROUND = /\(\?(?:[=!]|<[=!])/;

/** The limits of a strict mode. */
const MOST_PROPERTIES = 5_000;
const MOST_DEPTH = 10;
const MOST_VALUES = 1_000;

/** Thrown within, and caught where the conversion began. */
class Unfit extends Error {}

interface Counts {
  properties: number;
  values: number;
}

/** Converts a schema whose root is an object. */
export function strictSchema(schema: JsonObject): Strict {
  const counts: Counts = { properties: 0, values: 0 };
  try {
    const strict = convert(schema, 0, counts);
    if (counts.properties > MOST_PROPERTIES) throw new Unfit("more than 5000 properties");
    if (counts.values > MOST_VALUES) throw new Unfit("more than 1000 values in enums");
    return { schema: strict };
  } catch (thrown) {
    if (thrown instanceof Unfit) return { reason: thrown.message };
    throw thrown;
  }
}

function convert(schema: Json, depth: number, counts: Counts): JsonObject {
  if (!isJsonObject(schema)) throw new Unfit("a value of any kind");
  if (depth > MOST_DEPTH) throw new Unfit("more than ten levels");
  const { additionalProperties = false } = schema;
  if (additionalProperties !== false) throw new Unfit("an object with any properties");
  const refused = REFUSED.find((keyword) => keyword in schema);
  if (refused !== undefined) throw new Unfit(refused);
  // Nothing may stand beside a reference but the definitions of the root.
  if (typeof schema.$ref === "string")
    return withParts({ $ref: schema.$ref }, schema, depth, counts);
  const { anyOf, oneOf = anyOf, enum: values, const: value, type } = schema;
  if (Array.isArray(values)) counts.values += values.length;
  if (type === undefined && oneOf === undefined && values === undefined && value === undefined)
    if (!("properties" in schema)) throw new Unfit("a value of any kind");
  return withParts(inWords(schema, isRefused), schema, depth, counts);
}

function isRefused(keyword: string, value: Json): boolean {
  return (
    IN_WORDS.includes(keyword) ||
    (keyword === "format" && !FORMATS.has(String(value))) ||
    (keyword === "pattern" && LOOK_AROUND.test(String(value)))
  );
}

/** A schema without its constraints that are refused; its description tells them. */
function inWords(
  schema: JsonObject,
  refused: (keyword: string, value: Json) => boolean,
): Record<string, Json> {
  const kept: Record<string, Json> = {};
  const words: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (refused(keyword, value)) words.push(`${keyword}: ${JSON.stringify(value)}`);
    else kept[keyword] = value;
  }
  if (words.length === 0) return kept;
  const { description } = schema;
  const before = typeof description === "string" && description !== "" ? `${description} ` : "";
  return { ...kept, description: `${before}(${words.join(", ")})` };
}

/** A schema with the schemas in it converted. */
function withParts(
  kept: Record<string, Json>,
  schema: JsonObject,
  depth: number,
  counts: Counts,
): JsonObject {
  const { oneOf, anyOf = oneOf, items, type } = schema;
  const next = (each: Json) => convert(each, depth + 1, counts);
  const strict: Record<string, Json> = { ...kept };
  delete strict.oneOf;
  if (Array.isArray(anyOf) && !("$ref" in kept)) strict.anyOf = anyOf.map(next);
  if (is(type, "array")) {
    if (items === undefined || Array.isArray(items)) throw new Unfit("a list of any kind");
    strict.items = next(items);
  }
  if (is(type, "object") || "properties" in kept)
    Object.assign(strict, closed(schema, next, counts));
  for (const name of ["$defs", "definitions"]) {
    const all = schema[name];
    // Definitions are counted from the root, wherever they are used.
    if (isJsonObject(all))
      strict[name] = mapped(all as JsonObject, (each) => convert(each, 1, counts));
  }
  return strict;
}

const is = (type: Json | undefined, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name));

const mapped = (all: JsonObject, map: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, map(value, name)]));

/** An object's keywords, closed and with all of its properties required. */
function closed(schema: JsonObject, next: (value: Json) => JsonObject, counts: Counts): JsonObject {
  const { properties, required = [] } = schema;
  if (!isJsonObject(properties)) throw new Unfit("an object with any properties");
  const names = Object.keys(properties as JsonObject);
  counts.properties += names.length;
  const optional = (name: string) => !(required as readonly Json[]).includes(name);
  return {
    properties: mapped(properties as JsonObject, (each, name) =>
      optional(name) ? nullable(next(each)) : next(each),
    ),
    required: names,
    additionalProperties: false,
  };
}

/** A schema that takes null as well. */
function nullable(schema: JsonObject): JsonObject {
  const { type, enum: values, anyOf, $ref } = schema;
  if (is(type, "null")) return schema;
  if (Array.isArray(anyOf)) {
    const has = anyOf.some(
      (each) => isJsonObject(each as Json) && is((each as JsonObject).type, "null"),
    );
    return has ? schema : { ...schema, anyOf: [...anyOf, { type: "null" }] };
  }
  if ($ref !== undefined || type === undefined || "const" in schema) {
    if (Array.isArray(values))
      return values.includes(null) ? schema : { ...schema, enum: [...values, null] };
    const { description, ...rest } = schema;
    const words = description === undefined ? {} : { description };
    return { ...words, anyOf: [rest, { type: "null" }] };
  }
  return {
    ...schema,
    type: [...(Array.isArray(type) ? type : [type]), "null"],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}

/** A schema whose objects are closed, as far as they do not say that they are open. */
export function closedSchema(schema: JsonObject): Strict {
  const close = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(close);
    if (!isJsonObject(value)) return value;
    const inner = mapped(value, (each) => close(each));
    if (!is(value.type, "object")) return inner;
    const { additionalProperties = false, properties } = value;
    if (additionalProperties !== false || properties === undefined)
      throw new Unfit("an object with any properties");
    return { ...inner, additionalProperties: false };
  };
  try {
    return { schema: close(schema) as JsonObject };
  } catch (thrown) {
    if (thrown instanceof Unfit) return { reason: thrown.message };
    throw thrown;
  }
}

/** Constraints that Google refuses, or that its clients leave out. */
const NOT_GOOGLES = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "pattern",
  "maxLength",
  "maxItems",
  "uniqueItems",
];

/** Keywords under which schemas stand by name, and those under which values stand. */
const SCHEMAS_BY_NAME = ["properties", "$defs", "definitions"];
const VALUES = ["enum", "default", "examples", "required"];

const isNotGoogles = (keyword: string, value: Json): boolean =>
  NOT_GOOGLES.includes(keyword) ||
  // An enum has texts alone.
  (keyword === "enum" && Array.isArray(value) && value.some((each) => typeof each !== "string"));

/** A schema in Google's keywords: `const` as an `enum`, no `title`, and other constraints in words. */
export function googleSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map(googleSchema);
  if (!isJsonObject(value)) return value;
  const { title: _title, const: only, ...rest } = value;
  const schema = only === undefined ? rest : { ...rest, enum: [only] };
  return mapped(inWords(schema, isNotGoogles), (each, keyword) => {
    if (VALUES.includes(keyword)) return each;
    return SCHEMAS_BY_NAME.includes(keyword) && isJsonObject(each)
      ? mapped(each, googleSchema)
      : googleSchema(each);
  });
}
