/**
 * `jsonSchema`: a JSON Schema as a Standard Schema, which validates. It uses
 * `@cfworker/json-schema`, which generates no code, so that it runs under any content security
 * policy.
 */
import { dereference, type OutputUnit, type SchemaDraft, validate } from "@cfworker/json-schema";
import {
  type JsonObject,
  messageOf,
  ReckonerError,
  toJson,
} from "../../core/kernel/values/index.js";
import { jsonSchemaFault, type Schema } from "../../core/kernel/vocabulary/index.js";
import { flagged } from "./flagged.js";

/** A schema under checking: our own copy, which the checker marks. */
type Parts = { readonly [keyword: string]: unknown };

/**
 * A schema of arguments or outputs, from JSON Schema (drafts 4, 7, 2019-09 and 2020-12, by `$schema`; the
 * last where it is absent): `tool({ inputSchema: jsonSchema({ type: "object", … }), … })`. A fitting
 * value is handed on as it is; defaults are not filled in. References lead into the schema itself.
 * @typeParam Output what the caller knows a value that fits to be
 * @throws ReckonerError `tool.invalid` where the schema is none: a reference to nothing, a pattern that
 * is not a regular expression
 */
export function jsonSchema<Output = JsonObject>(schema: JsonObject): Schema<Output> {
  // Nobody changes it later, and the checker's marks are not the caller's.
  const described = JSON.stringify(toJson(schema, "jsonSchema"));
  const own: Parts = withFlaggedPatterns(JSON.parse(described));
  const draft = draftOf(own);
  const fault = schemaFault(own, draft);
  if (fault !== undefined) throw new ReckonerError("tool.invalid", `jsonSchema: ${fault}.`);
  const lookup = dereference(own);
  const describe = (): JsonObject => JSON.parse(described);
  const standard = {
    version: 1 as const,
    vendor: "reckoner",
    validate(value: unknown) {
      const { valid, errors } = validate(value, own, draft, lookup, false);
      return valid ? { value: value as Output } : { issues: issuesOf(errors) };
    },
    jsonSchema: { input: describe, output: describe },
  };
  return { "~standard": standard };
}

/**
 * A schema with its patterns as the flag `u` takes them, with which they are compiled: many are written
 * for engines without it (`^https\\:\\/\\/`), and mean the same with other letters escaped.
 */
function withFlaggedPatterns<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withFlaggedPatterns) as Value;
  if (typeof value !== "object" || value === null) return value;
  const { pattern, patternProperties } = value as Parts;
  const inner = Object.entries(value).map(([key, each]) => [key, withFlaggedPatterns(each)]);
  const parts = Object.fromEntries(inner);
  if (typeof pattern === "string") parts.pattern = flagged(pattern);
  if (typeof patternProperties === "object" && patternProperties !== null) {
    parts.patternProperties = Object.fromEntries(
      Object.entries(parts.patternProperties).map(([name, each]) => [flagged(name), each]),
    );
  }
  return parts;
}

function draftOf(schema: Parts | null): SchemaDraft {
  const named = schema?.$schema;
  const uri = typeof named === "string" ? named : "";
  if (/draft-04/.test(uri)) return "4";
  if (/draft-0[67]/.test(uri)) return "7";
  return /2019-09/.test(uri) ? "2019-09" : "2020-12";
}

const CIRCLE = "its references form a cycle";

/** Describes the fault of a schema: else the model would be told that its arguments are wrong. */
function schemaFault(schema: Parts, draft: SchemaDraft): string | undefined {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return "a schema is an object";
  }
  const none = jsonSchemaFault(schema as JsonObject);
  if (none !== undefined) return none;
  try {
    const lookup = dereference(schema);
    for (const part of Object.values(lookup)) {
      const fault = typeof part === "object" ? partFault(part, lookup) : undefined;
      if (fault !== undefined) return fault;
    }
    // A schema that leads back to itself without a step into the value would never come to an end.
    if (hasCircle(lookup, draft)) return CIRCLE;
    validate({}, schema, draft, lookup, false);
    return undefined;
  } catch (thrown) {
    return thrown instanceof RangeError ? CIRCLE : messageOf(thrown);
  }
}

/** Returns true when a part anywhere is asked about a value in order to answer for that same value. */
function hasCircle(lookup: { readonly [uri: string]: unknown }, draft: SchemaDraft): boolean {
  const done = new Map<object, boolean>();
  const leadsBack = (part: unknown): boolean => {
    if (typeof part !== "object" || part === null) return false;
    const found = done.get(part);
    // Not done yet, so it was begun above.
    if (found !== undefined) return !found;
    done.set(part, false);
    if (sameValueParts(part as Parts, lookup, draft).some(leadsBack)) return true;
    done.set(part, true);
    return false;
  };
  return Object.values(lookup).some(leadsBack);
}

/** The schemas that a part asks about the very value that it is asked about. */
function sameValueParts(
  part: Parts,
  lookup: { readonly [uri: string]: unknown },
  draft: SchemaDraft,
): readonly unknown[] {
  const { $ref, __absolute_ref__: leads, allOf, anyOf, oneOf, not } = part;
  const target = typeof $ref === "string" ? [lookup[String(leads ?? $ref)]] : [];
  // Up to draft 7 a reference stands alone, whatever is beside it.
  if (target.length > 0 && (draft === "4" || draft === "7")) return target;
  const { if: condition, then, else: otherwise, dependentSchemas, dependencies } = part;
  const { $recursiveRef, __absolute_recursive_ref__: root } = part;
  // It leads to the outermost anchor on the way to it, which may be any, or to the whole.
  const anchors = () =>
    Object.values(lookup).filter((each) => Object(each).$recursiveAnchor === true);
  return [
    target,
    $recursiveRef === "#" ? [lookup[String(root)], ...anchors()] : [],
    [not, condition, then, otherwise],
    ...[allOf, anyOf, oneOf, dependentSchemas, dependencies].map((each) =>
      Object.values(each ?? {}),
    ),
  ].flat();
}

function partFault(part: Parts, lookup: { readonly [uri: string]: unknown }): string | undefined {
  const { $ref, __absolute_ref__: leads, pattern, patternProperties = {} } = part;
  if (typeof $ref === "string" && lookup[String(leads ?? $ref)] === undefined) {
    return `its reference ${JSON.stringify($ref)} leads to nothing in it`;
  }
  const patterns = Object.keys(patternProperties as object);
  for (const each of typeof pattern === "string" ? [...patterns, pattern] : patterns) {
    try {
      new RegExp(each, "u");
    } catch {
      return `its pattern ${JSON.stringify(each)} is not a regular expression`;
    }
  }
  return undefined;
}

/** Describes the fault of a value: of errors that only say that something below is wrong, the cause. */
function issuesOf(errors: readonly OutputUnit[]) {
  // Where nothing is allowed, the error above says of what; and its place is one in the value.
  const candidates = errors.filter(({ keyword }) => keyword !== "false");
  const above = new Set<string>();
  for (const { keywordLocation } of candidates) {
    let end = keywordLocation.lastIndexOf("/");
    while (end > 0 && !above.has(keywordLocation.slice(0, end))) {
      above.add(keywordLocation.slice(0, end));
      end = keywordLocation.lastIndexOf("/", end - 1);
    }
  }
  const causes = candidates.filter(({ keywordLocation }) => !above.has(keywordLocation));
  return (causes.length > 0 ? causes : errors).map(({ error, instanceLocation }) => ({
    message: error.replace(/\.$/, ""),
    path: pathOf(instanceLocation),
  }));
}

/** The path of a JSON pointer: `#/a~1b/0`. */
function pathOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~"));
}
