/** Truncates texts without splitting a character of two UTF-16 units, such as an emoji. */

/** The part of a text from one unit up to another. */
export function slice(text: string, from: number, until: number): string {
  return text.slice(from, until).replace(/^\p{Surrogate}|\p{Surrogate}$/gu, "");
}

/** A text, or as much of its beginning as fits with a `…`. */
export function fitted(text: string, width: number): string {
  return text.length <= width ? text : `${slice(text, 0, width - 1)}…`;
}
