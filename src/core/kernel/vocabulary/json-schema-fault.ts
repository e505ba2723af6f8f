/**
 * Validates a JSON Schema, and finds the schemas nested in it. A provider would refuse a wrong schema only
 * when it is called, and a validator ignores unknown keywords.
 */
import { isJsonObject, type Json } from "../values/json.js";
import {
  above,
  either,
  FLAG,
  findFault,
  listOf,
  misfit,
  NUMBER,
  OBJECT,
  open,
  recordOf,
  type Shape,
  TEXT,
  TEXTS,
  whole,
} from "./shapes.js";

const types = ["string", "number", "integer", "boolean", "object", "array", "null"];

const isType = (value: unknown): boolean => types.includes(value as string);

const COUNT: Shape = whole(0);
/** In draft 4 it says of the limit beside it whether that is one of those that fit. */
const EXCLUSIVE: Shape = either(NUMBER, FLAG);
const SCHEMA: Shape = [
  (value) => FLAG[0](value) || OBJECT[0](value),
  "a schema: an object, true or false",
  (value: Json) => (isJsonObject(value) ? findFault(value, KEYWORDS) : undefined),
];
const SCHEMAS: Shape = listOf(SCHEMA, 1, "a list of schemas");
const EITHER: Shape = either(SCHEMA, listOf(SCHEMA, 0, "a list of schemas"));
/** Schemas by their names; the names that one needs stand among `dependencies`, too. */
const NAMED: Shape = recordOf(either(SCHEMA, TEXTS), "an object of schemas by their names");

const keywords: { readonly [keyword: string]: Shape } = {
  type: [
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    `${types.slice(0, -1).join(", ")} or null, or a list of these`,
  ],
  enum: [Array.isArray, "a list of values"],
  required: TEXTS,
  properties: NAMED,
  patternProperties: NAMED,
  $defs: NAMED,
  definitions: NAMED,
  dependentSchemas: NAMED,
  dependencies: NAMED,
  allOf: SCHEMAS,
  anyOf: SCHEMAS,
  oneOf: SCHEMAS,
  prefixItems: SCHEMAS,
  items: EITHER,
  additionalItems: SCHEMA,
  unevaluatedItems: SCHEMA,
  contains: SCHEMA,
  additionalProperties: SCHEMA,
  unevaluatedProperties: SCHEMA,
  propertyNames: SCHEMA,
  not: SCHEMA,
  if: SCHEMA,
  // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's word
  then: SCHEMA,
  else: SCHEMA,
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minProperties: COUNT,
  maxProperties: COUNT,
  minContains: COUNT,
  maxContains: COUNT,
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: EXCLUSIVE,
  exclusiveMaximum: EXCLUSIVE,
  multipleOf: above(0),
  uniqueItems: FLAG,
  pattern: TEXT,
  format: TEXT,
  description: TEXT,
  title: TEXT,
  $ref: TEXT,
};

/** Keywords that it does not know are passed over: providers and users have their own. */
const KEYWORDS: Shape = open(keywords);

/** The keywords whose values are schemas, or hold some. */
const holding: ReadonlySet<Shape> = new Set([SCHEMA, SCHEMAS, EITHER, NAMED]);

/**
 * Describes the part of a JSON Schema that is none, with its place; `undefined` where all of it is.
 * @param schema as JSON has it
 */
export function jsonSchemaFault(schema: Json): string | undefined {
  return isJsonObject(schema) ? misfit(schema, KEYWORDS) : undefined;
}

/** Maps the schemas that a keyword's value holds; another value stays as it is. */
export function mapSchemas(name: string, value: Json, map: (schema: Json) => Json): Json {
  const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
  if (keyword === undefined || !holding.has(keyword)) return value;
  if (Array.isArray(value)) return value.map(map);
  if (keyword !== NAMED || !isJsonObject(value)) return map(value);
  return Object.fromEntries(Object.entries(value).map(([each, schema]) => [each, map(schema)]));
}
