/**
 * Validation, for all that comes from outside: options, arguments, definitions, messages, events and
 * directives. A shape is data, and one walk over it finds the first fault with its place.
 */
import { isObject } from "../values/index.js";
import { toJson } from "../values/json.js";
import { childPath } from "../values/refusal.js";
import { shownBriefly } from "../values/size-limits.js";
import { isUnawaited, specialFunction } from "../values/thenable.js";

/** The place of a fault within a value (`.content[0].text`; nothing for the value itself), and what is wrong there. */
export type Fault = readonly [place: string, what: string];

/** A test, and the same in words; of an object or a list also a search in what it holds. */
export type Shape = readonly [
  is: (value: unknown) => boolean,
  words: string,
  inside?: ((value: never) => Fault | undefined) | undefined,
];
/** Shapes by name, of all that there may be. */
export type Shapes<T> = { readonly [Name in keyof Required<T>]: Shape };
/** The shapes of an object's parts. */
type Parts = { readonly [name: string]: Shape };

const isNumber = (least: number) => (value: unknown) => typeof value === "number" && value >= least;
const isCount = (least: number) => (value: unknown) =>
  isNumber(least)(value) && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY);
const isText = (value: unknown): boolean => typeof value === "string";

/** Any value, or one that is looked at elsewhere. */
export const ANYTHING: Shape = [() => true, "anything"];
/** A text. */
export const TEXT: Shape = [isText, "a string"];
/** The id of a run that a caller names. A child's has a colon behind the root's id, so no root's has one. */
export const RUN_ID: Shape = [
  (value) => isText(value) && !(value as string).includes(":"),
  'a string without ":", which stands in the run ids of children alone',
];
/** Any value but none: a function that returns nothing has no JSON, and a transcript would have a gap there. */
export const SOMETHING: Shape = [
  (value) => value !== undefined,
  "JSON; null says that there is none",
];
/** A text, or `null` for none. */
export const TEXT_OR_NULL: Shape = [(value) => value === null || isText(value), "a string or null"];
/** A text that says something. */
export const NAME: Shape = [(value) => isText(value) && value !== "", "a string, not empty"];
/** Texts. */
export const TEXTS: Shape = [
  (value) => Array.isArray(value) && value.every(isText),
  "a list of strings",
];
/** A yes or no. */
export const FLAG: Shape = [(value) => typeof value === "boolean", "true or false"];
/** A function. Nobody takes up what a generator gives. */
export const FUNCTION: Shape = [
  (value) => typeof value === "function" && !specialFunction(value)?.endsWith("generator function"),
  "a function",
];
/** A function whose answer is needed at once: one that is declared `async` always gives a promise. */
export const PURE: Shape = [
  (value) => typeof value === "function" && specialFunction(value) === undefined,
  "a function that answers at once, without async",
];
/** An object that is not a list. */
export const OBJECT: Shape = [isObject, "an object"];
/** A list. */
export const LIST: Shape = [Array.isArray, "a list"];
/** An object that JSON can hold; `holds` takes what `toJson` throws. */
export const JSON_OBJECT: Shape = [
  (value) => isObject(value) && toJson(value) !== undefined,
  "an object of JSON",
];
/** A number, and not NaN. */
export const NUMBER: Shape = [/* @__PURE__ */ isNumber(Number.NEGATIVE_INFINITY), "a number"];
/** A whole number. */
export const WHOLE: Shape = [Number.isSafeInteger, "a whole number"];
/** A time; without end, too. */
export const MILLISECONDS: Shape = [
  /* @__PURE__ */ isNumber(0),
  "a number of milliseconds, 0 or more",
];
/** The time that something may take; without end, too. */
export const TIMEOUT: Shape = [
  (value) => typeof value === "number" && value > 0,
  "a number of milliseconds above 0",
];
/** A Standard Schema; those of some libraries are functions. */
export const SCHEMA: Shape = [
  (value) => (value as { readonly "~standard"?: unknown } | null)?.["~standard"] !== undefined,
  "a Standard Schema, such as one of zod's",
];

