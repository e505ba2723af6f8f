/**
 * Context updates: how a tool changes the run's `deps`. A tool never writes to them; it returns a
 * list of operations, which the core applies in call order.
 */
import { ReckonerError } from "./errors.js";
import type { Json, JsonObject } from "./json.js";

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

/** What a tool returns to give a result and change `deps`. */
export interface ToolReturn<Output> {
  readonly output: Output;
  readonly update: readonly ContextOperation[];
}

/** A registered symbol, so that two copies of the package know each other's returns. */
const brand: unique symbol = Symbol.for("reckoner.toolReturn") as never;

/** A tool's result together with a context update. */
export function withUpdate<Output>(
  output: Output,
  update: ContextUpdate | readonly ContextOperation[],
): ToolReturn<Output> {
  const operations = "operations" in update ? update.operations : update;
  return Object.defineProperty({ output, update: operations }, brand, { value: true });
}

/** Whether a tool's return value was made by {@link withUpdate}. */
export function isToolReturn(value: unknown): value is ToolReturn<unknown> {
  return typeof value === "object" && value !== null && brand in value;
}

/** What is wrong with an operation, in words; `undefined` where it is one. */
export function operationFault(operation: unknown): string | undefined {
  const { op, key, value, by } = (operation ?? {}) as Record<string, unknown>;
  if (typeof key !== "string" || key === "" || key === "__proto__") return "has no usable key";
  switch (op) {
    case "set":
    case "append":
      return value === undefined ? "has no value" : undefined;
    case "merge":
      return isPlain(value) ? undefined : "merges what is not an object";
    case "delete":
      return undefined;
    case "increment":
      return typeof by === "number" && Number.isFinite(by) ? undefined : "increments by no number";
    default:
      return `has op ${JSON.stringify(op)}; set, merge, append, delete or increment is needed`;
  }
}

/** `deps` after the operations, in order. */
export function applyUpdate<Deps extends object>(
  deps: Deps,
  operations: readonly ContextOperation[],
): Deps {
  if (operations.length === 0) return deps;
  const next = { ...deps } as Record<string, Json>;
  for (const operation of operations) {
    const { key } = operation;
    const before = Object.hasOwn(next, key) ? next[key] : undefined;
    switch (operation.op) {
      case "set":
        next[key] = operation.value;
        break;
      case "merge":
        next[key] = deepMerge(before, operation.value);
        break;
      case "append":
        next[key] = Array.isArray(before) ? [...before, operation.value] : [operation.value];
        break;
      case "delete":
        delete next[key];
        break;
      case "increment":
        next[key] = (typeof before === "number" ? before : 0) + operation.by;
        break;
      default:
        throw new ReckonerError(
          "tool.result",
          `A context update ${operationFault(operation satisfies never)}.`,
        );
    }
  }
  return next as Deps;
}

function deepMerge(before: Json | undefined, patch: JsonObject): JsonObject {
  const merged: Record<string, Json> = isPlain(before) ? { ...before } : {};
  for (const key of Object.keys(patch)) {
    const value = patch[key] as Json;
    merged[key] = isPlain(value) && isPlain(merged[key]) ? deepMerge(merged[key], value) : value;
  }
  return merged;
}

function isPlain(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
