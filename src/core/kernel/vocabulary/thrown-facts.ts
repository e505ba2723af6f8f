/**
 * Describes whatever was thrown, and never throws itself. `thrownFacts` takes a failed effect's error
 * apart: message with those of its causes, name, stack. `describeThrown` makes of a user's pure function's
 * error one text that is the same on every JavaScript engine, since a step may record it.
 */
import { cutJson } from "../values/cut-json.js";
import { isJsonObject, type Json, type JsonObject } from "../values/json.js";
import { resultJson } from "../values/result-json.js";
import { cutText, MAX_TEXT_LENGTH } from "../values/size-limits.js";
import type { EffectError } from "./event.js";

/** Characters of a stack. */
const MAX_STACK_LENGTH = 8 * 1024;
/** Characters of a text that an error has beside its message: a code, a path. */
const MAX_FIELD_LENGTH = 256;
/** The number of causes behind one another that are looked at. */
const MAX_CAUSES = 5;

/** The parts of an error that say what was thrown. */
export type ThrownFacts = Pick<EffectError, "message" | "name" | "stack" | "cause" | "detail">;

/** Reads the facts of a thrown value. It never throws. */
export function thrownFacts(thrown: unknown): ThrownFacts {
  const error = errorIn(thrown);
  if (error === undefined) {
    const { json } = resultJson(thrown, { place: "thrown", maxDepth: 50 });
    const holds = typeof json === "object" && json !== null && Object.keys(json).length > 0;
    const detail = holds ? { detail: bounded(json) } : {};
    return { message: cutText(textOfValue(json, thrown)), ...detail };
  }
  const { name, stack } = error;
  const cause = causeOf(error, 1);
  return {
    message: cutText(reasons(error, 1)),
    ...(name === "" || name === "Error" ? {} : { name: cutText(name, MAX_FIELD_LENGTH) }),
    ...(stack === undefined ? {} : { stack: cutText(stack, MAX_STACK_LENGTH) }),
    ...(cause === undefined ? {} : { cause: bounded(cause) }),
  };
}

/** The message of whatever was thrown, with those of its causes. It never throws. */
export function reasonOf(thrown: unknown): string {
  return thrownFacts(thrown).message;
}

/**
 * Returns a thrown value's message with the name of an error of the language in front: "Cannot read properties of
 * undefined" alone reads as the other side's words, and is a fault of the code that threw it. It never throws.
 */
export function withLanguageName(thrown: unknown, message: string): string {
  const name = errorIn(thrown)?.name ?? "";
  return !LANGUAGE_ERRORS.has(name) || message.startsWith(name) ? message : `${name}: ${message}`;
}

const LANGUAGE_ERRORS: ReadonlySet<string> = new Set([
  "EvalError",
  "InternalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
]);

/** An error's parts, each read once. */
interface ErrorParts {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Its causes: the one, or those of an `AggregateError`. */
  readonly causes: readonly unknown[];
  readonly fields: JsonObject;
}

/** The parts of an error; `undefined` of anything else, and of what cannot be looked at. */
function errorIn(thrown: unknown): ErrorParts | undefined {
  try {
    if (typeof thrown !== "object" || thrown === null) return undefined;
    const isError =
      thrown instanceof Error || Object.prototype.toString.call(thrown) === "[object Error]";
    if (!isError) return undefined;
  } catch {
    return undefined;
  }
  const read = (name: string): unknown => {
    try {
      return (thrown as { readonly [name: string]: unknown })[name];
    } catch {
      return undefined;
    }
  };
  const text = (name: string): string => {
    const value = read(name);
    return typeof value === "string" ? value : "";
  };
  const [cause, errors] = [read("cause"), read("errors")];
  const several = Array.isArray(errors) ? errors.slice(0, MAX_CAUSES) : [];
  return {
    name: text("name"),
    message: text("message"),
    stack: framesOf(text("stack"), text("message")) || undefined,
    causes: cause === undefined ? several : [cause, ...several],
    fields: fieldsOf(thrown, read),
  };
}

