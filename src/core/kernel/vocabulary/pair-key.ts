/**
 * Joins two ids into one text, injectively (the separator is escaped): a run and its directive, a
 * child and its approval.
 */

/** `a:b`, with `%` and `:` in either written as `%25` and `%3a`. */
export function pairKey(a: string, b: string): string {
  return `${escapeId(a)}:${escapeId(b)}`;
}

/** An id as it stands in a pair. */
export function escapeId(id: string): string {
  if (!id.includes(":") && !id.includes("%")) return id;
  return id.replace(/[%:]/g, (c) => (c === "%" ? "%25" : "%3a"));
}

/** An id from a pair. */
export function unescapeId(text: string): string {
  return text.replace(/%(25|3a)/g, (_, code) => (code === "25" ? "%" : ":"));
}

/** The two ids of a pair; `undefined` where the text is none. */
export function splitPair(pair: string): readonly [a: string, b: string] | undefined {
  const at = pair.indexOf(":");
  if (at < 0 || pair.indexOf(":", at + 1) >= 0) return undefined;
  return [unescapeId(pair.slice(0, at)), unescapeId(pair.slice(at + 1))];
}
