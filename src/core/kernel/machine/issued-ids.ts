/** All ids that a run has issued, in order (K1: a repeated id is refused). */
import { Itself, ownField } from "../values/hidden.js";
import { append, emptyList, type List, sizeOf, toArray } from "../values/list.js";

/** The ids, as plain JSON; where to look one up is derived from them. */
export type IssuedIds = List<string>;

/** No ids. */
export const noIds: IssuedIds = /* @__PURE__ */ emptyList<string>();

/**
 * The place of each id. A List and those that continue it share one: what stands behind a List's end is
 * none of its own.
 */
type Index = Map<string, number>;

class Indexes extends Itself {
  #content: Index;
  constructor(value: object, content: Index) {
    super(value);
    this.#content = content;
  }
  static get(value: object): Index | undefined {
    return #content in value ? value.#content : undefined;
  }
  static add(value: object, content: Index): void {
    new Indexes(value, content);
  }
}

const indexes = /* @__PURE__ */ ownField<Index>(Indexes);

function indexOf(ids: IssuedIds): Index {
  const known = indexes.get(ids);
  if (known !== undefined) return known;
  const index: Index = new Map(toArray(ids).map((id, at) => [id, at] as const));
  // The empty List is shared.
  if (ids !== noIds) indexes.add(ids, index);
  return index;
}

/** Returns true when an id was issued. */
export function hasId(ids: IssuedIds, id: string): boolean {
  if (ids === noIds) return false;
  const at = indexOf(ids).get(id);
  return at !== undefined && at < sizeOf(ids);
}

/** The ids with one more. @returns `undefined` where it was issued before */
export function newId(ids: IssuedIds, id: string): IssuedIds | undefined {
  const index = indexOf(ids);
  const at = index.get(id);
  return at !== undefined && at < sizeOf(ids) ? undefined : added(ids, id, index);
}

/** The ids with one more that is new. */
export function addId(ids: IssuedIds, id: string): IssuedIds {
  return added(ids, id, indexOf(ids));
}

function added(ids: IssuedIds, id: string, index: Index): IssuedIds {
  const size = sizeOf(ids);
  const more = append(ids, id);
  if (index.size === size) indexes.add(more, index.set(id, size));
  // Another step was taken from this state before: the same one again, or one with other ids.
  else if (index.get(id) === size) indexes.add(more, index);
  return more;
}
