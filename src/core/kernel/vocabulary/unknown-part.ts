/** Names of options: a misspelt one would be as if it had been left out, and nobody would know. */

/** The names that a definition may have. */
export type Parts<T> = { readonly [Name in keyof Required<T>]: true };

/**
 * What is wrong with the names in a definition, in words; `undefined` where nothing is. An object of a
 * class may have fields of its own.
 */
export function unknownPart(
  definition: object,
  parts: { readonly [name: string]: true },
): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(definition);
  if (prototype !== null && prototype !== Object.prototype) return undefined;
  const unknown = Object.keys(definition).find((name) => !Object.hasOwn(parts, name));
  if (unknown === undefined) return undefined;
  return `${unknown} is no part of it; ${Object.keys(parts).join(", ")} are`;
}
