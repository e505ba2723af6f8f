/**
 * Checks that a value can be recorded in a journal: each text in it, and each object or array (with long
 * values as references), fits into a line. Steps check what they make; values shared from step to step are
 * checked once.
 */

import { digestText } from "./canonical.js";
import { hiddenField } from "./hidden.js";
import { collectionKey, type Json, type JsonObject } from "./json.js";
import { MAX_VALUE_LENGTH } from "./size-limits.js";
import { factsOf, HOLDS_LONG } from "./stamp.js";

const seen = hiddenField<true>();

/** A nested value has up to 256 characters, and a comma; one that is longer stands as a reference. */
const MOST_NESTED = 260;

/** @param shared whether other values may hold it too, so that it is worth remembering */
export function isRecordable(value: Json, shared = true): boolean {
  if (typeof value === "string") return isTextRecordable(value);
  if (typeof value !== "object" || value === null) return true;
  // Nearly all values are validated already, and known to be short.
  const facts = factsOf(value);
  if (facts !== 0 && (facts & HOLDS_LONG) === 0) return true;
  if (seen.get(value) !== undefined) return true;
  const own = Array.isArray(value) ? undefined : collectionKey(value);
  // The rows of a collection, and its items, are those of the one before it.
  const inside = own !== undefined || (shared && Array.isArray(value));
  let most = 2;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isRecordable(value[i], inside)) return false;
    most += value.length * MOST_NESTED;
  } else {
    for (const key in value) {
      if (!isRecordable((value as JsonObject)[key] as Json, inside)) return false;
      most += 6 * key.length + 4 + MOST_NESTED;
    }
  }
  if (most > MAX_VALUE_LENGTH && own === undefined && digestText(value).length > MAX_VALUE_LENGTH) {
    return false;
  }
  // Of a collection the rows are shared; the next version is another object.
  if (shared && own === undefined) seen.set(value, true);
  return true;
}

function isTextRecordable(text: string): boolean {
  return 6 * text.length < MAX_VALUE_LENGTH || JSON.stringify(text).length <= MAX_VALUE_LENGTH;
}
