/**
 * Validates the fields of operations, queries and settings (ids, times, counts, texts, objects): each value
 * is taken as it is, or refused with a code and its path. It must not know operations or queries.
 */

import { printValue } from "../../../core/kernel/machine/index.js";
import {
  childPath,
  type ErrorCode,
  type Json,
  type JsonObject,
  ReckonerError,
} from "../../../core/kernel/values/index.js";

/** Ids (of nodes, edges and scopes) have one alphabet, so that every store sorts them alike, by bytes. */
const idPattern = /^[A-Za-z0-9_.:/-]{1,160}$/;

/** The last moment that a `Date` can hold, in milliseconds since 1970. */
const LAST_TIME = 8_640_000_000_000_000;

/** A value at its place; `undefined` where there is none. */
export interface Candidate {
  readonly value: unknown;
  readonly path: string;
  /** The code of a refusal. */
  readonly code: ErrorCode;
}

/** Takes a value. @throws ReckonerError if it does not fit */
export type Check<T> = (candidate: Candidate) => T;

/** A field that may be left out, and its value then; without one it stays out. */
interface Optional<T> {
  readonly check: Check<T>;
  readonly otherwise: T | undefined;
}

/** The checks of an object's fields. */
export type Spec<T> = {
  readonly [F in keyof Required<T>]: Check<Defined<T, F>> | Optional<Defined<T, F>>;
};
type Defined<T, F extends keyof T> = Exclude<T[F], undefined>;

/** Makes a check of a test; `mend` says how to mend what does not fit. */
function fitting<T>(is: (value: unknown) => boolean, mend: string): Check<T> {
  return (candidate) => {
    if (is(candidate.value)) return candidate.value as T;
    throw refused(candidate, mend);
  };
}

export const ID: Check<string> = /* @__PURE__ */ fitting(
  (value) => typeof value === "string" && idPattern.test(value),
  "give an id: 1 to 160 of A-Z a-z 0-9 _ . : / -",
);
export const TIME: Check<number> = /* @__PURE__ */ fitting(
  (value) => isWithin(value, 0, LAST_TIME),
  "give whole milliseconds since 1970-01-01 UTC",
);
export const FLAG: Check<boolean> = /* @__PURE__ */ fitting(
  (value) => typeof value === "boolean",
  "give true or false",
);
export const CONFIDENCE: Check<number | null> = /* @__PURE__ */ fitting(
  (value) => value === null || (typeof value === "number" && value >= 0 && value <= 1),
  "give a number from 0 to 1, or null",
);

/** Takes a whole number within bounds. */
export function count(least: number, most: number): Check<number> {
  return fitting(
    (value) => isWithin(value, least, most),
    `give a whole number from ${least} to ${most}`,
  );
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

export function oneOf<T extends string>(words: readonly T[]): Check<T> {
  return fitting((value) => words.includes(value as T), `give one of ${words.join(", ")}`);
}

/** Takes a list of known words. It may be empty, and then nothing fits. */
export function someOf<T extends string>(words: readonly T[]): Check<readonly T[]> {
  const one = oneOf(words);
  return (candidate) => {
    if (!Array.isArray(candidate.value)) throw refused(candidate, "give a list");
    return candidate.value.map((value, i) =>
      one({ ...candidate, value, path: `${candidate.path}[${i}]` }),
    );
  };
}

/** Takes a text without U+0000, which not every store can hold; or null. */
export const TEXT_OR_NULL: Check<string | null> = (candidate) => {
  const { value } = candidate;
  if (value === null) return null;
  if (typeof value !== "string") throw refused(candidate, "give a string");
  if (value.includes("\0")) throw refused(candidate, "leave U+0000 out");
  return value;
};

/** Takes a text that is not blank. */
export const LABEL: Check<string> = (candidate) => {
  const text = TEXT_OR_NULL(candidate);
  if (text !== null && text.trim() !== "") return text;
  throw refused(candidate, "give a string that is not blank");
};

/** Takes a JSON object without U+0000 in any text or key. */
export const OBJECT: Check<JsonObject> = (candidate) => {
  const value = objectOf(candidate);
  const place = pathOfNull(value, candidate.path);
  if (place === undefined) return value;
  throw new ReckonerError(candidate.code, `${place} holds U+0000; leave it out.`, { place });
};

/** Lets a field be left out. */
export function optional<T>(check: Check<T>, otherwise?: T): Optional<T> {
  return { check, otherwise };
}

/** Takes an object of these fields and no others. Its fields are in the order of the checks. */
export function record<T extends object>(spec: Spec<T>): Check<T> {
  return (candidate) => {
    const value = objectOf(candidate);
    const at = (name: string): Candidate => ({
      value: value[name],
      path: childPath(candidate.path, name),
      code: candidate.code,
    });
    const names = Object.keys(spec);
    for (const name in value) {
      if (names.includes(name)) continue;
      throw refused(at(name), `leave it out; known are ${names.join(", ")}`);
    }
    const fields = Object.entries<Spec<T>[keyof T]>(spec).map(([name, field]) => {
      if (typeof field === "function") return [name, field(at(name))];
      return [name, Object.hasOwn(value, name) ? field.check(at(name)) : field.otherwise];
    });
    return Object.fromEntries(fields.filter(([, taken]) => taken !== undefined)) as T;
  };
}

/** Takes an object of one of several types, which its field `type` names. */
export function variant<T extends { readonly type: string }>(
  specs: {
    readonly [K in T["type"]]: Spec<Omit<Extract<T, { readonly type: K }>, "type">>;
  },
): Check<T> {
  const types = oneOf(Object.keys(specs) as T["type"][]);
  return (candidate) => {
    const { type: value } = objectOf(candidate);
    const type = types({ ...candidate, value, path: childPath(candidate.path, "type") });
    return record<T>({ type: types, ...specs[type] } as object as Spec<T>)(candidate);
  };
}

/** Makes the error for a value: what it is, and how to mend it. */
export function refused({ value, path: place, code }: Candidate, mend: string): ReckonerError {
  const shown = value === undefined ? "missing" : printValue(value as Json, 80);
  return new ReckonerError(code, `${place} is ${shown}; ${mend}.`, { place });
}

function objectOf(candidate: Candidate): JsonObject {
  const { value } = candidate;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw refused(candidate, "give an object");
}

/** Finds U+0000 in JSON, in a text or a key. The JSON border bounds the nesting. */
function pathOfNull(value: unknown, path: string): string | undefined {
  if (typeof value === "string") return value.includes("\0") ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${key}]` : childPath(path, key);
    const found = key.includes("\0") ? place : pathOfNull(item, place);
    if (found !== undefined) return found;
  }
  return undefined;
}
