/** Definitions, and names of options: a misspelt one would be as if it had been left out, unnoticed. */
import { type ErrorCode, ReckonerError } from "./errors.js";

/**
 * Checks that there is a definition at all, before its parts are looked at.
 * @param what takes it, as a message names it
 * @throws ReckonerError of that code
 */
export function checkDefinition(code: ErrorCode, what: string, definition: unknown): void {
  if (typeof definition === "object" && definition !== null && !Array.isArray(definition)) return;
  const given = Array.isArray(definition) ? "a list" : nameOf(definition);
  throw new ReckonerError(code, `${what} takes an object that defines it, not ${given}.`);
}

function nameOf(value: unknown): string {
  return value === null || value === undefined ? "nothing" : `a ${typeof value}`;
}

/** The names that a definition may have. */
export type Parts<T> = { readonly [Name in keyof Required<T>]: true };

/**
 * The first name in an object that it may not have; `undefined` where there is none. An object of a
 * class may have fields of its own.
 * @param counts whether a name counts that it may not have
 */
export function unknownName(
  definition: object,
  parts: object,
  counts: (name: string) => boolean = () => true,
): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(definition);
  if (prototype !== null && prototype !== Object.prototype) return undefined;
  return Object.keys(definition).find((name) => !Object.hasOwn(parts, name) && counts(name));
}

/** What is wrong with the names in a definition, in words; `undefined` where nothing is. */
export function unknownPart(
  definition: object,
  parts: { readonly [name: string]: true },
): string | undefined {
  const unknown = unknownName(definition, parts);
  if (unknown === undefined) return undefined;
  return `${unknown} is no part of it; ${Object.keys(parts).join(", ")} are`;
}
