/**
 * Converts the input schema of an AI SDK tool (a Standard Schema, or JSON Schema with a validate function) to
 * the JSON Schema that the model is shown and the check of a call's arguments.
 */
import { type JsonObject, ReckonerError } from "../../core/kernel/values/index.js";
import { type Schema, withoutNulls } from "../../core/kernel/vocabulary/index.js";
import { plainObject } from "./plain-json.js";

/** The outcome of a check in the SDK's own form. */
export type ValidationResult =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: unknown };

interface OwnForm {
  readonly jsonSchema: unknown;
  readonly validate?:
    | ((value: unknown) => ValidationResult | PromiseLike<ValidationResult>)
    | undefined;
}

/** A schema as a tool of the SDK holds it. */
export type SdkSchema = Schema | OwnForm | (() => SdkSchema);

/** A schema, as far as a tool of ours can use it. */
export interface TakenSchema {
  /** Checked by the core, before approval. */
  readonly standard?: Schema;
  /** For the model. */
  readonly json?: JsonObject;
  /** To be checked before the tool runs: it may take its time, which the core has not. */
  readonly check?: (input: unknown) => Promise<ValidationResult>;
}

/**
 * Takes a schema apart.
 * @throws ReckonerError `tool.invalid` where it cannot be described to a model right away
 */
export function takeSchema(
  name: string,
  schema: SdkSchema | undefined,
  checking: { readonly jsonSchema?: ((schema: JsonObject) => Schema) | undefined } = {},
): TakenSchema {
  if (schema === undefined) return {};
  if ("~standard" in schema) return { standard: schema };
  if (typeof schema === "function") return takeSchema(name, schema(), checking);
  const { jsonSchema: json, validate } = schema;
  if (typeof json !== "object" || json === null || "then" in json) {
    throw new ReckonerError(
      "tool.invalid",
      `Tool ${JSON.stringify(name)} of the AI SDK describes its input with a promise; await it before.`,
    );
  }
  const described = plainObject(json);
  if (validate !== undefined) {
    return { json: described, check: (input) => checked(validate, input) };
  }
  return checking.jsonSchema === undefined
    ? { json: described }
    : { json: described, standard: checking.jsonSchema(described) };
}

/** A check; where a null is refused, an optional property was meant to be absent. */
async function checked(
  validate: NonNullable<OwnForm["validate"]>,
  input: unknown,
): Promise<ValidationResult> {
  const result = await validate(input);
  if (result.success) return result;
  for (const without of withoutNulls(input, [[]])) {
    const again = await validate(without);
    if (again.success) return again;
  }
  return result;
}
