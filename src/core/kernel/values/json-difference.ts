/**
 * Compares two JSON values: `firstDifference` returns the first path at which they differ, with both
 * values; `sameJson` only says whether they are equal.
 */
import { inherits, type Json, type JsonObject } from "./json.js";
import { childPath } from "./refusal.js";

/** Where two values differ first, and what stands there; `undefined` where one has nothing. */
export interface ValueDifference {
  readonly path: string;
  readonly left: Json | undefined;
  readonly right: Json | undefined;
}

/** Returns true when two JSON values are equal, whatever the order of their keys. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  // Where all objects have a property more, the walk over an object's own ones is the slower one.
  return inherits() ? firstDifference(left, right) === undefined : same(left, right);
}

function same(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null)
    return false;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (let i = 0; i < left.length; i++) if (!same(left[i], right[i])) return false;
    return true;
  }
  if (Array.isArray(right)) return false;
  let more = 0;
  for (const key in left) {
    if (!Object.hasOwn(right, key)) return false;
    if (!same((left as JsonObject)[key], (right as JsonObject)[key])) return false;
    more += 1;
  }
  for (const _ in right) more -= 1;
  return more === 0;
}

/**
 * The first difference in key order, or `undefined` where the two are equal.
 * @param isWhole of which values on the left nothing is looked into, unless they are the very same
 */
export function firstDifference(
  left: Json | undefined,
  right: Json | undefined,
  path = "$",
  isWhole: (left: Json) => boolean = () => false,
): ValueDifference | undefined {
  if (left === right) return undefined;
  const bothObjects =
    typeof left === "object" && typeof right === "object" && left !== null && right !== null;
  if (!bothObjects || Array.isArray(left) !== Array.isArray(right) || isWhole(left)) {
    return { path, left, right };
  }
  if (Array.isArray(left)) {
    const other = right as readonly Json[];
    for (let i = 0; i < Math.max(left.length, other.length); i++) {
      const found = firstDifference(left[i], other[i], `${path}[${i}]`, isWhole);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const a = left as JsonObject;
  const b = right as JsonObject;
  for (const key of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
    const found = firstDifference(own(a, key), own(b, key), childPath(path, key), isWhole);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns an object's own property: a key may be named like one that every object has. */
function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
