/**
 * The syntax of ids (of nodes, edges and scopes), times and idempotency keys. Ids use one alphabet,
 * so that every store sorts them alike, by bytes.
 */

const idPattern = /^[A-Za-z0-9_.:/-]{1,160}$/;

/** Returns true for a text that may be an id, or a prefix of one. */
export function isId(text: unknown): text is string {
  return typeof text === "string" && idPattern.test(text);
}

/** Returns true for an idempotency key: 1 to 1 000 characters, U+0000 not among them. */
export function isKey(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 1000 && !value.includes("\0");
}

/** The last moment that a `Date` can hold, in milliseconds since 1970. */
export const LAST_TIME = 8_640_000_000_000_000;

/** Returns true for a moment: a whole number of milliseconds since 1970. */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= LAST_TIME;
}
