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
