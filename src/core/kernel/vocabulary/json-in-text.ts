/**
 * Finds the JSON in a model's text: alone, in a Markdown fence, in prose, or after the model's thinking.
 * Agents' outputs and thoughts' answers are read by it.
 */

import { type Json, toJson } from "../values/json.js";
import { checkArguments } from "./check-shape.js";
import * as shapes from "./shapes.js";
import { spokenText } from "./spoken-text.js";

/**
 * The number of times that each character may be looked at, on the average; more is not an answer but an
 * attack.
 */
const MAX_LOOKS = 64;

/** A value with the place that it stands at. */
export interface Placed {
  readonly value: Json;
  readonly from: number;
  readonly to: number;
}

/**
 * The outermost arrays and objects in a text, in order; thinking in front of the answer aside. Text that
 * only looks like JSON, and values that the JSON border refuses (a key `__proto__`, say), are left out.
 * The time is linear in the text's length.
 */
export function jsonIn(text: string): Json[] {
  checkArguments("jsonIn", { text }, { text: shapes.TEXT });
  return placedJson(spokenText(text)).map(({ value }) => value);
}

/** The same in a text of which nothing is left out, with where each stands. */
export function placedJson(text: string): Placed[] {
  return parsedIn(text).flatMap(({ value, from, to }) => {
    try {
      return [{ value: toJson(value), from, to }];
    } catch {
      return [];
    }
  });
}

/**
 * The values that an answer may mean as its one JSON value, the likeliest first: all of it, else the
 * last array, object or fenced value in it, and so on to the first. They have not passed the JSON border.
 */
export function jsonMeantBy(text: string): readonly unknown[] {
  const spoken = spokenText(text);
  const whole = parsed(unfenced(spoken));
  if (whole !== undefined) return [whole.value];
  const found = parsedIn(spoken);
  return [...found, ...fencedIn(spoken, found)].sort((a, b) => b.from - a.from).map(bare);
}

const bare = ({ value }: Parsed) => value;

/** Finds the numbers, texts and other plain values that stand alone in a fence, outside of what was found. */
function fencedIn(text: string, found: readonly Parsed[]): Parsed[] {
  // A fence in a string of what was found is none.
  let rest = "";
  for (const { from, to } of found) {
    rest += text.slice(rest.length, from) + "\0".repeat(to - from);
  }
  rest += text.slice(rest.length);
  const fences = [...rest.matchAll(/`{3,}/g)];
  const plain: Parsed[] = [];
  for (let i = 0; i + 1 < fences.length; i += 2) {
    const [opening, closing] = [fences[i], fences[i + 1]] as [RegExpExecArray, RegExpExecArray];
    const [from, to] = [opening.index + opening[0].length, closing.index];
    const read = parsed(text.slice(from, to).replace(/^json\w*\s/i, ""));
    if (read !== undefined) plain.push({ ...read, from, to });
  }
  return plain;
}

/** JSON text, which may begin with a byte order mark; `undefined` where it is not JSON. */
function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.trim()) };
  } catch {
    return undefined;
  }
}

/** A value, not past the JSON border, with its place. */
type Parsed = Omit<Placed, "value"> & { readonly value: unknown };

function parsedIn(text: string): Parsed[] {
  const found: Parsed[] = [];
  let looks = MAX_LOOKS * text.length;
  for (let at = nextStart(text, 0); at >= 0 && looks > 0; at = nextStart(text, at)) {
    const end = endOf(text, at);
    const read = end < 0 ? undefined : parsed(text.slice(at, end));
    if (read === undefined) {
      looks -= (end < 0 ? text.length : end) - at;
      at += 1;
    } else {
      found.push({ ...read, from: at, to: end });
      at = end;
    }
  }
  return found;
}

function nextStart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === "[" || text[at] === "{") return at;
  return -1;
}

/** Returns the end of the array or object that begins at a place; -1 where it does not. */
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

/** A text without the Markdown fence around all of it. */
function unfenced(text: string): string {
  // Line by line and not by a pattern: one that may begin anew at each line break takes minutes for
  // an answer of a few thousand of them.
  const whole = text.trim();
  const [first, last] = [whole.indexOf("\n"), whole.lastIndexOf("\n")];
  if (first === last || !/^```\w*$/.test(whole.slice(0, first).trimEnd())) return text;
  return whole.slice(last).trim() === "```" ? whole.slice(first, last) : text;
}
