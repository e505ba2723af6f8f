/**
 * JSON validation (K2). Everything that enters a state, an event or a directive passes here once: the
 * result is plain, frozen JSON, or a refusal with the path. The result is a copy, so that no getter or
 * symbol gets in and nothing of the caller's is frozen; frozen plain data is used as it is. A value that
 * has passed is marked (`stamp.ts`), so that a step costs what it changes.
 */
import { ReckonerError } from "./errors.js";
import { Refusal, refusalOf, refused } from "./refusal.js";
import {
  factsOf,
  flagsIn,
  HOLDS_EQUALS,
  HOLDS_LIST,
  HOLDS_LONG,
  heightIn,
  LONG_TEXT,
  MANY_ITEMS,
  markPassed,
} from "./stamp.js";
import { isUnawaited } from "./thenable.js";

/** Plain JSON. Values that the kernel hands out are frozen. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Returns true when a value is a JSON object, and no array. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isObject(value);
}

/** Returns true when a value is an object, and no array. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The key that marks a `List` of the kernel; no value from outside may carry it. */
export const LIST_KEY = "@list";
/** The key that marks a `Vector` of the kernel. */
export const VECTOR_KEY = "@vector";
/** The key that marks a `Table` of the kernel. */
export const TABLE_KEY = "@table";

/** The key of the kernel's own that an object carries. */
export function collectionKey(value: object): string | undefined {
  if (LIST_KEY in value) return LIST_KEY;
  if (VECTOR_KEY in value) return VECTOR_KEY;
  return TABLE_KEY in value ? TABLE_KEY : undefined;
}

/** Deeper nesting is refused (J6); a cycle shows as such. */
export const MAX_DEPTH = 200;

/** A machine wraps what comes from outside: in a message, a part, a List, its context. */
export const MAX_OWN_DEPTH: number = MAX_DEPTH + 24;

/**
 * The room that a key's punctuation and its value take up in a line, in characters of a text, of six
 * each.
 */
const KEY_LENGTH = 44;

/** Characters of the way to what is too deep: the rest of a circle says nothing new. */
const MAX_WAY = 48;

/** The code of `@`, with which the keys of collections begin. */
const AT = 64;
/** The code of `=`. */
const EQUALS = 61;

const loneSurrogate = /\p{Surrogate}/u;
/** The engine's own test, where it has one, costs nothing on a text of one byte a character. */
const { isWellFormed } = String.prototype as { isWellFormed?: (this: string) => boolean };
const hasLoneSurrogate: (text: string) => boolean =
  isWellFormed === undefined
    ? (text) => loneSurrogate.test(text)
    : (text) => !isWellFormed.call(text);
const loneSurrogates = /\p{Surrogate}/gu;

/** Returns the claim of a value that is no such List, Vector or Table. */
type ListCheck = (value: JsonObject) => string | undefined;

interface Visit {
  /** Checks an object that claims to be a List; without it, such objects are refused. */
  readonly list: ListCheck | undefined;
  readonly maxDepth: number;
  /** Nobody else holds the value, and it has no getters: it is frozen where it is. */
  readonly own: boolean;
  /** True when objects inherit properties that a loop would meet, since somebody gave them to all objects. */
  readonly inherits: boolean;
  /** The facts of the value that was visited last (`factsOf`), where it is an object or long. */
  facts: number;
}

/**
 * A value from outside as plain JSON: a frozen copy in which `undefined` properties are dropped,
 * `-0` is `0` and lone surrogates are U+FFFD. A getter is read once; symbols, hidden properties and
 * an array's own names (`"abc".match(/b/)` has some) are dropped, as JSON.stringify drops them.
 * @throws ReckonerError `json.refused` (functions, bigint, NaN, cycles, Date, Map, instances,
 * `__proto__` …) or `json.reserved`, with the JSON path as `place`
 * @typeParam T what the caller knows the value to be; the border checks that it is JSON, no more
 */
export function toJson<T = Json>(value: unknown, path = "$", maxDepth: number = MAX_DEPTH): T {
  return seal(value, path, undefined, maxDepth) as T;
}

/**
 * The same of what its caller has just made, so that nobody else holds it and it has no getters: it is
 * frozen where it is, and not copied. It may be deeper, since it wraps what came from outside.
 * @internal
 */
export function ownJson<T = Json>(value: unknown, path = "$", maxDepth: number = MAX_OWN_DEPTH): T {
  return seal(value, path, undefined, maxDepth, true) as T;
}

/**
 * Parses JSON text to sealed JSON, without a copy. Internal forms of collections are refused.
 * @throws SyntaxError where it is not JSON
 * @throws ReckonerError as {@link toJson}
 * @internal
 */
export function parseSealed<T = Json>(text: string, path: string, maxDepth: number): T {
  return ownJson<T>(JSON.parse(text), path, maxDepth);
}

