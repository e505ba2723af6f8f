/**
 * Cuts JSON to a size: a text keeps its beginning, any other value becomes the beginning of its JSON
 * text. Either says at its end how many characters are missing.
 */

import type { Json, JsonObject } from "./json.js";
import { surelyBelow } from "./json-length.js";
import { beginningOf } from "./size-limits.js";

/** So many characters are measured at a time. */
const CHUNK = 65_536;

/**
 * A value whose JSON text has at most so many characters, the words at its end not counted.
 * @param unseen characters of JSON that are missing already, since they were never made
 * @param atLeast whether more may be missing than is known
 * @returns the value itself where it fits
 */
export function cutJson(value: Json, most: number, unseen = 0, atLeast = false): Json {
  if (unseen === 0 && !atLeast && surelyBelow(value, most)) return value;
  // The quotes of a text do not count, as at its end.
  const quotes = typeof value === "string" ? 2 : 0;
  const length = jsonLength(value, new Map()) + unseen - quotes;
  if (length <= most && !atLeast) return value;
  const text = typeof value === "string" ? value : beginningOfJson(value, most);
  const kept = fitting(text, most);
  const missing = (typeof value === "string" ? value.length : length) - kept.length;
  return `${kept} [cut: ${atLeast ? "at least " : ""}${missing} more characters]`;
}

/** The length of a value's JSON text. A shared part is measured once. */
function jsonLength(value: Json, lengths: Map<object, number>): number {
  if (typeof value !== "object" || value === null) return JSON.stringify(value).length;
  const before = lengths.get(value);
  if (before !== undefined) return before;
  let length = 2;
  if (Array.isArray(value)) {
    for (const item of value) length += jsonLength(item, lengths) + 1;
    if (value.length > 0) length -= 1;
  } else {
    const keys = Object.keys(value);
    for (const key of keys) {
      const item = (value as JsonObject)[key] as Json;
      length += JSON.stringify(key).length + jsonLength(item, lengths) + 2;
    }
    if (keys.length > 0) length -= 1;
  }
  lengths.set(value, length);
  return length;
}

/** The beginning of a value's JSON text, of at least so many characters where it has them. */
function beginningOfJson(value: Json, most: number): string {
  let text = "";
  const write = (each: Json): void => {
    if (text.length >= most) return;
    if (typeof each !== "object" || each === null) {
      text += JSON.stringify(each);
      return;
    }
    const isArray = Array.isArray(each);
    text += isArray ? "[" : "{";
    let first = true;
    for (const key of isArray ? each.keys() : Object.keys(each)) {
      if (text.length >= most) return;
      if (!first) text += ",";
      first = false;
      if (!isArray) text += `${JSON.stringify(key)}:`;
      write((each as JsonObject)[key] as Json);
    }
    text += isArray ? "]" : "}";
  };
  write(value);
  return text;
}

/** The longest beginning of a text whose JSON text, without its quotes, has at most so many characters. */
function fitting(text: string, most: number): string {
  let left = most;
  let at = 0;
  for (let size = CHUNK; size > 0 && at < text.length; ) {
    const piece = beginningOf(text.slice(at, at + size + 1), size);
    const length = JSON.stringify(piece).length - 2;
    if (piece !== "" && length <= left) {
      left -= length;
      at += piece.length;
    } else {
      size = size > 1 ? size >> 1 : 0;
    }
  }
  return beginningOf(text, at);
}
