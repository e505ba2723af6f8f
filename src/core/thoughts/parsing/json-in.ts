/** Finds the JSON arrays and objects in a model's prose. */
import { checkArguments, type Json, toJson } from "../../kernel/index.js";
import * as shapes from "../../kernel/shapes.js";

/** Places at which a search that found no end begins again; more is not an answer but an attack. */
const MAX_STARTS = 64;

/** A value with the place that it stands at. */
export interface Placed {
  readonly value: Json;
  readonly from: number;
  readonly to: number;
}

/**
 * The outermost arrays and objects in a text, in order. What only looks like JSON, and what the JSON
 * border refuses (a key `__proto__`, say), is left out. The time is linear in the text's length.
 */
export function jsonIn(text: string): Json[] {
  checkArguments("jsonIn", { text }, { text: shapes.TEXT });
  return placedJson(text).map(({ value }) => value);
}

/** The same, with where each stands. */
export function placedJson(text: string): Placed[] {
  const found: Placed[] = [];
  let starts = 0;
  for (let at = nextStart(text, 0); at >= 0 && starts < MAX_STARTS; at = nextStart(text, at)) {
    const end = endOf(text, at);
    const read = end < 0 ? undefined : parse(text.slice(at, end));
    for (const value of read ?? []) found.push({ value, from: at, to: end });
    if (read === undefined) starts += 1;
    at = read === undefined ? at + 1 : end;
  }
  return found;
}

function nextStart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === "[" || text[at] === "{") return at;
  return -1;
}

/** Where the array or object that begins at a place ends; -1 where it does not. */
function endOf(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (quoted) {
      if (letter === "\\") at += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "[" || letter === "{") depth += 1;
    else if (letter === "]" || letter === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** The value, none where the border refuses it, `undefined` where it is not JSON. */
function parse(text: string): [Json] | [] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  try {
    return [toJson(value)];
  } catch {
    return [];
  }
}