/** A value that is JSON by its construction, as such: interfaces have no index signature. */
export function asJson<T extends object>(
  value: T,
): T extends readonly unknown[] ? readonly Json[] : JsonObject {
  return value as never;
}

/**
 * A value as plain JSON.
 * @param list of a machine's own values (context, directive), in which Lists are allowed
 * @param own whether nobody else holds it, and it has no getters: then it is not copied
 * @internal
 */
export function seal(
  value: unknown,
  path: string,
  list: ListCheck | undefined,
  maxDepth: number,
  own = false,
): Json {
  if (typeof value === "string") return soundText(value);
  // A sealed value needs no visit.
  const facts = factsOf(value);
  if (isSealed(facts, 0, list, maxDepth)) return value as Json;
  const how: Visit = { list, maxDepth, own, inherits: inherits(), facts };
  try {
    return typeof value === "object" && value !== null
      ? visitWithFacts(value, facts, 0, how)
      : visit(value, 0, how);
  } catch (thrown) {
    hush(value);
    const refusal = refusalOf(thrown);
    throw refusal instanceof Refusal ? refusal.errorAt(path) : refusal;
  }
}

/** Returns true when all objects have a property that is no method of theirs. */
export function inherits(): boolean {
  for (const _ in {}) return true;
  return false;
}

/** Returns true when a value is sealed, and may be here: a List is the machine's own, and not so deep. */
function isSealed(
  facts: number,
  depth: number,
  list: ListCheck | undefined,
  maxDepth: number,
): boolean {
  if (facts === 0 || depth + heightIn(facts) > maxDepth) return false;
  return list !== undefined || (facts & HOLDS_LIST) === 0;
}

/**
 * Nobody will wait for the promises in what was refused: they may fail unheard.
 * @internal
 */
export function hush(
  value: unknown,
  depth: number = 0,
  seen: Set<object> = new Set<object>(),
): void {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH || seen.has(value)) return;
  seen.add(value);
  if (isUnawaited(value)) return;
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value)) return;
    for (const each of Object.values(value)) hush(each, depth + 1, seen);
  } catch {
    // A getter's or a proxy's fault was told of when the value was refused.
  }
}

/** A text in which lone surrogates are U+FFFD. @internal */
export function soundText(text: string): string {
  return hasLoneSurrogate(text) ? text.replace(loneSurrogates, "\uFFFD") : text;
}

function visit(value: unknown, depth: number, how: Visit): Json {
  switch (typeof value) {
    case "string":
      if (value.length >= LONG_TEXT) how.facts = HOLDS_LONG;
      return soundText(value);
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw refused(`is ${value}`);
      return value === 0 ? 0 : value;
    case "object": {
      if (value === null) return null;
      return visitWithFacts(value, factsOf(value), depth, how);
    }
    default:
      throw refused(`is ${value === undefined ? "undefined" : `a ${typeof value}`}`);
  }
}

/** @param facts what `factsOf` says of the value */
function visitWithFacts(value: object, facts: number, depth: number, how: Visit): Json {
  how.facts = facts;
  if (isSealed(facts, depth, how.list, how.maxDepth)) return value as Json;
  // A List where none may be is gone through, so that its path is named.
  if (depth + Math.max(1, heightIn(facts)) > how.maxDepth) {
    throw refused(`is nested more than ${how.maxDepth} deep, or circular`, { most: MAX_WAY });
  }
  return Array.isArray(value) ? visitArray(value, depth, how) : visitObject(value, depth, how);
}

function visitArray(value: readonly unknown[], depth: number, how: Visit): Json {
  let height = 0;
  let flags = 0;
  let at: number | undefined;
  try {
    // A copy is made where the value cannot be taken as it is: from the first difference on.
    let copy: Json[] | undefined = how.own || isFrozenData(value) ? undefined : [];
    for (let i = 0; i < value.length; i++) {
      at = i;
      const before = value[i];
      how.facts = 0;
      const item = visit(before, depth + 1, how);
      if (copy === undefined && !Object.is(item, before)) copy = value.slice(0, i) as Json[];
      copy?.push(item);
      const { facts } = how;
      if (heightIn(facts) > height) height = heightIn(facts);
      flags |= flagsIn(facts);
    }
    // An array that grew item by item has room for seventeen; what is kept for ever has what it needs.
    const clean = copy?.slice() ?? (value as readonly Json[]);
    if (clean.length >= MANY_ITEMS) flags |= HOLDS_LONG;
    return keep(clean, height + 1, flags, how);
  } catch (thrown) {
    throw refusalOf(thrown, at);
  }
}

