/**
 * Validates and freezes values that a machine made itself, in which Lists, Vectors and Tables are
 * allowed.
 */
import { type Json, MAX_OWN_DEPTH, seal } from "./json.js";
import { malformedCollection } from "./malformed-collection.js";
import { hasPassed } from "./stamp.js";

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
  return seal(value, path, malformedCollection, maxDepth) as T;
}

/**
 * The same of what its caller has just made, so that nobody else holds it and it has no getters: it is
 * frozen where it is, and not copied.
 * @internal
 */
export function sealOwn<T>(value: T, path = "$"): T {
  return seal(value, path, malformedCollection, MAX_OWN_DEPTH, true) as T;
}

/**
 * A collection of which a new version is made: the two share rows, so one from outside passes the border
 * first.
 * @throws ReckonerError `json.refused`
 * @internal
 */
export function sealedCollection<T extends object>(collection: T): T {
  return hasPassed(collection) ? collection : sealJson<T>(collection);
}
