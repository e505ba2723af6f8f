/**
 * Finds the Lists in a state, and writes and reads the references (`@size#head`) by which lines name a List
 * that the journal has already.
 */
import {
  asJson,
  isList,
  type Json,
  type JsonObject,
  type List,
  listHead,
  listOf,
  sizeOf,
  TABLE_KEY,
  type Table,
  tableCells,
  toArray,
} from "../kernel/values/index.js";

/** The size of a List and the head of its chain, which is that of all its items. */
export interface ListHead {
  readonly size: number;
  readonly head: string;
}

/** Returns the size and the head of a List. */
export function headOf(list: List<Json>): ListHead {
  return { size: sizeOf(list), head: listHead(list) };
}

/** Returns how a line refers to a List. */
export function listReference({ size, head }: ListHead): string {
  return `@${size}#${head}`;
}

/** Returns the size and the head that a List's reference names. */
export function headIn(reference: string): ListHead | undefined {
  const [, size, head] = /^@(\d+)#(.*)$/.exec(reference) ?? [];
  return size === undefined || head === undefined ? undefined : { size: Number(size), head };
}

/** Returns the Lists of a state that have items, the shortest first; Lists of items are none of them. */
export function listsIn(state: object): readonly List<Json>[] {
  const lists: List<Json>[] = [];
  const visit = (value: Json): void => {
    if (typeof value !== "object" || value === null) return;
    if (isList(value)) {
      if (sizeOf(value) > 0) lists.push(value as List<Json>);
    } else if (TABLE_KEY in value) {
      for (const cell of tableCells(value as unknown as Table<Json>)) if (cell) visit(cell[1]);
    } else
      for (const each of Array.isArray(value) ? value : Object.values(value as JsonObject))
        visit(each);
  };
  visit(asJson(state));
  return lists.sort((a, b) => sizeOf(a) - sizeOf(b));
}

/** Returns the List of a reference where it is one of these, or what one of them begins with. */
export function listAmong(lists: readonly List<Json>[], reference: string): List<Json> | undefined {
  const wanted = headIn(reference);
  if (wanted === undefined) return undefined;
  for (const list of lists) {
    const { size, head } = headOf(list);
    if (size === wanted.size && head === wanted.head) return list;
    if (size <= wanted.size) continue;
    const first = listOf(toArray(list).slice(0, wanted.size));
    if (listHead(first) === wanted.head) return first;
  }
  return undefined;
}
