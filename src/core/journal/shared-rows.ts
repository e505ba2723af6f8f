/**
 * Writes long Lists in snapshots as named rows, which snapshots share: a full row (32 items, or 32 rows)
 * never changes, and is stored once, under the digest of its text. Long items are also stored in pieces of
 * four, so that a snapshot writes at most three of them again.
 */
import {
  digestOf,
  isJsonObject,
  type Json,
  type List,
  listHead,
  listOf,
  ReckonerError,
} from "../kernel/values/index.js";
import { contentOf, LIST, type ListContent } from "./content.js";
import type { ListFrom } from "./from-content.js";

/** Beside the items of a List behind its full rows: the names of these, and the head of its chain. */
const ROWS = "=rows";
const HEAD = "=head";

/** The texts of rows by their names. */
export type RowTexts = Pick<ReadonlyMap<string, string>, "get">;

/** The rows that a snapshot names: each text is made when it is asked for. */
export type NamedRows = Map<string, () => string>;

type Row = readonly unknown[];

/** Items of a piece. */
const PIECE = 4;
/** Items whose text is shorter, in the mean, are in no pieces: a name takes 35 characters. */
const LONG_ITEM = 128;

/** A row's name, and those of its pieces, follow from its items; to find them again costs digests of them all. */
const names = new WeakMap<Row, NamedRow>();

interface NamedRow {
  readonly name: string;
  readonly pieces?: readonly string[];
}

/** The rows of a List in a snapshot: the names on each level, pieces first, and the items behind them. */
interface RowsContent {
  readonly rows: readonly (readonly string[])[];
  readonly rest: readonly Json[];
}

/** Returns the content of Lists whose full rows are named; what their items hold stands there whole. @param named takes these */
export function inRows(named: NamedRows): ListContent {
  return (list) => {
    const [rest = [], ...levels] = list.spine;
    const items = contentsOf(rest);
    const pieces = isLong(items) ? textsOfPieces(items) : [];
    if (levels.length === 0 && pieces.length === 0) return undefined;
    const names = pieces.map(digestOf);
    names.forEach((name, i) => void named.set(name, () => pieces[i] as string));
    const rows = levels.map((row, i) => row.map((entry) => nameOf(entry as Row, i + 1, named)));
    const behind = items.slice(pieces.length * PIECE);
    return { [LIST]: behind, [ROWS]: [names, ...rows], [HEAD]: listHead(list) };
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

function isLong(items: readonly Json[]): boolean {
  return items.length >= PIECE && JSON.stringify(items).length > items.length * LONG_ITEM;
}

const contentsOf = (items: Row) => items.map((item) => contentOf(item as Json));

/** The texts of the full pieces of items. */
function textsOfPieces(items: readonly Json[]): readonly string[] {
  const full = Array.from({ length: Math.floor(items.length / PIECE) }, (_, i) => i * PIECE);
  return full.map((from) => JSON.stringify(items.slice(from, from + PIECE)));
}

function nameOf(row: Row, level: number, named: NamedRows): string {
  if (level > 1) {
    const text = JSON.stringify(row.map((entry) => nameOf(entry as Row, level - 1, named)));
    return keep(row, names.get(row) ?? { name: digestOf(text) }, named, () => text);
  }
  const found = names.get(row) ?? namedRow(contentsOf(row));
  found.pieces?.forEach((name, i) => {
    named.set(name, () => textsOfPieces(contentsOf(row))[i] as string);
  });
  return keep(row, found, named, () =>
    found.pieces === undefined ? JSON.stringify(contentsOf(row)) : textOf(found.pieces),
  );
}

function namedRow(items: readonly Json[]): NamedRow {
  if (!isLong(items)) return { name: digestOf(JSON.stringify(items)) };
  const pieces = textsOfPieces(items).map(digestOf);
  return { name: digestOf(textOf(pieces)), pieces };
}

/** The text of a row that stands in pieces. */
const textOf = (pieces: readonly string[]) => JSON.stringify({ [ROWS]: pieces });

function keep(row: Row, entry: NamedRow, named: NamedRows, text: () => string): string {
  names.set(row, entry);
  named.set(entry.name, text);
  return entry.name;
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
  const nested = rows.map((level) => level.map(unread));
  for (let level = rows.length - 1; level >= 0; level--) {
    for (const entry of nested[level] ?? []) takeRow(entry, level, items, read, of);
  }
  for (const item of rest) items.push(of(item));
  const list = listOf(items, head);
  for (let level = 1; level < list.spine.length; level++) {
    (list.spine[level] as readonly Row[]).forEach((row, i) => {
      keepName(row, level, nested[level]?.[i]);
    });
  }
  return list;
}

interface Named {
  readonly name: string;
  /** The rows below it, or its pieces. */
  readonly below: Named[];
}

const unread = (name: string): Named => ({ name, below: [] });

function takeRow(
  { name, below }: Named,
  level: number,
  items: Json[],
  read: (name: string) => Json,
  of: (content: Json) => Json,
): void {
  const content = read(name);
  const pieces = level === 1 && isJsonObject(content) ? content[ROWS] : undefined;
  const entries = pieces ?? content;
  if (!Array.isArray(entries)) throw new ReckonerError("json.refused", `The row ${name} is none.`);
  for (const each of entries) {
    if (level === 0 || (level === 1 && pieces === undefined)) items.push(of(each));
    else {
      const entry = unread(String(each));
      below.push(entry);
      takeRow(entry, level - 1, items, read, of);
    }
  }
}

function keepName(row: Row, level: number, named: Named | undefined): void {
  if (named === undefined) return;
  const { name, below } = named;
  const isInPieces = level === 1 && below.length > 0;
  names.set(row, isInPieces ? { name, pieces: below.map((each) => each.name) } : { name });
  if (level > 1) below.forEach((entry, i) => void keepName(row[i] as Row, level - 1, entry));
}
