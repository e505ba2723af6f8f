/**
 * Validates a JSON Schema, and finds the schemas in one. A provider refuses a wrong one only when it is called, and a validator
 * ignores unknown keywords.
 */
import { isJsonObject, type Json } from "../values/json.js";
import { shownBriefly } from "./size-limits.js";

const types = ["string", "number", "integer", "boolean", "object", "array", "null"];

const isType = (value: Json): boolean => types.includes(value as string);
const isCount = (value: Json): boolean => Number.isInteger(value) && Number(value) >= 0;
const isNumber = (value: Json): boolean => typeof value === "number";
const isText = (value: Json): boolean => typeof value === "string";
const isTexts = (value: Json): boolean => Array.isArray(value) && value.every(isText);
const isFlag = (value: Json): boolean => typeof value === "boolean";
const isSchema = (value: Json): boolean => isFlag(value) || isJsonObject(value);
const isSchemas = (value: Json): boolean => Array.isArray(value) && value.every(isSchema);
const isNamed = (value: Json): boolean =>
  isJsonObject(value) && Object.values(value).every((each) => isSchema(each) || isTexts(each));

type Keyword = readonly [is: (value: Json) => boolean, words: string];
const COUNT: Keyword = [isCount, "a whole number, 0 or more"];
const NUMBER: Keyword = [isNumber, "a number"];
/** In draft 4 it says of the limit beside it whether that is one of those that fit. */
const EXCLUSIVE: Keyword = [(value) => isNumber(value) || isFlag(value), "a number"];
const TEXT: Keyword = [isText, "a string"];
const SCHEMA: Keyword = [isSchema, "a schema: an object, true or false"];
const SCHEMAS: Keyword = [
  (value) => isSchemas(value) && (value as readonly Json[]).length > 0,
  "a list of schemas",
];
const EITHER: Keyword = [
  (value) => isSchema(value) || isSchemas(value),
  "a schema, or a list of them",
];
const NAMED: Keyword = [isNamed, "an object of schemas by their names"];

const keywords: { readonly [keyword: string]: Keyword } = {
  type: [
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    `${types.slice(0, -1).join(", ")} or null, or a list of these`,
  ],
  enum: [Array.isArray, "a list of values"],
  required: [isTexts, "a list of names"],
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
  multipleOf: [(value) => isNumber(value) && Number(value) > 0, "a number above 0"],
  uniqueItems: [isFlag, "true or false"],
  pattern: TEXT,
  format: TEXT,
  description: TEXT,
  title: TEXT,
  $ref: TEXT,
};

/** The keywords whose values are schemas, or hold some. */
const holding: ReadonlySet<Keyword> = new Set([SCHEMA, SCHEMAS, EITHER, NAMED]);

/**
 * Describes the part of a JSON Schema that is none, with its place; `undefined` where all of it is.
 * Keywords that it does not know are passed over: providers and users have their own.
 * @param schema as JSON has it
 */
export function jsonSchemaFault(schema: Json, place = ""): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  for (const [name, value] of Object.entries(schema)) {
    const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
    if (keyword === undefined) continue;
    const at = place === "" ? name : `${place}.${name}`;
    const [is, words] = keyword;
    if (!is(value)) return `${at} must be ${words}, not ${shownBriefly(value)}`;
    const inner = holding.has(keyword) ? faultWithin(keyword, value, at) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function faultWithin(keyword: Keyword, value: Json, place: string): string | undefined {
  const isOne = keyword !== NAMED && !Array.isArray(value);
  if (isOne) return jsonSchemaFault(value, place);
  for (const [name, each] of Object.entries(value as object) as [string, Json][]) {
    const fault = jsonSchemaFault(each, `${place}.${name}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Maps the schemas that a keyword's value holds; another value stays as it is. */
export function mapSchemas(name: string, value: Json, map: (schema: Json) => Json): Json {
  const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
  if (keyword === undefined || !holding.has(keyword)) return value;
  if (Array.isArray(value)) return value.map(map);
  if (keyword !== NAMED || !isJsonObject(value)) return map(value);
  return Object.fromEntries(Object.entries(value).map(([each, schema]) => [each, map(schema)]));
}
