/**
 * What the kernel remembers of a value: that it has passed the JSON border, how deep it is, and
 * whether it holds a List. It is kept in a hidden field on the value itself (`hidden.ts`).
 */
import { hiddenField } from "./hidden.js";

/** Twice the height, and 1 where the value holds a List: one field is cheaper than two. */
const facts = hiddenField<number>();

/**
 * Marks a value as checked, which bears no mark yet. It has to be frozen right after, if it is not.
 * @param height how many objects and arrays lie in one another, this one included
 * @param holdsList whether it is a List or holds one, at any depth
 */
export function markPassed(value: object, height: number, holdsList: boolean): void {
  facts.add(value, 2 * height + (holdsList ? 1 : 0));
}

/** Twice the height of a value, and 1 where it holds a List; 0 for what has not passed the border. */
export function factsOf(value: unknown): number {
  return typeof value === "object" && value !== null ? (facts.get(value) ?? 0) : 0;
}

/** Whether a value has passed the border. */
export function hasPassed(value: object): boolean {
  return facts.get(value) !== undefined;
}

/** Whether a value has passed the border and is no List, Vector or Table, and holds none. */
export function isPassedPlain(value: object): boolean {
  const known = facts.get(value);
  return known !== undefined && (known & 1) === 0;
}

/** How deep a value is that has passed the border; 0 for what is no object. */
export function heightOf(value: unknown): number {
  return factsOf(value) >> 1;
}

/** Whether a value that has passed the border is a List or holds one. */
export function holdsList(value: unknown): boolean {
  return (factsOf(value) & 1) === 1;
}
