/**
 * Converts the row of a run to the columns of the index in SQL: its JSON, and beside it the status, person, tags
 * and text by which lists are filtered.
 */
import { type RunRow, storedRow } from "../../runtime/for-adapters.js";
import { textsIn } from "../../serve/for-stores.js";

/** The columns that hold texts; beside them stand `last_at` and `row_lines`. */
export const COLUMNS = ["row", "status", "reasoner", "person", "parent", "tags", "search"] as const;

/** The values of `last_at` and of the columns that hold texts. */
export type IndexedRow = readonly [lastAt: number, ...texts: string[]];

const SEPARATOR = "\n";

/** Returns what stands in the index of a row. */
export function indexedRow(row: RunRow): IndexedRow {
  const stored = storedRow(row);
  const { data, tags = [], title = "", words = "" } = stored;
  const { link, reasoner, person = "", status, lastAt } = stored;
  const search = searched([title, words, ...tags, ...textsIn({ data })].join(SEPARATOR));
  const text = JSON.stringify(stored);
  const texts = [status, reasoner, person, link?.journal ?? "", tags.map(tagged).join(""), search];
  return [lastAt, text, ...texts.map(clean)];
}

/** Returns what stands in the index for a journal whose row cannot be made. */
export function unreadableRow(
  { code, message }: { readonly code: string; readonly message: string },
  parent = "",
): IndexedRow {
  return [0, JSON.stringify({ code, message }), "unreadable", "", "", clean(parent), "", ""];
}

/** Returns a text as it is searched: by its letters, whatever their case. */
export function searched(text: string): string {
  return clean(text.normalize("NFC").toLowerCase());
}

/** Returns a tag as it stands among others. */
export function tagged(tag: string): string {
  return `${SEPARATOR}${clean(tag)}${SEPARATOR}`;
}

/** Returns a text as a column has it: no database takes each of these. */
export function clean(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, " ");
}
