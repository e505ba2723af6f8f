/**
 * The JSON border (K2). Everything that enters a state, an event or a directive passes here once:
 * it comes out as plain, frozen JSON or is refused with its path. It goes by value: what comes out is
 * a copy, so that no getter, no symbol and no property of an array comes along and nothing of the
 * caller's is frozen; only what is frozen plain data already is taken as it is. What has passed is
 * remembered, so that a step costs what it changes and not what it carries.
 */
import { ReckonerError } from "../vocabulary/errors.js";
import { factsOf, markPassed } from "./stamp.js";
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

/** Whether a value is a JSON object, and no array. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
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

/** The code of `@`, with which the keys of collections begin. */
const AT = 64;

const loneSurrogate = /\p{Surrogate}/u;
/** The engine's own test, where it has one, costs nothing on a text of one byte a character. */
const { isWellFormed } = String.prototype as { isWellFormed?: (this: string) => boolean };
const hasLoneSurrogate: (text: string) => boolean =
  isWellFormed === undefined
    ? (text) => loneSurrogate.test(text)
    : (text) => !isWellFormed.call(text);
const loneSurrogates = /\p{Surrogate}/gu;

type ListCheck = (value: JsonObject, path: string) => void;

interface Visit {
  /** Checks an object that claims to be a List; without it, such objects are refused. */
  readonly list: ListCheck | undefined;
  readonly maxDepth: number;
  /** Nobody else holds the value, and it has no getters: it is frozen where it is. */
  readonly own: boolean;
  /** Where the visit began, and by depth the keys down to where it is: what it takes to refuse. */
  readonly root: string;
  readonly trail: (string | number | undefined)[];
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
  return admit(value, { list: undefined, maxDepth, own: false, root: path, trail: [] }) as T;
}

/**
 * The same of what its caller has just made, so that nobody else holds it and it has no getters: it is
 * frozen where it is, and not copied. It may be deeper, since it wraps what came from outside.
 * @internal
 */
export function ownJson<T = Json>(value: unknown, path = "$", maxDepth: number = MAX_OWN_DEPTH): T {
  return admit(value, { list: undefined, maxDepth, own: true, root: path, trail: [] }) as T;
}

/** A value that is JSON by its construction, as such: interfaces have no index signature. */
export function asJson<T extends object>(
  value: T,
): T extends readonly unknown[] ? readonly Json[] : JsonObject {
  return value as never;
}

/**
 * A value of a machine's own (context, directive) as plain JSON, in which Lists are allowed.
 * @param own whether nobody else holds it, and it has no getters: then it is not copied
 * @internal
 */
export function seal(
  value: unknown,
  path: string,
  list: ListCheck,
  maxDepth: number,
  own = false,
): Json {
  return admit(value, { list, maxDepth, own, root: path, trail: [] });
}

function admit(value: unknown, how: Visit): Json {
  try {
    return visit(value, 0, how);
  } catch (thrown) {
    hush(value);
    throw thrown;
  }
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

/** Whether the text of a value is shorter than a limit, by a bound that costs no text. */
export function surelyBelow(value: Json, limit: number): boolean {
  return rough(value, limit) > 0;
}

/** Whether the JSON text of a value has more characters than a limit. */
export function exceeds(value: Json, limit: number): boolean {
  return !surelyBelow(value, limit) && JSON.stringify(value).length > limit;
}

function rough(value: Json, left: number): number {
  if (typeof value === "string") return left - 6 * value.length - 3;
  if (typeof value !== "object" || value === null) return left - 26;
  let rest = left - 2;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && rest > 0; i++) rest = rough(value[i] as Json, rest);
    return rest;
  }
  for (const key in value as JsonObject) {
    if (rest <= 0) break;
    rest = rough((value as JsonObject)[key] as Json, rest - 6 * key.length - 4);
  }
  return rest;
}

/** Characters of the way to what is too deep: the rest of a circle says nothing new. */
const MAX_WAY = 48;

function pathOf({ root, trail }: Visit, depth: number, most = Number.POSITIVE_INFINITY): string {
  let path = root;
  for (const key of trail.slice(0, depth)) {
    if (path.length > most) break;
    if (typeof key === "number") path += `[${key}]`;
    else if (key !== undefined) path = childPath(path, key);
  }
  return path;
}

function visit(value: unknown, depth: number, how: Visit): Json {
  switch (typeof value) {
    case "string":
      return hasLoneSurrogate(value) ? value.replace(loneSurrogates, "\uFFFD") : value;
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw refused(how, depth, `is ${value}`);
      return value === 0 ? 0 : value;
    case "object": {
      if (value === null) return null;
      const known = factsOf(value);
      const height = known >> 1;
      if (depth + Math.max(1, height) > how.maxDepth) {
        throw refused(how, depth, `is nested more than ${how.maxDepth} deep, or circular`, {
          most: MAX_WAY,
        });
      }
      // A List is the machine's own: where none may be, the visit goes on and names its path.
      if (height > 0 && (how.list !== undefined || (known & 1) === 0)) return value as Json;
      return visitInside(value, depth, how);
    }
    default:
      throw refused(how, depth, `is ${value === undefined ? "undefined" : `a ${typeof value}`}`);
  }
}

