/**
 * Parses the arguments of a tool call from the text that a model wrote. A text that cannot be parsed without
 * changing its meaning is refused, with a reason by which the model can correct it.
 */

import { messageOf } from "../values/errors.js";
import { type Json, MAX_DEPTH, toJson } from "../values/json.js";

/** Half the depth leaves room for the state that the arguments become a part of. */
const DEEPEST: number = MAX_DEPTH / 2;

/** Arguments, or why a text is none: `json` where it is JSON, and cannot be taken all the same. */
export type ReadArguments =
  | { readonly ok: true; readonly input: Json }
  | { readonly ok: false; readonly json?: string };

/** The arguments in a text. Many models write nothing where a tool takes nothing. */
export function readArguments(text: string): ReadArguments {
  const written = text.trim();
  if (written === "") return { ok: true, input: {} };
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return { ok: false };
  }
  const inexact = inexactNumber(written);
  if (inexact !== undefined) {
    return {
      ok: false,
      json: `the number ${inexact} cannot be kept exactly; write it as a string`,
    };
  }
  let input: Json;
  try {
    input = toJson(value, "$", DEEPEST);
  } catch (refused) {
    return { ok: false, json: messageOf(refused).replace(/\.$/, "") };
  }
  const repeated = repeatedKey(written);
  if (repeated === undefined) return { ok: true, input };
  const shown = JSON.stringify(repeated);
  return { ok: false, json: `the key ${shown} stands twice in one object; write it once` };
}

/** The first key that stands twice in one object of a JSON text: nobody knows which value is meant. */
function repeatedKey(text: string): string | undefined {
  /** The keys of each object around a place; lists have none. */
  const around: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === "{") around.push(new Set());
    else if (letter === "[") around.push(undefined);
    else if (letter === "}" || letter === "]") around.pop();
    if (letter !== '"') continue;
    const end = endOfString(text, at);
    const keys = around.at(-1);
    COLON.lastIndex = end + 1;
    if (keys !== undefined && COLON.test(text)) {
      // Two ways to write a key are one key.
      const key = JSON.parse(text.slice(at, end + 1)) as string;
      if (keys.has(key)) return key;
      keys.add(key);
    }
    at = end;
  }
  return undefined;
}

const COLON = /\s*:/y;

const NUMBER = /[-\d][\d.eE+-]*/y;
/** Nothing that is shorter loses a digit. */
const SHORTEST = 16;

/** The first number of a JSON text that JavaScript would make another one of: an id of 19 digits, say. */
function inexactNumber(text: string): string | undefined {
  if (!/\d[eE]|\d{16}/.test(text)) return undefined;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') {
      at = endOfString(text, at);
      continue;
    }
    NUMBER.lastIndex = at;
    const [token] = NUMBER.exec(text) ?? [];
    if (token === undefined) continue;
    if (isInexact(token)) return token;
    at += token.length - 1;
  }
  return undefined;
}

function isInexact(token: string): boolean {
  const number = Number(token);
  if (!Number.isFinite(number)) return true;
  if (token.length < SHORTEST || !/^-?\d+$/.test(token)) return false;
  return BigInt(token) !== BigInt(number);
}

/** The index of the quote that ends the string which begins at a place of a JSON text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
