/**
 * The set of all ids a run has issued (K1: a repeated id is refused), as plain JSON that shares
 * structure: ids in 1 024 buckets, by two letters of a hash. An insertion copies two small objects
 * and one bucket.
 */

/** Buckets of ids. */
export interface IdSet {
  readonly [letter: string]: { readonly [letter: string]: readonly string[] };
}

/** No ids. */
export const emptyIdSet: IdSet = Object.freeze({});

const letters = "abcdefghijklmnopqrstuvwxyzABCDEF";

/** FNV-1a; which bucket an id is in matters to nobody, as long as it is the same everywhere. */
function lettersOf(id: string): [string, string] {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return [letters[(hash >>> 8) & 31] as string, letters[(hash >>> 16) & 31] as string];
}

/** Whether an id is in the set. */
export function hasId(set: IdSet, id: string): boolean {
  const [first, second] = lettersOf(id);
  return set[first]?.[second]?.includes(id) === true;
}

/** The set with an id added. */
export function addId(set: IdSet, id: string): IdSet {
  const [first, second] = lettersOf(id);
  // Not frozen: it would cost more than the rest, and nobody but this file looks in.
  const bucket = [...(set[first]?.[second] ?? []), id];
  return { ...set, [first]: { ...set[first], [second]: bucket } };
}
