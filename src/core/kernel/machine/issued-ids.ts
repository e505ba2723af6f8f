/** All ids that a run has issued, in order (K1: a repeated id is refused). */
import { Itself, ownField } from "../values/hidden.js";
import { append, emptyList, itemAt, type List, sizeOf, toArray } from "../values/list.js";
import { Places } from "../values/places.js";

/** The ids, as plain JSON; where to look one up is derived from them. */
export type IssuedIds = List<string>;

/** No ids. */
export const noIds: IssuedIds = /* @__PURE__ */ emptyList<string>();

class Indexes extends Itself {
  #content: Places;
  constructor(value: object, content: Places) {
    super(value);
    this.#content = content;
  }
  static get(value: object): Places | undefined {
    return #content in value ? value.#content : undefined;
  }
  static add(value: object, content: Places): void {
    new Indexes(value, content);
  }
}

const indexes = /* @__PURE__ */ ownField<Places>(Indexes);

function indexOf(ids: IssuedIds): Places {
  const found = indexes.get(ids);
  if (found !== undefined) return found;
  const index = new Places();
  toArray(ids).forEach((id, at) => {
    index.add(id, at);
  });
  // The empty List is shared.
  if (ids !== noIds) indexes.add(ids, index);
  return index;
}

function holds(ids: IssuedIds, at: number, id: string): boolean {
  return itemAt(ids, at) === id;
}

/** Returns true when an id was issued. */
export function hasId(ids: IssuedIds, id: string): boolean {
  return ids !== noIds && indexOf(ids).find(ids, id, holds) !== undefined;
}

/** The ids with one more. @returns `undefined` where it was issued before */
export function newId(ids: IssuedIds, id: string): IssuedIds | undefined {
  return hasId(ids, id) ? undefined : addId(ids, id);
}

/** The ids with one more that is new. */
export function addId(ids: IssuedIds, id: string): IssuedIds {
  const more = append(ids, id);
  indexes.add(more, indexOf(ids).add(id, sizeOf(ids)));
  return more;
}
