/**
 * Small schemas for the built-in tools (texts and numbers, some optional), so that no schema
 * library is needed.
 */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import * as shapes from "../../kernel/shapes.js";
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
  const all = Object.entries(shape).map(([name, part]) => {
    const field: Field = typeof part === "string" ? { type: part } : part;
    return { name, field, own: shapesOf(field) };
  });
  const validate = (value: unknown): StandardSchemaV1.Result<FieldsOf<S>> => {
    const args = (value ?? {}) as Record<string, Json>;
    const taken: Record<string, Json> = {};
    const issues: StandardSchemaV1.Issue[] = [];
    for (const { name, field, own } of all) {
      const value = Object.hasOwn(args, name) ? args[name] : undefined;
      if (field.optional && (value === undefined || value === null)) continue;
      const missed = own.find((shape) => shapes.findFault(value, shape) !== undefined);
      // Journals have these words: they are a part of what a run replays to.
      if (missed !== undefined) issues.push({ message: `expected ${missed[1]}`, path: [name] });
      else taken[name] = value as Json;
    }
    return issues.length > 0 ? { issues } : { value: taken as FieldsOf<S> };
  };
  return {
    inputSchema: { "~standard": { version: 1, vendor: "reckoner", validate } },
    jsonSchema: {
      type: "object",
      properties: Object.fromEntries(
        all.map(({ name, field: { optional: _, ...schema } }) => [name, schema]),
      ),
      required: all.filter(({ field }) => !field.optional).map(({ name }) => name),
      additionalProperties: false,
    },
  };
}

/** The shapes that an argument's value must have, of which the first that it has not is told to the model. */
function shapesOf({ type, enum: words, minimum = -Infinity, maximum = Infinity }: Field) {
  const within = (value: unknown) => (value as number) >= minimum && (value as number) <= maximum;
  const range: shapes.Shape = [within, `a number from ${minimum} to ${maximum}`];
  if (type !== "string")
    return [shapes.NUMBER, ...(type === "integer" ? [shapes.WHOLE] : []), range];
  if (words === undefined) return [shapes.TEXT];
  const isWord = (value: unknown) => words.includes(value as string);
  return [shapes.TEXT, [isWord, `one of ${words.join(", ")}`] satisfies shapes.Shape];
}
