/**
 * The index of runs: a row for each journal, written with its lines. Rows that are missing (of a copy, of a
 * fork that was never continued) are made from the lines when a list is asked for. Each SQL statement is
 * limited to one tenant.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { isReckonerError, ReckonerError } from "../../core/kernel/values/index.js";
import {
  checkAllOptions,
  headerOf,
  type JournalPort,
  type RunRow,
  type RunSummary,
  summaryOf,
} from "../../runtime/for-adapters.js";
import type { ListOptions as HostListOptions } from "../../serve/for-stores.js";
import {
  COLUMNS,
  clean,
  type IndexedRow,
  indexedRow,
  searched,
  tagged,
  unreadableRow,
} from "./indexed-row.js";
import type { SqlRow, SqlValue, Statement, TableDatabase } from "./table-database.js";

/** The runs that are wanted; all conditions hold. */
export interface RunFilter extends Omit<HostListOptions, "limit" | "after"> {
  /** Their last event was before this time, in milliseconds since 1970. */
  readonly before?: number | undefined;
}

/** Options of a list. */
export interface ListOptions extends RunFilter {
  /** The number of runs on a page. Default 100, at most 1 000. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

/** A run of an index. */
export interface ListedRun extends RunSummary {
  /** The id of its journal. */
  readonly id: string;
}

/** A page of a list. */
export interface RunPage {
  /** The newest last event first. */
  readonly runs: readonly ListedRun[];
  /** Journals that cannot be read, where nothing else is wanted of the runs than to be listed. */
  readonly unreadable: readonly {
    readonly id: string;
    readonly code: string;
    readonly message: string;
  }[];
  /** For `after` of the next page; absent on the last one. */
  readonly next?: string;
}

const STATUSES: ReadonlySet<RunRow["status"]> = new Set([
  ...(["waiting", "ready", "open"] as const),
  ...(["done", "failed", "cancelled"] as const),
]);

/** The shapes of a filter. */
export const FILTER: shapes.Shapes<RunFilter> = {
  status: [
    (value) => [value].flat().every((each) => STATUSES.has(each as RunRow["status"])),
    "waiting, ready, open, done, failed or cancelled, or a list of these",
  ],
  reasoner: shapes.TEXT,
  person: shapes.TEXT,
  tag: shapes.TEXT,
  search: shapes.TEXT,
  before: shapes.NUMBER,
};

const LIST: shapes.Shapes<ListOptions> = { ...FILTER, limit: shapes.count(1), after: shapes.TEXT };

const LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Rows that are made between two looks at the index. */
const BATCH = 100;

/** The part of the runs that is read. */
interface Selecting {
  readonly after?: string | undefined;
  readonly most: number;
  /** Those of hosts alone, with the ids that these know them by. */
  readonly hosted?: boolean;
}

/** The rows of a tenant's runs. */
export class RunIndex {
  readonly #database: TableDatabase;
  readonly #tenant: string;
  readonly #portOf: (id: string) => JournalPort;

  constructor(database: TableDatabase, tenant: string, portOf: (id: string) => JournalPort) {
    this.#database = database;
    this.#tenant = tenant;
    this.#portOf = portOf;
  }

  /** Returns a page of runs. @throws ReckonerError `option.invalid` */
  async list(options: ListOptions): Promise<RunPage> {
    const { page, next } = await this.#page(options, false);
    return {
      runs: page.filter(isRead).map((row) => this.#listed(row)),
      unreadable: page
        .filter((row) => !isRead(row))
        .map((row) => ({ id: String(row.name), ...parsed(row) })) as never,
      ...next,
    };
  }

  /** Returns a page of the runs of hosts, by the ids that these know them by. @throws ReckonerError `option.invalid` */
  async hosted(
    options: ListOptions,
  ): Promise<
    Pick<RunPage, "next"> & { readonly runs: readonly (RunRow & { readonly id: string })[] }
  > {
    const { page, next } = await this.#page(options, true);
    const runs = page.filter(isRead).map((row) => ({ ...parsed(row), id: String(row.hosted) }));
    return { runs: runs as never, ...next };
  }

  async #page(options: ListOptions, hosted: boolean) {
    checkAllOptions("list", options, LIST);
    const { limit = LIMIT, after, ...filter } = options;
    await this.refresh();
    const most = Math.min(limit, MAX_LIMIT);
    const rows = await this.select(filter, { after, most: most + 1, hosted });
    const page = rows.slice(0, most);
    const last = rows.length > most ? page.at(-1) : undefined;
    const next = last === undefined ? {} : { next: `${Number(last.last_at)}-${Number(last.id)}` };
    return { page, next };
  }

  #listed(row: SqlRow): ListedRun {
    const id = String(row.name);
    return { id, journal: this.#portOf(id).name, ...parsed(row) } as unknown as ListedRun;
  }

