/**
 * Small schemas for the built-in tools (texts and numbers, some optional), so that no schema
 * library is needed.
 */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Json, JsonObject } from "../../kernel/values/index.js";
import type { Schema } from "../../kernel/vocabulary/index.js";

/** A check of one argument. */
export interface Field {
  readonly type: "string" | "number" | "integer";
  readonly description?: string;
  /** May be left out, or null. */
  readonly optional?: true;
  /** The words that it may be. */
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}
type Shape = { readonly [name: string]: "string" | "number" | Field };

type ValueOf<F> = F extends { readonly enum: readonly (infer Word)[] }
  ? Word
  : F extends "string" | { readonly type: "string" }
    ? string
    : number;
type OptionalOf<S extends Shape> = {
  [Name in keyof S]: S[Name] extends { readonly optional: true } ? Name : never;
}[keyof S];
/** The arguments that fit a shape. */
export type FieldsOf<S extends Shape> = {
  readonly [Name in Exclude<keyof S, OptionalOf<S>>]: ValueOf<S[Name]>;
} & { readonly [Name in OptionalOf<S>]?: ValueOf<S[Name]> };

/** A Standard Schema of named arguments, with its JSON Schema; others than those are dropped. */
export function fields<const S extends Shape>(
  shape: S,
): { readonly inputSchema: Schema<FieldsOf<S>>; readonly jsonSchema: JsonObject } {
  const all = Object.entries(shape).map(([name, field]): [string, Field] => [
    name,
    typeof field === "string" ? { type: field } : field,
  ]);
  const validate = (value: unknown): StandardSchemaV1.Result<FieldsOf<S>> => {
    const args = (value ?? {}) as Record<string, Json>;
    const taken: Record<string, Json> = {};
    const issues: StandardSchemaV1.Issue[] = [];
    for (const [name, field] of all) {
      const own = Object.hasOwn(args, name) ? args[name] : undefined;
      if (field.optional && (own === undefined || own === null)) continue;
      const fault = faultOf(own, field);
      if (fault !== undefined) issues.push({ message: fault, path: [name] });
      else taken[name] = own as Json;
    }
    return issues.length > 0 ? { issues } : { value: taken as FieldsOf<S> };
  };
  return {
    inputSchema: { "~standard": { version: 1, vendor: "reckoner", validate } },
    jsonSchema: {
      type: "object",
      properties: Object.fromEntries(
        all.map(([name, { optional: _, ...schema }]) => [name, schema]),
      ),
      required: all.filter(([, { optional }]) => !optional).map(([name]) => name),
      additionalProperties: false,
    },
  };
}

function faultOf(value: Json | undefined, field: Field): string | undefined {
  const { type, minimum = -Infinity, maximum = Infinity } = field;
  if (type === "string") {
    if (typeof value !== "string") return "expected a string";
    if (field.enum === undefined || field.enum.includes(value)) return undefined;
    return `expected one of ${field.enum.join(", ")}`;
  }
  if (typeof value !== "number") return "expected a number";
  if (type === "integer" && !Number.isInteger(value)) return "expected a whole number";
  if (value >= minimum && value <= maximum) return undefined;
  return `expected a number from ${minimum} to ${maximum}`;
}
