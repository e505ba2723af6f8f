/**
 * The set of all ids a run has issued (K1: a repeated id is refused), as plain JSON that shares
 * structure: a trie over pairs of characters. Ids are paths (`tool/3/1`), so siblings share most of
 * their nodes and an insertion copies a handful of small objects.
 */

/** A node of the trie; the key `""` marks that an id ends here. */
export interface IdSet {
  readonly [pair: string]: IdSet | 1;
}

/** No ids. */
export const emptyIdSet: IdSet = Object.freeze({});

/** Whether an id is in the set. */
export function hasId(set: IdSet, id: string): boolean {
  let node = set;
  for (let i = 0; i < id.length; i += 2) {
    const next = node[id.slice(i, i + 2)];
    if (next === undefined || next === 1) return false;
    node = next;
  }
  return node[""] === 1;
}

/** The set with an id added. */
export function addId(set: IdSet, id: string): IdSet {
  return insert(set, id, 0);
}

function insert(node: IdSet, id: string, from: number): IdSet {
  if (from >= id.length) return Object.freeze({ ...node, "": 1 as const });
  const pair = id.slice(from, from + 2);
  const child = node[pair];
  const next = insert(child === undefined || child === 1 ? emptyIdSet : child, id, from + 2);
  return Object.freeze({ ...node, [pair]: next });
}