/** A stack without the message that some engines write before it. */
function framesOf(stack: string, message: string): string {
  const at = message === "" ? -1 : stack.slice(0, message.length + 100).indexOf(message);
  return at < 0 ? stack : stack.slice(at + message.length).trimStart();
}

/** Returns an error's own short, plain fields: `code`, `errno`, `status`. */
function fieldsOf(error: object, read: (name: string) => unknown): JsonObject {
  let names: readonly string[];
  try {
    names = Object.keys(error);
  } catch {
    return {};
  }
  const fields: Record<string, Json> = {};
  for (const name of names.slice(0, 20)) {
    const value = read(name);
    const isShort = typeof value === "string" && value.length <= MAX_FIELD_LENGTH;
    if (!isShort && typeof value !== "number" && typeof value !== "boolean") continue;
    if (!PARTS.has(name)) fields[name] = value;
  }
  return fields;
}

const PARTS: ReadonlySet<string> = new Set(["name", "message", "stack", "cause", "__proto__"]);

/** An error's message, and of its causes what it does not say itself. */
function reasons({ name, message, causes }: ErrorParts, depth: number): string {
  const why = depth > MAX_CAUSES ? [] : causes.map((cause) => causeReason(cause, depth + 1));
  const more = [...new Set(why)].filter((each) => each !== "" && !message.includes(each));
  if (message === "") return more.length > 0 ? more.join("; ") : name || UNKNOWN;
  return more.length > 0 ? `${message}: ${more.join("; ")}` : message;
}

function causeReason(cause: unknown, depth: number): string {
  const error = errorIn(cause);
  if (error !== undefined) return reasons(error, depth);
  return textOfValue(resultJson(cause, { maxDepth: 20 }).json, cause);
}

/** The words in a value that is no error: its message where it has one, else all of it. */
function textOfValue(json: Json | undefined, thrown: unknown): string {
  if (isJsonObject(json)) {
    const text = [json.message, json.error, json.reason].find(
      (each) => typeof each === "string" && each !== "",
    );
    if (text !== undefined) return text as string;
  }
  if (typeof json === "string") return json;
  if (typeof thrown !== "object" || thrown === null) {
    return typeof thrown === "function" ? UNKNOWN : String(thrown);
  }
  const holds = typeof json === "object" && json !== null && Object.keys(json).length > 0;
  return holds ? JSON.stringify(bounded(json)) : UNKNOWN;
}

const UNKNOWN = "an unknown error";

/** The causes of an error as data. */
function causeOf({ causes }: ErrorParts, depth: number): Json | undefined {
  if (causes.length === 0) return undefined;
  const entries = causes.map((cause): Json => {
    const error = errorIn(cause);
    if (error === undefined) return resultJson(cause, { maxDepth: 20 }).json ?? null;
    const { name, message, fields, stack } = error;
    const inner = depth < MAX_CAUSES ? causeOf(error, depth + 1) : undefined;
    return {
      ...fields,
      name,
      message: cutText(message),
      ...(stack === undefined ? {} : { stack: cutText(stack, MAX_STACK_LENGTH) }),
      ...(inner === undefined ? {} : { cause: inner }),
    };
  });
  return entries.length === 1 ? entries[0] : entries;
}

function bounded(json: Json): Json {
  return cutJson(json, MAX_TEXT_LENGTH);
}

/** The engines' own errors are named, not quoted: their messages differ from engine to engine. */
const engineErrors = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError];

/**
 * Describes the error of a pure function of the user's: cut, and the same on every engine. It never
 * throws: a thrown value may be a proxy, or have getters that throw.
 */
export function describeThrown(thrown: unknown): string {
  try {
    if (typeof thrown === "string") return cutText(thrown);
    if (!(thrown instanceof Error)) return UNKNOWN;
    const { name, message } = thrown;
    const own = engineErrors.some((kind) => thrown instanceof kind) ? "" : message;
    return cutText(String(own === "" ? name : own));
  } catch {
    return UNKNOWN;
  }
}
