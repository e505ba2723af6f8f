/**
 * Schemas: any Standard Schema, validated synchronously, and converted to JSON Schema for models.
 */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { messageOf, ReckonerError } from "../values/errors.js";
import { type JsonObject, toJson } from "../values/json.js";
import { isUnawaited } from "../values/thenable.js";
import { type Path, withoutNulls } from "./without-nulls.js";

/** Any Standard Schema (zod, valibot, arktype …). */
export type Schema<Output = unknown> = StandardSchemaV1<unknown, Output>;
/** The parsed type of a schema. */
export type InferOutput<S extends StandardSchemaV1> = StandardSchemaV1.InferOutput<S>;

/** A validated value, or the issues in one line. */
export type Validated =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: string };

/**
 * Validates arguments or an output. Where the schema refuses a null and takes the value without it, an
 * optional property was meant to be absent: strict modes have no other word for it, and models use it
 * elsewhere too.
 * @throws ReckonerError `schema.async` where the schema answers with a promise
 */
export function validate(schema: StandardSchemaV1, value: unknown): Validated {
  const result = ask(schema, value);
  if (result.issues === undefined) return { ok: true, value: result.value };
  for (const without of withoutNulls(value, result.issues.map(pathOf))) {
    const again = ask(schema, without);
    if (again.issues === undefined) return { ok: true, value: again.value };
  }
  return { ok: false, issues: result.issues.map(describeIssue).join("; ") };
}

function ask(schema: StandardSchemaV1, value: unknown): StandardSchemaV1.Result<unknown> {
  const result = schema["~standard"].validate(value);
  if (!isUnawaited(result)) return result;
  throw new ReckonerError(
    "schema.async",
    "A schema validates asynchronously; use one that answers at once, and move the check into the tool.",
  );
}

function pathOf({ path = [] }: StandardSchemaV1.Issue): Path {
  return path.map((segment) => String(typeof segment === "object" ? segment.key : segment));
}

function describeIssue(issue: StandardSchemaV1.Issue): string {
  const path = pathOf(issue).join(".");
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}

/**
 * The JSON Schema of what a schema accepts.
 * @throws ReckonerError `tool.invalid` where the schema cannot say; `what` names the place
 */
export function jsonSchemaOf(schema: StandardSchemaV1, what: string): JsonObject {
  const standard = schema["~standard"] as StandardSchemaV1.Props & {
    readonly jsonSchema?: StandardJSONSchemaV1.Props["jsonSchema"];
  };
  if (standard.jsonSchema === undefined) {
    const mend = standard.vendor === "zod" ? "update zod to 4.2 or later, or " : "";
    throw new ReckonerError(
      "tool.invalid",
      `${what}: its ${standard.vendor} schema cannot be turned into JSON Schema; ${mend}pass jsonSchema beside it.`,
    );
  }
  try {
    return toJson(standard.jsonSchema.input({ target: "draft-07" }));
  } catch (cause) {
    throw new ReckonerError(
      "tool.invalid",
      `${what}: its schema cannot be described as JSON Schema (${messageOf(cause)}); pass jsonSchema beside it.`,
      { cause },
    );
  }
}
