/**
 * Filters, sorts and pages the rows of `memoryHostStore`, as `list` of a host does: the newest last event first.
 * Databases do the same in SQL.
 */
import { ReckonerError } from "../core/kernel/values/index.js";
import type { HostRow } from "./host-row.js";
import type { ListOptions, ListPage } from "./store.js";

type Row = HostRow & { readonly id: string };

const LIMIT = 100;
const MAX_LIMIT = 1_000;

/** Returns a page of rows. @throws ReckonerError `option.invalid` */
export function listed(rows: readonly Row[], options: ListOptions): ListPage {
  const { limit = LIMIT, after } = options;
  const isBehind = after === undefined ? () => true : behind(after);
  const found = rows
    .filter((row) => isWanted(row, options) && isBehind(row))
    .sort((a, b) => b.lastAt - a.lastAt || (a.id < b.id ? -1 : 1));
  const page = found.slice(0, Math.min(limit, MAX_LIMIT));
  const last = found.length > page.length ? page.at(-1) : undefined;
  return { runs: page, ...(last === undefined ? {} : { next: `${last.lastAt}-${last.id}` }) };
}

function behind(after: string): (row: Row) => boolean {
  const [, at, id] = /^(-?[\d.]+)-(.*)$/s.exec(after) ?? [];
  if (at === undefined || id === undefined) {
    const message = "after of list must be the next of a page before.";
    throw new ReckonerError("option.invalid", message, { place: "after" });
  }
  return (row) => row.lastAt < Number(at) || (row.lastAt === Number(at) && row.id > id);
}

function isWanted(row: Row, { status, reasoner, person, tag, search }: ListOptions): boolean {
  if (status !== undefined && ![status].flat().includes(row.status)) return false;
  if (reasoner !== undefined && row.reasoner !== reasoner) return false;
  if (person !== undefined && row.person !== person) return false;
  if (tag !== undefined && row.tags?.includes(tag) !== true) return false;
  return search === undefined || textOf(row).includes(search.toLowerCase());
}

function textOf({ title = "", words = "", tags = [], data }: Row): string {
  return [title, words, ...tags, ...textsIn(data)].join("\n").toLowerCase();
}

/** Returns the texts and numbers in a value, at any depth: a search finds them. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
