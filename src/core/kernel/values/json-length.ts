/**
 * Tells whether the JSON text of a value is longer than a limit; the text is only made where a cheap upper
 * bound of its length does not decide.
 */
import type { Json, JsonObject } from "./json.js";

/** Returns true when the text of a value is shorter than a limit, by a bound that costs no text. */
export function surelyBelow(value: Json, limit: number): boolean {
  return rough(value, limit) > 0;
}

/** Returns true when the JSON text of a value has more characters than a limit. */
export function exceeds(value: Json, limit: number): boolean {
  return !surelyBelow(value, limit) && JSON.stringify(value).length > limit;
}

function rough(value: Json, left: number): number {
  if (typeof value === "string") return left - 6 * value.length - 3;
  if (typeof value !== "object" || value === null) return left - 26;
  // Its brackets, and a comma behind it.
  let rest = left - 3;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && rest > 0; i++) rest = rough(value[i] as Json, rest);
    return rest;
  }
  for (const key in value) {
    if (rest <= 0) break;
    rest = rough((value as JsonObject)[key] as Json, rest - 6 * key.length - 4);
  }
  return rest;
}