/** What is read may be anybody's getter or proxy: whatever it throws, it is no JSON. */
function visitInside(value: object, depth: number, how: Visit): Json {
  // As long as none of its keys is read.
  how.trail[depth] = undefined;
  try {
    return Array.isArray(value) ? visitArray(value, depth, how) : visitObject(value, depth, how);
  } catch (thrown) {
    if (thrown instanceof ReckonerError) throw thrown;
    throw refused(how, depth + 1, "cannot be read", { cause: thrown });
  }
}

function visitArray(value: readonly unknown[], depth: number, how: Visit): Json {
  // A copy is made where the value cannot be taken as it is: from the first difference on.
  let copy: Json[] | undefined = how.own || isFrozenData(value) ? undefined : [];
  let height = 0;
  let lists = false;
  for (let i = 0; i < value.length; i++) {
    how.trail[depth] = i;
    const before = value[i];
    const item = visit(before, depth + 1, how);
    if (copy === undefined && !Object.is(item, before)) copy = value.slice(0, i) as Json[];
    copy?.push(item);
    const known = factsOf(item);
    if (known >> 1 > height) height = known >> 1;
    if ((known & 1) === 1) lists = true;
  }
  // An array that grew item by item has room for seventeen; what is kept for ever has what it needs.
  return keep(copy?.slice() ?? (value as readonly Json[]), height + 1, lists);
}

function visitObject(value: object, depth: number, how: Visit): Json {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    // An object of another realm (a vm, an iframe) is plain too.
    const foreign = Object.getPrototypeOf(prototype) === null && "hasOwnProperty" in prototype;
    if (!foreign) throw refused(how, depth, `is ${article(value.constructor?.name || "instance")}`);
  }
  const same = prototype === Object.prototype && (how.own || isFrozenData(value));
  let copy: Record<string, Json> | undefined = same ? undefined : {};
  const keys = Object.keys(value);
  let height = 0;
  let lists = false;
  let marked = false;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    if (key === "__proto__") throw refused(how, depth, "has a key __proto__");
    if (key.charCodeAt(0) === AT) marked = true;
    how.trail[depth] = key;
    const before = (value as Record<string, unknown>)[key];
    if (before === undefined) {
      copy ??= firstOf(value, keys, i);
      continue;
    }
    const cleanKey = hasLoneSurrogate(key) ? key.replace(loneSurrogates, "\uFFFD") : key;
    const after = visit(before, depth + 1, how);
    if (copy === undefined && !(cleanKey === key && Object.is(after, before))) {
      copy = firstOf(value, keys, i);
    }
    if (copy !== undefined) copy[cleanKey] = after;
    const known = factsOf(after);
    if (known >> 1 > height) height = known >> 1;
    if ((known & 1) === 1) lists = true;
  }
  const clean = copy ?? (value as JsonObject);
  if (marked && isCollection(clean, depth, how)) lists = true;
  return keep(clean, height + 1, lists);
}

/** A copy of an object's first properties. */
function firstOf(value: object, keys: readonly string[], count: number): Record<string, Json> {
  const copy: Record<string, Json> = {};
  for (let i = 0; i < count; i++) {
    const key = keys[i] as string;
    copy[key] = (value as JsonObject)[key] as Json;
  }
  return copy;
}

/** Whether an object is a List, a Vector or a Table, which may be here. */
function isCollection(value: JsonObject, depth: number, how: Visit): boolean {
  const own = collectionKey(value);
  if (own === undefined) return false;
  const path = pathOf(how, depth);
  if (how.list === undefined) {
    throw new ReckonerError(
      "json.reserved",
      `${path} has the key ${own}, which is reserved; rename it.`,
      { place: path },
    );
  }
  how.list(value, path);
  return true;
}

/**
 * Whether an object or array is frozen and nothing but JSON at its own level: no getters, no symbols,
 * nothing hidden, no names on an array. Only that may be kept without a copy.
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

function keep<T extends object>(value: T, height: number, lists: boolean): T {
  markPassed(value, height, lists);
  return Object.freeze(value);
}

/** The path of a property: `$.a`, or `$["a b"]` where the key is no identifier. */
export function childPath(path: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function article(name: string): string {
  return `${/^[AEIOU]/i.test(name) ? "an" : "a"} ${name}`;
}

function refused(
  how: Visit,
  depth: number,
  what: string,
  { cause, most }: { readonly cause?: unknown; readonly most?: number } = {},
): ReckonerError {
  const path = pathOf(how, depth, most);
  return new ReckonerError(
    "json.refused",
    `${path} ${what}, which is not JSON; pass plain objects, arrays, strings, finite numbers, booleans or null.`,
    { place: path, cause },
  );
}