  /** Reads rows of runs, the newest first. */
  select(
    filter: RunFilter,
    { after, most, hosted = false }: Selecting,
  ): Promise<readonly SqlRow[]> {
    const { prefix } = this.#database;
    const { status, reasoner, person, tag, search, before } = filter;
    const parameters: SqlValue[] = [this.#tenant];
    const place = (value: SqlValue) => `$${parameters.push(value)}`;
    const conditions = ["tenant = $1", "row_lines = lines", "status <> 'detached'"];
    const wanted = status === undefined ? [] : [status].flat();
    if (wanted.length > 0) conditions.push(`status IN (${wanted.map(place).join(", ")})`);
    if (reasoner !== undefined) conditions.push(`reasoner = ${place(clean(reasoner))}`);
    if (person !== undefined) conditions.push(`person = ${place(clean(person))}`);
    // Told by what is missing without it: LIKE has letters of its own, and cases of its own in each database.
    const holds = (column: string, text: string) =>
      conditions.push(`replace(${column}, ${place(text)}, '') <> ${column}`);
    if (tag !== undefined) holds("tags", tagged(tag));
    if (search !== undefined && search !== "") holds("search", searched(search));
    if (before !== undefined) {
      conditions.push("status <> 'unreadable'", `last_at < ${place(Math.ceil(before))}`);
    }
    if (after !== undefined) {
      const [at, id] = cursorIn(after);
      conditions.push(`(last_at < ${place(at)} OR (last_at = ${place(at)} AND id < ${place(id)}))`);
    }
    if (!hosted) {
      return this.#database.read(
        `SELECT id, name, lines, bytes, token, parent, status, last_at, row FROM ${prefix}journals WHERE ${conditions.join(" AND ")} ORDER BY last_at DESC, id DESC LIMIT ${most}`,
        ...parameters,
      );
    }
    // A subquery for each row of the page: a join would tempt planners away from the order of time.
    const name = `(SELECT h.name FROM ${prefix}hosted AS h WHERE h.tenant = j.tenant AND h.head = j.name)`;
    return this.#database.read(
      `SELECT id, ${name} AS hosted, status, last_at, row FROM ${prefix}journals AS j WHERE ${conditions.join(" AND ")} AND ${name} IS NOT NULL ORDER BY last_at DESC, id DESC LIMIT ${most}`,
      ...parameters,
    );
  }

  /** Makes the rows that are missing. */
  async refresh(): Promise<void> {
    const { prefix } = this.#database;
    // A fork that could not be read may be, once the run that it links to is there.
    const again: Statement = [
      `UPDATE ${prefix}journals SET row_lines = -1 WHERE tenant = $1 AND status = 'unreadable' AND row_lines = lines RETURNING id`,
      this.#tenant,
    ];
    for (let from = 0, made = 0; ; ) {
      const stale = await this.#database.read(
        `SELECT id, name, lines FROM ${prefix}journals WHERE tenant = $1 AND row_lines <> lines AND lines > 0 AND id > $2 ORDER BY id LIMIT ${BATCH}`,
        this.#tenant,
        from,
      );
      for (const row of stale) {
        const indexed = await this.#rowOf(String(row.name));
        if (indexed[2] !== "unreadable") made += 1;
        await this.#database.write([putRow(prefix, row, indexed)]);
      }
      const last = stale.at(-1);
      if (last !== undefined) from = Number(last.id);
      else if (made === 0) return;
      else {
        from = 0;
        made = 0;
        await this.#database.write([again]);
      }
    }
  }

  async #rowOf(id: string): Promise<IndexedRow> {
    try {
      const { journal: _name, torn: _torn, ...row } = await summaryOf(this.#portOf(id));
      return indexedRow(row);
    } catch (thrown) {
      if (!isReckonerError(thrown)) throw thrown;
      // If its lines cannot be read, its header may still say what it needs.
      const link = await headerOf(this.#portOf(id)).then(
        ({ fork, from }) => fork ?? from,
        () => undefined,
      );
      return unreadableRow(thrown, link?.journal);
    }
  }
}

/** Returns the statement that puts a row beside a journal that still ends there. */
function putRow(prefix: string, { id, lines }: SqlRow, [lastAt, ...texts]: IndexedRow): Statement {
  const columns = COLUMNS.map((column, n) => `${column} = $${n + 2}`).join(", ");
  const at = COLUMNS.length + 2;
  const text = `UPDATE ${prefix}journals SET last_at = $1, ${columns}, row_lines = lines WHERE id = $${at} AND lines = $${at + 1} RETURNING id`;
  return [text, lastAt, ...texts, Number(id), Number(lines)];
}

function isRead({ status }: SqlRow): boolean {
  return status !== "unreadable";
}

function parsed({ row }: SqlRow): object {
  return JSON.parse(String(row)) as object;
}

/** @throws ReckonerError `option.invalid` */
function cursorIn(after: string): readonly [at: number, id: number] {
  const [, at, id] = /^(-?\d{1,16})-(\d{1,16})$/.exec(after) ?? [];
  if (id !== undefined) return [Number(at), Number(id)];
  throw new ReckonerError("option.invalid", "after of list must be the next of a page before.", {
    place: "after",
  });
}
