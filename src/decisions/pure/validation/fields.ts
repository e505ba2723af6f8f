/**
 * Shapes of the fields of a decision graph's operations, queries and settings (ids, times, counts, texts,
 * objects), beside those of `core/kernel/shapes.ts`, and the refusal of a value that does not fit one.
 */
import * as shapes from "../../../core/kernel/shapes.js";
import { childPath, type ErrorCode, ReckonerError } from "../../../core/kernel/values/index.js";

/** Ids (of nodes, edges and scopes) have one alphabet, so that every store sorts them alike, by bytes. */
const idPattern = /^[A-Za-z0-9_.:/-]{1,160}$/;

/** The last moment that a `Date` can hold, in milliseconds since 1970. */
const LAST_TIME = 8_640_000_000_000_000;

export const ID: shapes.Shape = [
  (value) => typeof value === "string" && idPattern.test(value),
  "an id: 1 to 160 of A-Z a-z 0-9 _ . : / -",
];
export const TIME: shapes.Shape = [
  (value) => isWithin(value, 0, LAST_TIME),
  "whole milliseconds since 1970-01-01 UTC",
];
export const CONFIDENCE: shapes.Shape = [
  (value) => value === null || (typeof value === "number" && value >= 0 && value <= 1),
  "a number from 0 to 1, or null",
];

/** A whole number within bounds. */
export function count(least: number, most: number): shapes.Shape {
  return [(value) => isWithin(value, least, most), `a whole number from ${least} to ${most}`];
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** U+0000 is no part of a text that every store can hold. */
const isText = (value: unknown): value is string =>
  typeof value === "string" && !value.includes("\0");

export const TEXT_OR_NULL: shapes.Shape = [
  (value) => value === null || isText(value),
  "a string without U+0000, or null",
];
/** A text that is not blank. */
export const LABEL: shapes.Shape = [
  (value) => isText(value) && value.trim() !== "",
  "a string that is not blank, without U+0000",
];
/** A JSON object without U+0000 in any text or key. */
export const OBJECT: shapes.Shape = [
  shapes.OBJECT[0],
  shapes.OBJECT[1],
  (value: object) => {
    const place = pathOfNull(value, "");
    return place === undefined ? undefined : [place, "holds U+0000; leave it out"];
  },
];

/** Finds U+0000 in JSON, in a text or a key. The JSON border bounds the nesting. */
function pathOfNull(value: unknown, path: string): string | undefined {
  if (typeof value === "string") return isText(value) ? undefined : path;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${key}]` : childPath(path, key);
    const found = isText(key) ? pathOfNull(item, place) : place;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @throws ReckonerError with the path of what does not fit as `place` */
export function checkShape(
  value: unknown,
  shape: shapes.Shape,
  path: string,
  code: ErrorCode,
): void {
  const fault = shapes.findFault(value, shape);
  if (fault === undefined) return;
  const place = `${path}${fault[0]}`;
  throw new ReckonerError(code, `${place} ${fault[1]}.`, { place });
}
