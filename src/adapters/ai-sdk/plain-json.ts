/**
 * Converts what a provider sends beside its answer to plain JSON. Values that are not JSON are dropped:
 * they are not worth failing a call.
 */
import { type Json, type JsonObject, LIST_KEY, MAX_DEPTH } from "../../core/kernel/values/index.js";

/** Half of what the kernel takes leaves room for the state that it becomes a part of. */
const DEEPEST: number = MAX_DEPTH / 2;

/** A definition's own object as JSON.stringify writes it: what is not JSON in it was never for a model. */
export function plainObject(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

/**
 * The JSON in a value, `undefined` where there is none. Functions, bigints, NaN, instances other
 * than dates, cycles and keys that the kernel refuses are dropped; dates become ISO text.
 */
export function plainJson(value: unknown): Json | undefined {
  return visit(value, []);
}

function visit(value: unknown, parents: readonly object[]): Json | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : undefined;
    case "object":
      break;
    default:
      return undefined;
  }
  if (value === null) return null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (parents.length === DEEPEST || parents.includes(value)) return undefined;
  const path = [...parents, value];
  if (Array.isArray(value)) return value.map((item) => visit(item, path) ?? null);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return undefined;
  const plain: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    const json = key === "__proto__" || key === LIST_KEY ? undefined : visit(item, path);
    if (json !== undefined) plain[key] = json;
  }
  return plain;
}
