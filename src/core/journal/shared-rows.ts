/**
 * Rows of Lists that snapshots share. A full row never changes, so that it is written once, under the digest of
 * its text; a snapshot names it. Rows of the first level hold 32 items, those of the next 32 of these.
 */
import {
  digestOf,
  type Json,
  type List,
  listHead,
  listOf,
  ReckonerError,
} from "../kernel/index.js";
import { LIST, type ListContent } from "./content.js";
import type { ListFrom } from "./from-content.js";

/** Beside the items of a List behind its full rows: the names of these, and the head of its chain. */
const ROWS = "=rows";
const HEAD = "=head";

/** The texts of rows by their names. */
export type RowTexts = ReadonlyMap<string, string>;

/** The rows that a snapshot names: each text is made when it is asked for. */
export type NamedRows = Map<string, () => string>;

type Row = readonly unknown[];

/** A row's name follows from its items; to find it again costs a digest of them all. */
const names = new WeakMap<Row, string>();

/** The rows of a List in a snapshot: the names on each level, from the first on, and the items behind them. */
interface RowsContent {
  readonly rows: readonly (readonly string[])[];
  readonly rest: readonly Json[];
}

/** Returns the content of Lists whose full rows are named. @param rows takes these */
export function inRows(rows: NamedRows): ListContent {
  return (list, of) => {
    if (list.spine.length < 2) return undefined;
    const named = rowsOfList(list, rows, of);
    return { [LIST]: named.rest, [ROWS]: named.rows, [HEAD]: listHead(list) };
  };
}

/** Returns Lists from the names of their rows. @param read gives what the text of a row says */
export function fromRows(read: (name: string) => Json): ListFrom {
  return (content, of) => {
    if (!(ROWS in content)) return undefined;
    const named = { rows: content[ROWS], rest: content[LIST] } as unknown as RowsContent;
    return listOfRows(named, read, of, String(content[HEAD]));
  };
}

/** Returns a List's rows by their names. @param of gives an item's content */
function rowsOfList(
  { spine }: List<Json>,
  named: NamedRows,
  of: (item: Json) => Json,
): RowsContent {
  const [rest = [], ...levels] = spine;
  const rows = levels.map((entries, i) =>
    entries.map((entry) => nameOf(entry as Row, i + 1, named, of)),
  );
  return { rows, rest: rest.map((item) => of(item as Json)) };
}

function nameOf(row: Row, level: number, named: NamedRows, of: (item: Json) => Json): string {
  const below =
    level === 1 ? undefined : row.map((entry) => nameOf(entry as Row, level - 1, named, of));
  const text = () => JSON.stringify(below ?? row.map((item) => of(item as Json)));
  let name = names.get(row);
  if (name === undefined) {
    name = digestOf(text());
    names.set(row, name);
  }
  named.set(name, text);
  return name;
}

/**
 * Returns the List of rows.
 * @param read gives what the text of a row says
 * @param of gives an item of its content
 * @param head of its chain
 * @throws ReckonerError `json.refused` where a row is missing
 */
function listOfRows(
  { rows, rest }: RowsContent,
  read: (name: string) => Json,
  of: (content: Json) => Json,
  head: string,
): List<Json> {
  const items: Json[] = [];
  const nested = rows.map((level) => level.map((name) => ({ name, below: [] as Named[] })));
  for (let level = rows.length; level >= 1; level--) {
    for (const entry of nested[level - 1] ?? []) takeRow(entry, level, items, read, of);
  }
  for (const item of rest) items.push(of(item));
  const list = listOf(items, head);
  for (let level = 1; level < list.spine.length; level++) {
    (list.spine[level] as readonly Row[]).forEach((row, i) => {
      keepName(row, nested[level - 1]?.[i]);
    });
  }
  return list;
}

interface Named {
  readonly name: string;
  readonly below: Named[];
}

function takeRow(
  { name, below }: Named,
  level: number,
  items: Json[],
  read: (name: string) => Json,
  of: (content: Json) => Json,
): void {
  const content = read(name);
  if (!Array.isArray(content)) throw new ReckonerError("json.refused", `The row ${name} is none.`);
  for (const each of content as readonly Json[]) {
    if (level === 1) items.push(of(each));
    else {
      const entry = { name: String(each), below: [] };
      below.push(entry);
      takeRow(entry, level - 1, items, read, of);
    }
  }
}

function keepName(row: Row, named: Named | undefined): void {
  if (named === undefined) return;
  names.set(row, named.name);
  for (const [i, entry] of named.below.entries()) keepName(row[i] as Row, entry);
}
