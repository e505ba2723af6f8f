/** Validators for options and arguments: each is a test and a description in words. */
import { toJson } from "../values/json.js";
import { isUnawaited, specialFunction } from "../values/thenable.js";
import type { LlmSettings } from "./directive.js";

/** A test, and the same in words; of an object also what it may hold. */
export type Shape = readonly [
  is: (value: unknown) => boolean,
  words: string,
  parts?: { readonly [name: string]: Shape },
];
/** Shapes by name, of all that there may be. */
export type Shapes<T> = { readonly [Name in keyof Required<T>]: Shape };

const isNumber = (least: number) => (value: unknown) => typeof value === "number" && value >= least;
const isCount = (least: number) => (value: unknown) =>
  isNumber(least)(value) && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY);
const isText = (value: unknown): boolean => typeof value === "string";
const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Any value, or one that is looked at elsewhere. */
export const ANYTHING: Shape = [() => true, "anything"];
/** A text. */
export const TEXT: Shape = [isText, "a string"];
/** The id of a run that a caller names. A child's has a colon behind the root's id, so no root's has one. */
export const RUN_ID: Shape = [
  (value) => isText(value) && !(value as string).includes(":"),
  'a string without ":", which stands in the run ids of children alone',
];
/** A text, or `null` for none. */
export const TEXT_OR_NULL: Shape = [(value) => value === null || isText(value), "a string or null"];
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
const JSON_OBJECT: Shape = [
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
export function either([isOne, one]: Shape, [isOther, other, parts]: Shape): Shape {
  const is = (value: unknown) => isOne(value) || isOther(value);
  const words = `${one} or ${other}`;
  return parts === undefined ? [is, words] : [is, words, parts];
}

/** A list whose items are all so. */
export function listOf([is, words]: Shape): Shape {
  return [(value) => Array.isArray(value) && value.every(is), `a list, each ${words}`];
}

/** It may be left out. */
export function maybe([is, words]: Shape): Shape {
  return [(value) => value === undefined || is(value), `${words}, or nothing`];
}

/** An object, perhaps of a class, with these methods. */
export function hasMethods(...names: readonly string[]): (value: unknown) => boolean {
  return (value) => isObject(value) && names.every((name) => typeof value[name] === "function");
}

/** An object, perhaps of a class, that has these parts. */
export function hasParts(...names: readonly string[]): (value: unknown) => boolean {
  return (value) => isObject(value) && names.every((name) => value[name] !== undefined);
}

/** An object of these parts and no others. */
export function exactly(parts: { readonly [name: string]: Shape }): Shape {
  const shapes = Object.entries(parts);
  return [
    (value) =>
      isObject(value) &&
      Object.keys(value).every((name) => Object.hasOwn(parts, name)) &&
      shapes.every(([name, [is]]) => is(value[name])),
    `{ ${shapes.map(([name, [, words]]) => `${name}: ${words}`).join("; ")} }`,
  ];
}

/** An object of these parts, each of which may be left out; a message names the one that is wrong. */
export function optionsOf(parts: { readonly [name: string]: Shape }): Shape {
  return [isObject, "an object", parts];
}

const settings: Shapes<LlmSettings> = {
  maxOutputTokens: /* @__PURE__ */ whole(1),
  temperature: NUMBER,
  topP: NUMBER,
  topK: NUMBER,
  presencePenalty: NUMBER,
  frequencyPenalty: NUMBER,
  stopSequences: TEXTS,
  seed: NUMBER,
  providerOptions: JSON_OBJECT,
};
/** Settings of a model call. */
export const SETTINGS: Shape = /* @__PURE__ */ optionsOf(settings);

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
export function given<T extends object>(parts: T): Defined<T> {
  const all = Object.entries(parts).filter(([, part]) => part !== undefined);
  return Object.fromEntries(all) as Defined<T>;
}

/** Describes a value that does not fit: `must be a string; it is 5`; `undefined` where it fits. */
export function misfit(value: unknown, [is, words]: Shape): string | undefined {
  return holds(is, value) ? undefined : `must be ${words}; it is ${named(value)}`;
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
