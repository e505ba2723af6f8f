/** Texts cut to a length: a letter of two UTF-16 units, an emoji say, is shown whole or not at all. */

/** The part of a text from one unit up to another. */
export function cut(text: string, from: number, until: number): string {
  return text.slice(from, until).replace(/^\p{Surrogate}|\p{Surrogate}$/gu, "");
}

/** A text, or as much of its beginning as fits with a `…`. */
export function fitted(text: string, width: number): string {
  return text.length <= width ? text : `${cut(text, 0, width - 1)}…`;
}

/** A text, or as much of its end as fits behind a `…`. */
export function endOf(text: string, width: number): string {
  return text.length <= width ? text : `…${cut(text, text.length - width + 1, text.length)}`;
}