function visitObject(value: object, depth: number, how: Visit): Json {
  let at: string | undefined;
  try {
    const prototype = Object.getPrototypeOf(value);
    const ordinary = prototype === Object.prototype;
    if (!ordinary && prototype !== null) {
      // An object of another realm (a vm, an iframe) is plain too.
      const foreign = Object.getPrototypeOf(prototype) === null && "hasOwnProperty" in prototype;
      if (!foreign) throw refused(`is ${article(value.constructor?.name || "instance")}`);
    }
    const same = ordinary && (how.own || isFrozenData(value));
    let copy: Record<string, Json> | undefined = same ? undefined : {};
    const checked = how.inherits || !(ordinary || prototype === null);
    let height = 0;
    let flags = 0;
    let marked = false;
    let length = 0;
    // V8 walks through an object's properties faster than through a list of its keys.
    for (const key in value) {
      if (checked && !Object.hasOwn(value, key)) continue;
      if (key === "__proto__") throw refused("has a key __proto__");
      const first = key.charCodeAt(0);
      if (first === AT) marked = true;
      else if (first === EQUALS) flags |= HOLDS_EQUALS;
      at = key;
      const before = (value as Record<string, unknown>)[key];
      if (before === undefined) {
        at = undefined;
        copy ??= firstOf(value, key);
        continue;
      }
      const cleanKey = soundText(key);
      if (cleanKey !== key) refuseTwice(cleanKey, value, copy);
      how.facts = 0;
      const after = visit(before, depth + 1, how);
      if (copy === undefined && !(cleanKey === key && Object.is(after, before))) {
        copy = firstOf(value, key);
      }
      if (copy !== undefined) copy[cleanKey] = after;
      const { facts } = how;
      if (heightIn(facts) > height) height = heightIn(facts);
      flags |= flagsIn(facts);
      length += key.length + KEY_LENGTH;
      // An error of a proxy between two keys concerns the whole object, not the last key.
      at = undefined;
    }
    const clean = copy ?? (value as JsonObject);
    if (marked && isCollection(clean, how)) flags |= HOLDS_LIST;
    if (length >= LONG_TEXT) flags |= HOLDS_LONG;
    return keep(clean, height + 1, flags, how);
  } catch (thrown) {
    throw refusalOf(thrown, at);
  }
}

/** @throws Refusal where one of the objects has the key already */
function refuseTwice(key: string, ...objects: readonly (object | undefined)[]): void {
  if (!objects.some((each) => each !== undefined && Object.hasOwn(each, key))) return;
  throw refused("is the same key as another one once its lone surrogates are U+FFFD");
}

/** A copy of an object's properties before one. */
function firstOf(value: object, until: string): Record<string, Json> {
  const copy: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    if (key === until) break;
    copy[key] = (value as JsonObject)[key] as Json;
  }
  return copy;
}

/** Returns true when an object is a List, a Vector or a Table, which may be here. */
function isCollection(value: JsonObject, how: Visit): boolean {
  const own = collectionKey(value);
  if (own === undefined) return false;
  if (how.list === undefined) {
    throw new Refusal((place) => {
      const message = `${place} has the key ${own}, which is reserved; rename it.`;
      return new ReckonerError("json.reserved", message, { place });
    });
  }
  const wanted = how.list(value);
  if (wanted === undefined) return true;
  throw new Refusal((place) => {
    const message = `${place} is not a well-formed ${wanted}.`;
    return new ReckonerError("json.refused", message, { place });
  });
}

/**
 * Returns true when an object or array is frozen and nothing but JSON at its own level: no getters, no
 * symbols, nothing hidden, no names on an array. Only that may be kept without a copy.
 */
function isFrozenData(value: object): boolean {
  if (!Object.isFrozen(value)) return false;
  const isArray = Array.isArray(value);
  if (isArray && Object.getPrototypeOf(value) !== Array.prototype) return false;
  const names = Reflect.ownKeys(value);
  if (isArray && names.length !== value.length + 1) return false;
  return names.every((name) => {
    if (isArray && name === "length") return true;
    const property = Object.getOwnPropertyDescriptor(value, name);
    return typeof name === "string" && property?.enumerable === true && "value" in property;
  });
}

function keep<T extends object>(value: T, height: number, flags: number, how: Visit): T {
  how.facts = markPassed(value, height, flags);
  return Object.freeze(value);
}

function article(name: string): string {
  return `${/^[AEIOU]/i.test(name) ? "an" : "a"} ${name}`;
}

/**
 * Returns a copy of an object with other parts. It does what `{ ...object, part }` does, for places that do so with each
 * event: V8 gives each copy by a spread with parts behind it a hidden class of its own after a while, so that whatever
 * reads the copies looks their properties up anew each time.
 */
export function withParts<T extends object, Parts extends object>(
  object: T,
  parts: Parts,
): Omit<T, keyof Parts> & Parts {
  return Object.assign({}, object, parts);
}
