/**
 * Validates a machine's context as JSON and freezes it; of a context that is frozen already only the new
 * values are visited.
 */
import { collectionKey, inherits, type Json, MAX_OWN_DEPTH, soundText } from "../values/json.js";
import { childPath } from "../values/refusal.js";
import { sealJson } from "../values/seal.js";
import { hasPassed } from "../values/stamp.js";

/**
 * A context as sealed JSON. It is frozen and not stamped: a stamp on an object of many keys costs
 * more than the look.
 * @param before the context of the step before, as it was sealed
 * @param fresh whether the step itself made the object (an `assign` always does), so that nobody else
 * holds it and it has no getters: it is frozen as it is
 */
export function sealContext(context: unknown, before: unknown, fresh: boolean): Json {
  if (context === before && context !== undefined) return context as Json;
  if (!isPlain(context) || inherits()) return sealJson(context, "$.context");
  const own: Parts = fresh ? context : { ...context };
  const previous: Parts = isMarkless(before) ? before : {};
  // Contexts of one run have their keys in one order: then this is a walk side by side.
  const keys = Object.keys(previous);
  const values = Object.values(previous);
  let at = 0;
  for (const key in own) {
    const part = own[key];
    const isSame = key === keys[at];
    const was = isSame ? values[at] : Object.hasOwn(previous, key) ? previous[key] : undefined;
    at += 1;
    // `-0` is another value than the `0` that it becomes.
    if (Object.is(part, was) && part !== undefined) continue;
    if (part === undefined || !(isSame || isSoundKey(key))) return sealJson(context, "$.context");
    if (!isSealed(part)) own[key] = sealJson(part, childPath("$.context", key), MAX_OWN_DEPTH - 1);
  }
  return Object.freeze(own) as Json;
}

type Parts = Record<string, unknown>;

/**
 * Returns true when a context that was sealed before was sealed here: any other one bears a stamp, or is
 * none.
 */
function isMarkless(before: unknown): before is Parts {
  return typeof before === "object" && before !== null && !hasPassed(before);
}

/** Returns true when it is an object of plain properties; its getters are read when it is copied. */
function isPlain(context: unknown): context is Parts {
  return (
    typeof context === "object" &&
    context !== null &&
    !Array.isArray(context) &&
    !hasPassed(context) &&
    Object.getPrototypeOf(context) === Object.prototype &&
    Object.getOwnPropertySymbols(context).length === 0 &&
    collectionKey(context) === undefined
  );
}

/** Returns true when the border takes a key as it is. */
function isSoundKey(key: string): boolean {
  return key !== "__proto__" && soundText(key) === key;
}

function isSealed(part: unknown): boolean {
  if (typeof part === "object") return part === null || hasPassed(part);
  return typeof part === "boolean";
}
