/**
 * The set of all ids a run has issued (K1: a repeated id is refused), as plain JSON that shares
 * structure: ids in 1 024 buckets, by ten bits of a hash. An insertion copies two short arrays and
 * one bucket; arrays copy faster than objects, whose keys would come in ever new orders.
 */

/** Buckets of ids, by five bits and five more; what is empty may be missing at the end. */
export type IdSet = readonly (readonly (readonly string[])[])[];

/** No ids. */
export const emptyIdSet: IdSet = Object.freeze([]);

/** FNV-1a; which bucket an id is in matters to nobody, as long as it is the same everywhere. */
function hashOfId(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return hash;
}

/** Whether an id is in the set. */
export function hasId(set: IdSet, id: string): boolean {
  const hash = hashOfId(id);
  return set[(hash >>> 8) & 31]?.[(hash >>> 16) & 31]?.includes(id) === true;
}

/** The set with an id added. */
export function addId(set: IdSet, id: string): IdSet {
  // Not frozen: it would cost more than the rest, and nobody but this file looks in.
  const hash = hashOfId(id);
  const row = set[(hash >>> 8) & 31] ?? [];
  const bucket = [...(row[(hash >>> 16) & 31] ?? []), id];
  return put(set, (hash >>> 8) & 31, put(row, (hash >>> 16) & 31, bucket));
}

function put<T>(array: readonly (readonly T[])[], index: number, value: readonly T[]) {
  const copy = array.slice();
  while (copy.length <= index) copy.push([]);
  copy[index] = value;
  return copy;
}
