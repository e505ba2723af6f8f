/**
 * Context updates: how a tool changes the run's `deps`. A tool returns a list of operations, which
 * the core applies in call order.
 */

import { ReckonerError } from "../values/errors.js";
import { isJsonObject } from "../values/index.js";
import { type Json, type JsonObject, toJson } from "../values/json.js";
import { childPath } from "../values/refusal.js";
import { shownBriefly } from "../values/size-limits.js";
import { checkArguments } from "./check-shape.js";
import type { ToolContentPart } from "./message.js";
import { listOf, misfit, OBJECT, open, type Shape, SOMETHING, tagged } from "./shapes.js";

/** One change of one top-level key of `deps`. */
export type ContextOperation =
  | { readonly op: "set"; readonly key: string; readonly value: Json }
  | { readonly op: "merge"; readonly key: string; readonly value: JsonObject }
  | { readonly op: "append"; readonly key: string; readonly value: Json }
  | { readonly op: "delete"; readonly key: string }
  | { readonly op: "increment"; readonly key: string; readonly by: number };

/** Operations in order, chainable: `contextUpdate().increment("count").append("log", entry)`. */
export interface ContextUpdate {
  readonly operations: readonly ContextOperation[];
  /** Replace a key's value. */
  set(key: string, value: unknown): ContextUpdate;
  /** Merge into a key's object, deep; creates it. */
  merge(key: string, value: object): ContextUpdate;
  /** Append to a key's array; creates it. */
  append(key: string, value: unknown): ContextUpdate;
  /** Remove a key. */
  delete(key: string): ContextUpdate;
  /** Add to a key's number, from 0 where absent. */
  increment(key: string, by?: number): ContextUpdate;
}

/** The empty update. */
export function contextUpdate(operations: readonly ContextOperation[] = []): ContextUpdate {
  const and = (operation: ContextOperation) => contextUpdate([...operations, operation]);
  return {
    operations,
    set: (key, value) => and({ op: "set", key, value: value as Json }),
    merge: (key, value) => and({ op: "merge", key, value: value as JsonObject }),
    append: (key, value) => and({ op: "append", key, value: value as Json }),
    delete: (key) => and({ op: "delete", key }),
    increment: (key, by = 1) => and({ op: "increment", key, by }),
  };
}

/** The return value of a tool that changes `deps`, or gives the model parts to read. */
export interface ToolReturn<Output> {
  readonly output: Output;
  readonly update: readonly ContextOperation[];
  /** The parts that the model reads instead of `output`. */
  readonly content?: readonly ToolContentPart[];
}

/** A registered symbol, so that two copies of the package know each other's returns. */
const brand: unique symbol = Symbol.for("reckoner.toolReturn");

const UPDATE: Shape = [
  (value) =>
    Array.isArray(value) || Array.isArray((value as Partial<ContextUpdate> | null)?.operations),
  "a context update, as contextUpdate() makes it, or a list of its operations",
];

/** A tool's result, or one made by {@link withContent}, together with a context update. */
export function withUpdate<Output>(
  output: Output | ToolReturn<Output>,
  update: ContextUpdate | readonly ContextOperation[],
): ToolReturn<Output> {
  checkArguments("withUpdate", { update }, { update: UPDATE });
  const operations = "operations" in update ? update.operations : update;
  const before = toolReturn(output);
  return branded({ ...before, update: [...before.update, ...operations] });
}

/**
 * A result with two forms: `output` for programs (the record of the call), and parts (texts,
 * images, files) for the model. Takes a result made by {@link withUpdate}, too.
 */
export function withContent<Output>(
  output: Output | ToolReturn<Output>,
  content: readonly ToolContentPart[],
): ToolReturn<Output> {
  return branded({ ...toolReturn(output), content });
}

function branded<Output>(returned: ToolReturn<Output>): ToolReturn<Output> {
  return Object.defineProperty(returned, brand, { value: true });
}

/** Returns a tool's return value as a result with its update and content. */
export function toolReturn<Output>(value: Output | ToolReturn<Output>): ToolReturn<Output> {
  return isToolReturn(value) ? value : { output: value, update: [] };
}

