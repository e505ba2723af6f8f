/** A machine's own values at the border: Lists, Vectors and Tables are allowed in them. */
import { type Json, MAX_OWN_DEPTH, seal } from "./json.js";
import { checkCollection } from "./shapes.js";

/**
 * A machine's own value as sealed JSON.
 * @typeParam T what the caller knows the value to be
 * @internal
 */
export function sealJson<T = Json>(
  value: unknown,
  path = "$",
  maxDepth: number = MAX_OWN_DEPTH,
): T {
  return seal(value, path, checkCollection, maxDepth) as T;
}
