/**
 * The mark on a validated value: that it is valid JSON, how deep it is, and whether it contains a
 * List or anything long. Stored in a hidden field (`hidden.ts`).
 */

import { Itself, ownField } from "./hidden.js";
import { MAX_VALUE_LENGTH } from "./size-limits.js";

/** A value is a List, a Vector or a Table, or holds one. */
export const HOLDS_LIST = 1;
/** A value is a long text or has many members, or holds such a value: it may not fit into a line. */
export const HOLDS_LONG = 2;
/** A value has a key that begins with `=`, as what stands for a collection has, or holds such a value. */
export const HOLDS_EQUALS = 4;
/** Behind these flags stands the height. */
const FLAGS = 7;
const HEIGHT = 8;

/** A shorter text is sure to fit into a line: a character takes at most six there. */
export const LONG_TEXT: number = Math.floor(MAX_VALUE_LENGTH / 8);
/** An array of fewer items is sure to fit: each stands there in up to 256 characters, or as a reference. */
export const MANY_ITEMS: number = Math.floor(MAX_VALUE_LENGTH / 260);

/** Height and flags in one: one field is cheaper than two. */
class Facts extends Itself {
  #content: number;
  constructor(value: object, content: number) {
    super(value);
    this.#content = content;
  }
  static get(value: object): number | undefined {
    return #content in value ? value.#content : undefined;
  }
  static add(value: object, content: number): void {
    new Facts(value, content);
  }
}
const facts = ownField<number>(Facts);

/**
 * Marks a value as checked, which bears no mark yet. It has to be frozen right after, if it is not.
 * @param height how many objects and arrays lie in one another, this one included
 * @param flags of the value and of what it holds, at any depth
 * @returns what {@link factsOf} says of it from now on
 */
export function markPassed(value: object, height: number, flags: number): number {
  const stamp = HEIGHT * height + flags;
  facts.add(value, stamp);
  return stamp;
}

/** The height of a value with its flags, in one number; 0 for what has not passed the border. */
export function factsOf(value: unknown): number {
  return typeof value === "object" && value !== null ? (facts.get(value) ?? 0) : 0;
}

/** The same of a value that has passed the border, whatever it is: a text has no height, and may be long. */
export function factsOfPassed(value: unknown): number {
  if (typeof value === "string") return value.length < LONG_TEXT ? 0 : HOLDS_LONG;
  return factsOf(value);
}

/** The height in what {@link factsOf} says. */
export function heightIn(stamp: number): number {
  return stamp >> 3;
}

/** The flags in what {@link factsOf} says. */
export function flagsIn(stamp: number): number {
  return stamp & FLAGS;
}

/** Returns true when a value has passed the border. */
export function hasPassed(value: object): boolean {
  return facts.get(value) !== undefined;
}

/** Returns true when a value has passed the border and is no List, Vector or Table, and holds none. */
export function isPassedPlain(value: object): boolean {
  const found = facts.get(value);
  return found !== undefined && (found & HOLDS_LIST) === 0;
}

/** Returns the depth of a value that has passed the border; 0 for a value that is no object. */
export function heightOf(value: unknown): number {
  return heightIn(factsOf(value));
}

/** The flags of a value that has passed the border, or is not an object. */
export function flagsOf(value: unknown): number {
  return flagsIn(factsOfPassed(value));
}

/**
 * Returns true when a value has passed the border, and no key in it begins with `=`.
 * @internal
 */
export function isWithoutEquals(value: object): boolean {
  const cached = facts.get(value);
  return cached !== undefined && (cached & HOLDS_EQUALS) === 0;
}
