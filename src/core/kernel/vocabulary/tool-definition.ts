/**
 * Reduces a tool to what its author defined, in one form however its schema is rendered. A configuration's
 * fingerprint and a call's approval are made of it, so that they survive an update of this package, or of a
 * schema library.
 */
import { isJsonObject, type Json, type JsonObject } from "../values/json.js";
import { mapSchemas } from "./json-schema-fault.js";
import type { Tool } from "./tool.js";

/**
 * Marks a tool of this package: its name stands for its texts and its schema, which a later version
 * may word otherwise.
 */
export function builtInTool(tool: Tool): Tool {
  return Object.freeze({ ...tool, builtIn: true });
}

/** Returns what the author of a tool said of it to a model, in one form for all renderings. */
export function definitionOf({ schema, builtIn = false }: Tool): JsonObject {
  const { name, description, inputSchema, ...rest } = schema;
  if (builtIn) return { name, builtIn };
  const form = schemaForm(inputSchema) as JsonObject;
  return {
    name,
    ...(description === "" ? {} : { description }),
    ...(takesNothing(form) ? {} : { inputSchema: form }),
    ...(rest as JsonObject),
  };
}

/** Returns true for the form of a schema which says no more than that a call has no arguments, or any. */
function takesNothing({ type = "object", additionalProperties = false, ...rest }: JsonObject) {
  return type === "object" && additionalProperties === false && Object.keys(rest).length === 0;
}

/**
 * Returns the one form of a JSON Schema whose renderings differ in words and not in meaning: by the
 * draft, the order of names, or what is said although it holds anyway.
 */
export function schemaForm(schema: Json): Json {
  if (!isJsonObject(schema)) return schema;
  const form: Record<string, Json> = {};
  for (const [name, value] of Object.entries(schema)) {
    const inner = mapSchemas(name, value, schemaForm);
    if (holdsAnyway(name, inner)) continue;
    form[laterName(name, schema)] = laterValue(name, inner);
  }
  if (Object.hasOwn(form, "const") && !Object.hasOwn(form, "enum")) {
    const { const: only, ...others } = form;
    return { ...others, enum: [only as Json] };
  }
  return form;
}

/** The keywords that say nothing of a value. */
const SILENT: ReadonlySet<string> = new Set(["$schema", "$comment"]);

function holdsAnyway(keyword: string, value: Json): boolean {
  if (SILENT.has(keyword)) return true;
  switch (keyword) {
    case "description":
      return value === "";
    case "required":
      return Array.isArray(value) && value.length === 0;
    case "properties":
    case "items":
      return isJsonObject(value) && Object.keys(value).length === 0;
    case "additionalProperties":
      return value === true || (isJsonObject(value) && Object.keys(value).length === 0);
    // Bounds of what a number can hold exactly.
    case "minimum":
      return value === Number.MIN_SAFE_INTEGER;
    case "maximum":
      return value === Number.MAX_SAFE_INTEGER;
    default:
      return false;
  }
}

/** Returns a keyword as draft 2020-12 names it. */
function laterName(keyword: string, { items }: JsonObject): string {
  if (keyword === "definitions") return "$defs";
  if (!Array.isArray(items)) return keyword;
  if (keyword === "items") return "prefixItems";
  return keyword === "additionalItems" ? "items" : keyword;
}

function laterValue(keyword: string, value: Json): Json {
  if (keyword === "$ref" && typeof value === "string") {
    return value.replace(/^#\/definitions\//, "#/$defs/");
  }
  if (keyword !== "required" && keyword !== "type") return value;
  if (!Array.isArray(value)) return value;
  const sorted = [...value].sort();
  return keyword === "type" && sorted.length === 1 ? (sorted[0] as Json) : sorted;
}
