/**
 * The JSON border (K2). Everything that enters a state, an event or a directive passes here once:
 * it comes out as plain, frozen JSON or is refused with its path. What has passed is remembered, so
 * that a step costs what it changes and not what it carries.
 */
import { ReckonerError } from "./errors.js";
import { hasPassed, heightOf, holdsList, markPassed } from "./stamp.js";

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

/** The key that marks a `List` of the kernel; no value from outside may carry it. */
export const LIST_KEY = "@list";

/** Deeper nesting is refused (J6); a cycle shows as such. */
export const MAX_DEPTH = 200;

/** A machine wraps what comes from outside: in a message, a part, a List, its context. */
export const MAX_OWN_DEPTH: number = MAX_DEPTH + 24;

const loneSurrogate = /\p{Surrogate}/u;
const loneSurrogates = /\p{Surrogate}/gu;

type ListCheck = (value: JsonObject, path: string) => void;

interface Visit {
  /** Copy objects even where nothing changes, so that a caller's own are never frozen. */
  readonly copy: boolean;
  /** Checks an object that claims to be a List; without it, such objects are refused. */
  readonly list: ListCheck | undefined;
  readonly maxDepth: number;
  /** Where the visit began, and the keys down to where it is: a path is needed only to refuse. */
  readonly root: string;
  readonly trail: (string | number)[];
}

/**
 * A value from outside as plain JSON: a frozen copy in which `undefined` properties are dropped,
 * `-0` is `0` and lone surrogates are U+FFFD.
 * @throws ReckonerError `json.refused` (functions, bigint, NaN, cycles, Date, Map, instances,
 * `__proto__` …) or `json.reserved`, with the JSON path as `place`
 * @typeParam T what the caller knows the value to be; the border checks that it is JSON, no more
 */
export function toJson<T = Json>(value: unknown, path = "$", maxDepth: number = MAX_DEPTH): T {
  return visit(value, 0, { copy: true, list: undefined, maxDepth, root: path, trail: [] }) as T;
}

/** A value that is JSON by its construction, as such: interfaces have no index signature. */
export function asJson(value: object): Json {
  return value as Json;
}

/**
 * A value of a machine's own (context, directive) as plain JSON: frozen in place, copied only where
 * something had to be normalised.
 * @internal
 */
export function seal(value: unknown, path: string, list: ListCheck, maxDepth: number): Json {
  return visit(value, 0, { copy: false, list, maxDepth, root: path, trail: [] });
}

function pathOf({ root, trail }: Visit): string {
  return trail.reduce<string>(
    (path, key) => (typeof key === "number" ? `${path}[${key}]` : childPath(path, key)),
    root,
  );
}

function visit(value: unknown, depth: number, how: Visit): Json {
  switch (typeof value) {
    case "string":
      return loneSurrogate.test(value) ? value.replace(loneSurrogates, "\uFFFD") : value;
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw refused(how, `is ${value}`);
      return value === 0 ? 0 : value;
    case "object":
      if (value === null) return null;
      if (depth + Math.max(1, heightOf(value)) > how.maxDepth) {
        throw refused(how, `is nested more than ${how.maxDepth} deep, or circular`);
      }
      // A List is the machine's own: where none may be, the visit goes on and names its path.
      if (hasPassed(value) && (how.list !== undefined || !holdsList(value))) return value as Json;
      return Array.isArray(value) ? visitArray(value, depth, how) : visitObject(value, depth, how);
    default:
      throw refused(how, `is ${value === undefined ? "undefined" : `a ${typeof value}`}`);
  }
}

function visitArray(value: readonly unknown[], depth: number, how: Visit): Json {
  let copy: Json[] | undefined = how.copy ? [] : undefined;
  let height = 0;
  let lists = false;
  for (let i = 0; i < value.length; i++) {
    how.trail.push(i);
    const item = visit(value[i], depth + 1, how);
    how.trail.pop();
    if (copy === undefined && !Object.is(item, value[i])) copy = value.slice(0, i) as Json[];
    copy?.push(item);
    height = Math.max(height, heightOf(item));
    lists ||= holdsList(item);
  }
  return keep(copy ?? (value as readonly Json[]), height + 1, lists);
}

function visitObject(value: object, depth: number, how: Visit): Json {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    // An object of another realm (a vm, an iframe) is plain too.
    const foreign = Object.getPrototypeOf(prototype) === null && "hasOwnProperty" in prototype;
    if (!foreign) throw refused(how, `is ${article(value.constructor?.name || "instance")}`);
  }
  let copy: Record<string, Json> | undefined = how.copy ? {} : undefined;
  const keys = Object.keys(value);
  let height = 0;
  let lists = false;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const before = (value as Record<string, unknown>)[key];
    if (key === "__proto__") throw refused(how, "has a key __proto__");
    if (before === undefined) {
      copy ??= pick(value as Record<string, Json>, keys, i);
      continue;
    }
    const cleanKey = loneSurrogate.test(key) ? key.replace(loneSurrogates, "\uFFFD") : key;
    how.trail.push(key);
    const after = visit(before, depth + 1, how);
    how.trail.pop();
    if (copy === undefined && (!Object.is(after, before) || cleanKey !== key)) {
      copy = pick(value as Record<string, Json>, keys, i);
    }
    if (copy !== undefined) copy[cleanKey] = after;
    height = Math.max(height, heightOf(after));
    lists ||= holdsList(after);
  }
  const clean = copy ?? (value as JsonObject);
  if (LIST_KEY in clean) {
    const path = pathOf(how);
    if (how.list === undefined) {
      throw new ReckonerError(
        "json.reserved",
        `${path} has the key ${LIST_KEY}, which is reserved; rename it.`,
        { place: path },
      );
    }
    how.list(clean, path);
    lists = true;
  }
  return keep(clean, height + 1, lists);
}

function keep<T extends object>(value: T, height: number, lists: boolean): T {
  markPassed(value, height, lists);
  return Object.freeze(value);
}

function pick(from: Record<string, Json>, keys: readonly string[], count: number) {
  const copy: Record<string, Json> = {};
  for (let i = 0; i < count; i++) {
    const key = keys[i] as string;
    if (from[key] !== undefined) copy[key] = from[key];
  }
  return copy;
}

/** The path of a property: `$.a`, or `$["a b"]` where the key is no identifier. */
export function childPath(path: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function article(name: string): string {
  return `${/^[AEIOU]/i.test(name) ? "an" : "a"} ${name}`;
}

function refused(how: Visit, what: string): ReckonerError {
  const path = pathOf(how);
  return new ReckonerError(
    "json.refused",
    `${path} ${what}, which is not JSON; pass plain objects, arrays, strings, finite numbers, booleans or null.`,
    { place: path },
  );
}
