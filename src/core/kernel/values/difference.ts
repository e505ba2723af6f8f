/** The first difference between two JSON values, with its path. */
import { childPath, type Json, type JsonObject } from "./json.js";

/** Where two values differ first, and what stands there; `undefined` where one has nothing. */
export interface ValueDifference {
  readonly path: string;
  readonly left: Json | undefined;
  readonly right: Json | undefined;
}

/** The first difference in key order, or `undefined` where the two are equal. */
export function firstDifference(
  left: Json | undefined,
  right: Json | undefined,
  path = "$",
): ValueDifference | undefined {
  if (left === right) return undefined;
  const bothObjects =
    typeof left === "object" && typeof right === "object" && left !== null && right !== null;
  if (!bothObjects || Array.isArray(left) !== Array.isArray(right)) return { path, left, right };
  if (Array.isArray(left)) {
    const other = right as readonly Json[];
    for (let i = 0; i < Math.max(left.length, other.length); i++) {
      const found = firstDifference(left[i], other[i], `${path}[${i}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const a = left as JsonObject;
  const b = right as JsonObject;
  for (const key of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
    const found = firstDifference(a[key], b[key], childPath(path, key));
    if (found !== undefined) return found;
  }
  return undefined;
}
