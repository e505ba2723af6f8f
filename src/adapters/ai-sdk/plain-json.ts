/**
 * What a provider sends beside its answer, as plain JSON. Nothing of it is worth failing a call for:
 * what is not JSON is left out.
 */
import { type Json, LIST_KEY } from "../../core/kernel/index.js";

/** Provider metadata is shallow; whatever is deeper than this is no metadata. */
const MAX_DEPTH = 50;

/**
 * The JSON in a value, `undefined` where there is none. Functions, bigints, NaN, instances other
 * than dates, cycles and keys that the kernel refuses are dropped; dates become ISO text.
 */
export function plainJson(value: unknown, depth = 0): Json | undefined {
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
  if (depth === MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((item) => plainJson(item, depth + 1) ?? null);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return undefined;
  const plain: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    const json = key === "__proto__" || key === LIST_KEY ? undefined : plainJson(item, depth + 1);
    if (json !== undefined) plain[key] = json;
  }
  return plain;
}
