/** Small schemas of the core's own tools, so that the core needs no schema library. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Json, JsonObject, Schema } from "../kernel/index.js";

type Shape = { readonly [name: string]: "string" | "number" };
type Fields<S extends Shape> = {
  readonly [Name in keyof S]: S[Name] extends "string" ? string : number;
};

/** A Standard Schema of named strings and numbers, so that the core needs no schema library. */
export function fields<const S extends Shape>(
  shape: S,
): { readonly inputSchema: Schema<Fields<S>>; readonly jsonSchema: JsonObject } {
  const validate = (value: unknown): StandardSchemaV1.Result<Fields<S>> => {
    const given = value as Record<string, Json>;
    const issues = Object.entries(shape)
      .filter(([name, type]) => typeof given?.[name] !== type)
      .map(([name, type]) => ({ message: `expected a ${type}`, path: [name] }));
    return issues.length > 0 ? { issues } : { value: given as Fields<S> };
  };
  return {
    inputSchema: { "~standard": { version: 1, vendor: "reckoner", validate } },
    jsonSchema: {
      type: "object",
      properties: Object.fromEntries(Object.entries(shape).map(([name, type]) => [name, { type }])),
      required: Object.keys(shape),
      additionalProperties: false,
    },
  };
}