/** A number of times, from a least number on, or without end. */
export function count(least: number): Shape {
  return [isCount(least), `a whole number, ${least} or more`];
}

/** A whole number from a least one on, and an end to it. */
export function whole(least: number): Shape {
  return [
    (value) => Number.isSafeInteger(value) && isNumber(least)(value),
    `a whole number, ${least} or more`,
  ];
}

/** A number from a least one on. */
export function atLeast(least: number): Shape {
  return [isNumber(least), `a number, ${least} or more`];
}

/** A number above another one, and an end to it. */
export function above(limit: number): Shape {
  return [
    (value) => Number.isFinite(value) && (value as number) > limit,
    `a number above ${limit}`,
  ];
}

/** One of some words. */
export function oneOf(...words: readonly string[]): Shape {
  const [last, ...others] = words.map((word) => JSON.stringify(word)).reverse();
  return [(value) => words.includes(value as string), `${others.reverse().join(", ")} or ${last}`];
}

/** One of two shapes. */
export function either(one: Shape, other: Shape): Shape {
  const [isOne, words, inside] = one;
  return [
    (value) => isOne(value) || other[0](value),
    `${words} or ${other[1]}`,
    (value: never) => (isOne(value) ? inside : other[2])?.(value),
  ];
}

/** A list whose items are all so; so many of them at least. */
export function listOf(item: Shape, least = 0, words = `a list, each ${item[1]}`): Shape {
  return [
    (value) => Array.isArray(value) && value.length >= least,
    least === 0 ? words : `${words}; ${least} or more`,
    (items: readonly unknown[]) => {
      for (let i = 0; i < items.length; i++) {
        const fault = findFault(items[i], item);
        if (fault !== undefined) return [`[${i}]${fault[0]}`, fault[1]];
      }
      return undefined;
    },
  ];
}

/** An object of any names whose values are all so. */
export function recordOf(item: Shape, words = "an object"): Shape {
  return [
    isObject,
    words,
    (value: object) => {
      for (const [name, each] of Object.entries(value)) {
        if (each === undefined) continue;
        const fault = findFault(each, item);
        if (fault !== undefined) return [`${placeOf(name)}${fault[0]}`, fault[1]];
      }
      return undefined;
    },
  ];
}

/** An object, perhaps of a class, with these methods. */
export function hasMethods(...names: readonly string[]): (value: unknown) => boolean {
  return (value) => isObject(value) && names.every((name) => typeof value[name] === "function");
}

/** An object, perhaps of a class, that has these parts. */
export function hasParts(...names: readonly string[]): (value: unknown) => boolean {
  return (value) => isObject(value) && names.every((name) => value[name] !== undefined);
}

/**
 * An object of these parts and no others; of a class it may have fields of its own.
 * @param required the parts that may not be left out
 */
export function optionsOf(parts: Parts, ...required: readonly string[]): Shape {
  return [isObject, "an object", insideOf(parts, required, true)];
}

/** An object of these parts, and perhaps of others. */
export function open(parts: Parts, ...required: readonly string[]): Shape {
  return [isObject, "an object", insideOf(parts, required, false)];
}

/** An object whose parts follow from one of them, its tag. @param other the shape under any other tag */
export function tagged(tag: string, shapes: Parts, other?: Shape): Shape {
  const tags = Object.keys(shapes);
  const words = other === undefined ? oneOf(...tags)[1] : "a string";
  return [
    isObject,
    "an object",
    (value: { readonly [name: string]: unknown }) => {
      const kind = value[tag];
      const hasShape = typeof kind === "string" && Object.hasOwn(shapes, kind);
      const shape = hasShape ? shapes[kind] : isText(kind) ? other : undefined;
      if (shape !== undefined) return findFault(value, shape);
      return [`.${tag}`, `must be ${words}; it is ${shownBriefly(kind)}`];
    },
  ];
}

/** The same shape, of which the parts have to be so too. */
export function holding([is, words]: Shape, parts: Parts): Shape {
  return [is, words, insideOf(parts, [], true)];
}

