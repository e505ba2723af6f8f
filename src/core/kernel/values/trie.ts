/**
 * A persistent trie from strings to numbers: the index of a Table's keys. It is derived from the
 * entries, so it is in no JSON and in no hash.
 */

/** Buckets of pairs, by three times five bits of the key's hash. */
export type Trie = readonly (Trie | Bucket | undefined)[];
type Bucket = readonly (readonly [key: string, at: number])[];

const LEVELS = 3;

/** FNV-1a with a final mix. The choice of buckets only has to be deterministic. */
function hashOfKey(key: string): number {
  let bits = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) bits = Math.imul(bits ^ key.charCodeAt(i), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  return (bits ^ (bits >>> 13)) >>> 0;
}

const slotOf = (bits: number, level: number): number => (bits >>> (5 * level)) & 31;

/** The number of a key. */
export function trieGet(trie: Trie, key: string): number | undefined {
  const bits = hashOfKey(key);
  let node: Trie | Bucket | undefined = trie;
  for (let level = 0; level < LEVELS && node !== undefined; level++) {
    node = (node as Trie)[slotOf(bits, level)];
  }
  for (const pair of (node as Bucket | undefined) ?? []) if (pair[0] === key) return pair[1];
  return undefined;
}

/** A trie with a number under a key, or without the key. */
export function trieSet(trie: Trie, key: string, at: number | undefined): Trie {
  return changed(trie, hashOfKey(key), 0, key, at) as Trie;
}

function changed(
  node: Trie | Bucket | undefined,
  bits: number,
  level: number,
  key: string,
  at: number | undefined,
): Trie | Bucket {
  if (level === LEVELS) {
    const others = ((node as Bucket | undefined) ?? []).filter((pair) => pair[0] !== key);
    return at === undefined ? others : [...others, [key, at]];
  }
  const copy = ((node as Trie | undefined) ?? []).slice();
  const slot = slotOf(bits, level);
  while (copy.length <= slot) copy.push(undefined);
  copy[slot] = changed(copy[slot], bits, level + 1, key, at);
  return copy;
}

/** A trie of many keys at once. */
export function trieOf(pairs: Iterable<readonly [key: string, at: number]>): Trie {
  const root: unknown[] = [];
  for (const [key, at] of pairs) {
    const bits = hashOfKey(key);
    let node = root;
    for (let level = 0; level < LEVELS; level++) {
      const slot = slotOf(bits, level);
      while (node.length <= slot) node.push(undefined);
      node[slot] ??= [];
      node = node[slot] as unknown[];
    }
    node.push([key, at]);
  }
  return root as Trie;
}