/** Returns true when a tool's return value was made by {@link withUpdate} or {@link withContent}. */
export function isToolReturn(value: unknown): value is ToolReturn<unknown> {
  if (typeof value !== "object" || value === null) return false;
  try {
    return brand in value;
  } catch {
    // A proxy may throw; it was not made here.
    return false;
  }
}

const KEY: Shape = [
  (value) => typeof value === "string" && value !== "" && value !== "__proto__",
  "the name of a part of deps, not empty",
];
const BY: Shape = [Number.isFinite, "a number"];
const OPERATION: Shape = tagged("op", {
  set: open({ key: KEY, value: SOMETHING }, "key", "value"),
  append: open({ key: KEY, value: SOMETHING }, "key", "value"),
  merge: open({ key: KEY, value: OBJECT }, "key", "value"),
  delete: open({ key: KEY }, "key"),
  increment: open({ key: KEY, by: BY }, "key", "by"),
});
/** The operations of an update. */
export const UPDATE_OPERATIONS: Shape = listOf(OPERATION);

/**
 * `deps` after the operations, in order.
 * @throws ReckonerError `tool.result` where an operation is none, or does not fit what is there: an
 * `append` to what is not an array, a `merge` onto what is not an object, an `increment` of what is not a
 * number. A `null` counts as absent. `json.refused`, `json.reserved` where a value is not JSON
 */
export function applyUpdate<Deps extends object>(
  deps: Deps,
  operations: readonly ContextOperation[],
): Deps {
  if (operations.length === 0) return deps;
  const next = { ...deps } as Record<string, Json>;
  operations.forEach((operation, i) => {
    const fault = misfit(operation, OPERATION) ?? applyOne(next, operation);
    if (fault === undefined) return;
    const message = `Operation ${i} of the context update cannot be applied: ${fault}.`;
    throw new ReckonerError("tool.result", message, { place: `update[${i}]` });
  });
  return next as Deps;
}

/** Applies an operation to `next`; what is wrong with it, in words, where it does not fit. */
function applyOne(next: Record<string, Json>, operation: ContextOperation): string | undefined {
  const { key } = operation;
  const before = Object.hasOwn(next, key) ? (next[key] ?? null) : null;
  const holds = `${shownBriefly(key)}, which holds ${kindOf(before)}`;
  switch (operation.op) {
    case "set":
      next[key] = toJson(operation.value, key);
      return undefined;
    case "merge": {
      if (before !== null && !isJsonObject(before)) return `it merges an object onto ${holds}`;
      const merged = deepMerge(before ?? {}, toJson<JsonObject>(operation.value, key), key);
      if (typeof merged === "string") return merged;
      next[key] = merged;
      return undefined;
    }
    case "append":
      if (before !== null && !Array.isArray(before)) return `it appends to ${holds}`;
      next[key] = [...(before ?? []), toJson(operation.value, key)];
      return undefined;
    case "delete":
      delete next[key];
      return undefined;
    case "increment": {
      if (before !== null && typeof before !== "number") return `it increments ${holds}`;
      const sum = (before ?? 0) + operation.by;
      if (!Number.isFinite(sum)) return `it increments ${holds}, beyond all numbers`;
      next[key] = sum;
      return undefined;
    }
    default:
      return operation satisfies never;
  }
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a string" : `a ${typeof value}`;
}

/** The merged object, or what is wrong, in words. An object goes into objects; all else replaces. */
function deepMerge(before: JsonObject, patch: JsonObject, path: string): JsonObject | string {
  const merged: Record<string, Json> = { ...before };
  for (const key of Object.keys(patch)) {
    const value = patch[key] as Json;
    const there = Object.hasOwn(merged, key) ? (merged[key] ?? null) : null;
    if (!isJsonObject(value) || there === null) {
      merged[key] = value;
      continue;
    }
    const inner = childPath(path, key);
    if (!isJsonObject(there))
      return `it merges an object onto ${inner}, which holds ${kindOf(there)}`;
    const deeper = deepMerge(there, value, inner);
    if (typeof deeper === "string") return deeper;
    merged[key] = deeper;
  }
  return merged;
}
