/**
 * Describes a part of a policy of thoughts as JSON for the reasoner's fingerprint: functions by their names,
 * schemas as JSON Schema.
 */
import { type Json, toJson } from "../../kernel/values/index.js";
import { jsonSchemaOf, schemaForm } from "../../kernel/vocabulary/index.js";

/** A value of the configuration as JSON: functions by their names, schemas as JSON Schema. */
export function describeValue(value: unknown): Json {
  const text = JSON.stringify(value, (_key, part: unknown) => {
    const isObject = (typeof part === "object" && part !== null) || typeof part === "function";
    // A schema may be a function too.
    if (isObject && "~standard" in part)
      return { schema: schemaForm(jsonSchemaOf(part as never, "schema")) };
    return typeof part === "function" ? `function ${part.name}` : part;
  });
  return text === undefined ? null : toJson(JSON.parse(text));
}
