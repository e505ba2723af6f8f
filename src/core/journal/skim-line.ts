/**
 * Reads only so much of an event's line in a journal as tells which directives are outstanding, and skips the
 * rest unvalidated: values, items, changes, long parts of the event. A line of another form is not skimmed,
 * and the caller decodes it whole.
 */
import { isObject } from "../kernel/values/index.js";
import type { EventLine } from "./line.js";
import { isArrayOf, isDirective, isOptional, isPlace, isText } from "./line-fault.js";

const [QUOTE, BACKSLASH, COLON, COMMA] = [34, 92, 58, 44] as const;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [123, 125, 91, 93] as const;

/** Longer texts of an event are skipped. */
const MAX_TEXT = 256;
/** Deeper values are read whole, and refused where they are too deep. */
const MAX_DEPTH = 64;
/** The fields of an event's line that are read beside its event, and those that are skipped; one with others is read whole. */
const READ: ReadonlySet<string> = new Set(["run", "seq", "starts", "value", "do", "ignored"]);
const SKIPPED: ReadonlySet<string> = new Set(["values", "items", "set", "says", "state", "hash"]);

/** The beginnings of an event's line. */
const BEGINNING = /^\{"(?:run|seq|values|items)"/;

interface Fields {
  [field: string]: unknown;
}

/**
 * An event's line as far as it tells what is owed; `undefined` for any other line, and for one that has to be read
 * whole, such as a run's first and last. Of its event there are `usage`, and what is no object, array or long text.
 */
export function skimmed(text: string): EventLine | undefined {
  const line: Fields = {};
  try {
    if (!BEGINNING.test(text)) return undefined;
    readFields(text, 0, (name, from, to) => {
      if (name === "event") line.event = eventIn(text, from);
      else if (READ.has(name)) line[name] = valueIn(text, from, to);
      else if (!SKIPPED.has(name)) throw odd();
    });
  } catch {
    return undefined;
  }
  return isSkimmed(line) ? (line as unknown as EventLine) : undefined;
}

function isSkimmed({ run, seq, event, starts, value, do: issued = [], ignored }: Fields): boolean {
  if (!Number.isSafeInteger(seq) || !isObject(event) || value === undefined) return false;
  if (!isText(event.type) || !Number.isFinite(event.at) || !isOptional(event.id, isText))
    return false;
  if (!isOptional(run, (each) => isText(each) && each !== "")) return false;
  if (!isOptional(starts, (each) => isArrayOf(each, isPlace))) return false;
  return isArrayOf(issued, isDirective) && isOptional(ignored, isText);
}

function eventIn(text: string, at: number): Fields {
  if (text.charCodeAt(at) !== OPEN_OBJECT) throw odd();
  const event: Fields = {};
  readFields(text, at, (name, from, to) => {
    const first = text.charCodeAt(from);
    const isLong = first === QUOTE && to - from > MAX_TEXT && name !== "id";
    const isDeep = first === OPEN_OBJECT || first === OPEN_ARRAY;
    if (!isLong && (!isDeep || name === "usage")) event[name] = valueIn(text, from, to);
  });
  return event;
}

function valueIn(text: string, from: number, to: number): unknown {
  const first = text.charCodeAt(from);
  if (first !== QUOTE) return JSON.parse(text.slice(from, to));
  const inner = text.slice(from + 1, to - 1);
  return inner.includes("\\") ? JSON.parse(text.slice(from, to)) : inner;
}

/** Reads an object as lines are written, without blanks. @throws what is no such object */
function readFields(
  text: string,
  from: number,
  take: (name: string, from: number, to: number) => void,
): void {
  let at = from;
  do {
    const end = text.indexOf('"', at + 2);
    const name = text.slice(at + 2, end);
    const isKey = text.charCodeAt(at + 1) === QUOTE && text.charCodeAt(end + 1) === COLON;
    if (end < 0 || !isKey || name.includes("\\")) throw odd();
    at = endOfValue(text, end + 2);
    take(name, end + 2, at);
  } while (text.charCodeAt(at) === COMMA);
  if (text.charCodeAt(at) !== CLOSE_OBJECT) throw odd();
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(text, at);
      if (depth === 0) return at + 1;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth += 1;
      if (depth > MAX_DEPTH) throw odd();
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (code === COMMA && depth === 0) return at;
  }
  throw odd();
}

/** The closing quote of a string. */
function endOfText(text: string, from: number): number {
  let end = from;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) throw odd();
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}

function odd(): Error {
  return new Error("Not the text of an event's line.");
}