/** An object's parts without those that are `undefined`, which count as left out. */
export type Defined<T> = { readonly [Name in keyof T]: Exclude<T[Name], undefined> };

/** Options as callers write them: one that is optional may also be there and `undefined`. */
export type Options<T> = {
  readonly [Name in keyof T]: object extends Pick<T, Name> ? T[Name] | undefined : T[Name];
};

/**
 * Returns the given parts of an object: to be laid over defaults, which a part that is `undefined` would
 * hide.
 */
export function defined<T extends object>(parts: T): Defined<T> {
  const all = Object.entries(parts).filter(([, part]) => part !== undefined);
  return Object.fromEntries(all) as Defined<T>;
}

/** Finds the first thing in a value that does not fit. */
export function findFault(value: unknown, [is, words, inside]: Shape): Fault | undefined {
  if (holds(is, value)) return inside?.(value as never);
  return ["", `must be ${words}; it is ${named(value)}`];
}

/**
 * Describes what does not fit: `must be a string; it is 5`, `settings.seed must be a number; it is null`;
 * `undefined` where all does.
 * @param name of the value: `input`, or in words, `what it returns`
 */
export function misfit(value: unknown, shape: Shape, name = ""): string | undefined {
  const fault = findFault(value, shape);
  if (fault === undefined) return undefined;
  const [place, what] = fault;
  const inner = place.replace(/^\./, "");
  if (name === "" || place === "") return `${name}${inner} ${what}`.trim();
  return name.includes(" ") ? `${name}: ${inner} ${what}` : `${name}${place} ${what}`;
}

/** Makes the search in an object of these parts. */
function insideOf(parts: Parts, required: readonly string[], closed: boolean) {
  const shapes = Object.entries(parts).map(
    ([name, shape]) => [name, shape, required.includes(name)] as const,
  );
  return (value: object): Fault | undefined => {
    const unknown = closed ? unknownName(value, parts) : undefined;
    if (unknown !== undefined) {
      const names = `${Object.keys(parts).join(", ")} ${shapes.length === 1 ? "is" : "are"}`;
      return [placeOf(unknown), `is not a part of it; ${names}`];
    }
    for (const [name, shape, isRequired] of shapes) {
      const fault = partFault(value, name, shape, isRequired);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

function partFault(
  value: object,
  name: string,
  shape: Shape,
  isRequired: boolean,
): Fault | undefined {
  let part: unknown;
  try {
    part = (value as { readonly [name: string]: unknown })[name];
  } catch {
    // A getter of the caller's, or a proxy, may throw at each look.
    return [placeOf(name), "cannot be read; pass a plain object"];
  }
  if (part === undefined) {
    return isRequired ? [placeOf(name), `is missing; it must be ${shape[1]}`] : undefined;
  }
  const fault = findFault(part, shape);
  return fault === undefined ? undefined : [`${placeOf(name)}${fault[0]}`, fault[1]];
}

/** The place of a part: `.a`, or `["a b"]` where its name is no identifier. */
function placeOf(name: string): string {
  return childPath("", name);
}

/**
 * The first name in an object that it may not have; `undefined` where there is none. An object of a
 * class may have fields of its own, and what is there and `undefined` is as if it were left out.
 */
export function unknownName(value: object, parts: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return undefined;
  for (const name in value) {
    if (!Object.hasOwn(parts, name) && Object.hasOwn(value, name) && isThere(value, name)) {
      return name;
    }
  }
  return undefined;
}

function isThere(value: object, name: string): boolean {
  try {
    return (value as { readonly [name: string]: unknown })[name] !== undefined;
  } catch {
    return true;
  }
}

/** A test that throws, at a getter of the caller's say, does not hold. */
function holds(is: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return is(value);
  } catch {
    return false;
  }
}

/** A value in a word or two: what it holds may be a secret, or long. */
function named(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return value === "" ? "an empty string" : "a string";
  if (value === undefined) return "undefined";
  if (typeof value === "function") return specialFunction(value) ?? "a function";
  if (isUnawaited(value)) return "a promise, which is to be awaited first";
  return typeof value === "object" ? "another object" : `a ${typeof value}`;
}
