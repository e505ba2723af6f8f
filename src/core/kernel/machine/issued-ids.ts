/** Every id that a run has issued (K1: a repeated id is refused), in the order of issue. */
import { hiddenField } from "../values/hidden.js";
import { append, emptyList, type List, toArray } from "../values/list.js";
import { emptyTrie, type Trie, trieGet, trieOf, trieSet } from "../values/trie.js";

/** The ids, as plain JSON; where to look one up is derived from them. */
export type IssuedIds = List<string>;

/** No ids. */
export const noIds: IssuedIds = emptyList<string>();

const indexes = hiddenField<Trie>();
indexes.set(noIds, emptyTrie);

function indexOf(ids: IssuedIds): Trie {
  const known = indexes.get(ids);
  if (known !== undefined) return known;
  const index = trieOf(toArray(ids).map((id) => [id, 0] as const));
  indexes.set(ids, index);
  return index;
}

/** Whether an id was issued. */
export function hasId(ids: IssuedIds, id: string): boolean {
  return trieGet(indexOf(ids), id) !== undefined;
}

/** The ids with one more. */
export function addId(ids: IssuedIds, id: string): IssuedIds {
  const more = append(ids, id);
  indexes.set(more, trieSet(indexOf(ids), id, 0));
  return more;
}
