/**
 * Removes old or unwanted runs from a database (`prune`, `forget`), and never lines that a run which stays
 * needs. It must not know what a line means.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { addTo, isReckonerError, ReckonerError } from "../../core/kernel/values/index.js";
import {
  checkAllOptions,
  type JournalPort,
  type JournalPosition,
  LABEL,
  type RunRow,
  sharedEnd,
  stillInherits,
} from "../../runtime/for-adapters.js";
import { FILTER, type RunFilter, type RunIndex } from "./run-index.js";
import { released } from "./table-blobs.js";
import type { SqlRow, Statement, TableDatabase, TablePlace } from "./table-database.js";

/** The runs to remove: those of the ids, or all that the conditions hold for. */
export interface PruneOptions extends RunFilter {
  readonly ids?: readonly string[] | undefined;
  /**
   * A run that another one was forked from, or goes on from, is removed but for the lines that the other
   * one shares: these stay, byte for byte, until nobody needs them. Default: such a run is not removed.
   */
  readonly detach?: boolean | undefined;
  /** Removes nothing, and returns what would be removed. */
  readonly dryRun?: boolean | undefined;
}

/** The runs to forget. */
export interface ForgetOptions {
  /** The person for whom they run. Default: all runs of the store. */
  readonly person?: string | undefined;
  /** Removes nothing, and returns what would be removed. */
  readonly dryRun?: boolean | undefined;
}

/** A run that was not removed. */
export interface KeptRun {
  readonly id: string;
  /**
   * `needed`: the runs in `by` share lines with it, or its head leads to them; `inherits`: those have not
   * taken over all that their original was answered, so resume them first; `open`: it is being written.
   */
  readonly why: "needed" | "inherits" | "open";
  readonly by: readonly string[];
}

/** The outcome of a removal. */
export interface Pruned {
  /** The ids of the runs that are gone. */
  readonly removed: readonly string[];
  /** Those of which only the lines are left that others share. */
  readonly detached: readonly string[];
  readonly kept: readonly KeptRun[];
}

const PRUNE: shapes.Shapes<PruneOptions> = {
  ...FILTER,
  ids: shapes.TEXTS,
  detach: shapes.FLAG,
  dryRun: shapes.FLAG,
};
const FORGET: shapes.Shapes<ForgetOptions> = { person: LABEL, dryRun: shapes.FLAG };

const ENDED: readonly RunRow["status"][] = ["done", "failed", "cancelled"];
const TABLES = ["lines", "snapshots", "snapshot_rows", "notes"];

/** A run that needs another one, and why. */
interface Need {
  readonly by: string;
  readonly how: "link" | "head";
}

/** Removes runs of a tenant. */
export class Retention {
  readonly #database: TableDatabase;
  readonly #index: RunIndex;
  readonly #tenant: string;
  readonly #portOf: (id: string) => JournalPort;
  readonly #isOpen: (id: string) => boolean;
  /** The number of the newest journal that was looked at. */
  #newest = 0;

  constructor(
    database: TableDatabase,
    index: RunIndex,
    {
      tenant,
      portOf,
      isOpen,
    }: {
      readonly tenant: string;
      readonly portOf: (id: string) => JournalPort;
      readonly isOpen: (id: string) => boolean;
    },
  ) {
    this.#database = database;
    this.#index = index;
    this.#tenant = tenant;
    this.#portOf = portOf;
    this.#isOpen = isOpen;
  }

  /** @throws ReckonerError `option.invalid`, `journal.missing` */
  async prune(options: PruneOptions): Promise<Pruned> {
    const {
      ids,
      detach = false,
      dryRun = false,
      ...filter
    } = checkAllOptions("prune", options, PRUNE);
    const conditions = Object.values(filter).filter((each) => each !== undefined);
    if ((ids === undefined) === (conditions.length === 0)) {
      const message =
        "prune takes ids, or conditions for the runs that are to go; pass one of both.";
      throw new ReckonerError("option.invalid", message, { place: "ids" });
    }
    await this.#index.refresh();
    const all = await this.#all();
    for (const id of ids ?? []) {
      if (all.has(id) && all.get(id)?.status !== "detached") continue;
      const message = `The journal ${this.#portOf(id).name} does not exist.`;
      throw new ReckonerError("journal.missing", message, { place: id });
    }
    const wanted = { status: ENDED, ...shapes.defined(filter) };
    const most = Number.MAX_SAFE_INTEGER;
    if (ids !== undefined) return this.#remove(all, new Set(ids), { detach, dryRun });
    const found = await this.#index.select(wanted, { most });
    const chosen = new Set(found.map(({ name }) => String(name)));
    // A run that was rewound is what its head is, whatever its first journal was left as.
    for (const [id, head] of await this.#heads()) {
      if (!all.has(head)) continue;
      if (chosen.has(head)) chosen.add(id);
      else chosen.delete(id);
    }
    return this.#remove(all, chosen, { detach, dryRun });
  }

  /** @throws ReckonerError `option.invalid` */
  async forget(options: ForgetOptions): Promise<Pruned> {
    const { person, dryRun = false } = checkAllOptions("forget", options, FORGET);
    await this.#index.refresh();
    const all = await this.#all();
    const theirs = [...all].filter(([, row]) => person === undefined || row.person === person);
    return this.#remove(all, new Set(theirs.map(([id]) => id)), { detach: false, dryRun });
  }

  async #all(): Promise<ReadonlyMap<string, SqlRow>> {
    const rows = await this.#database.read(
      `SELECT id, name, parent, person, status, lines, token, row, (SELECT count(*) FROM ${this.#database.prefix}notes AS n WHERE n.journal = j.id AND n.kind = 'forks') AS forks FROM ${this.#database.prefix}journals AS j WHERE tenant = $1 ORDER BY id`,
      this.#tenant,
    );
    this.#newest = Number(rows.at(-1)?.id ?? 0);
    return new Map(rows.map((row) => [String(row.name), row]));
  }

  async #remove(
    all: ReadonlyMap<string, SqlRow>,
    ids: ReadonlySet<string>,
    { detach, dryRun }: { readonly detach: boolean; readonly dryRun: boolean },
  ): Promise<Pruned> {
    const [removed, detached, kept]: [string[], string[], KeptRun[]] = [[], [], []];
    const heads = await this.#heads();
    const chosen = new Set(ids);
    for (const id of ids) {
      const head = heads.get(id);
      // It goes on there: without its first journal nobody would find it.
      if (head === undefined || ids.has(head) || !all.has(head)) continue;
      chosen.delete(id);
      kept.push({ id, why: "needed", by: [head] });
    }
    const needs = this.#needs(all, chosen, { heads, detach });
    for (const [id, row] of all) {
      const needed = needs.get(id) ?? [];
      const by = [...new Set(needed.map((need) => need.by))];
      const isPart = row.status === "detached";
      // A part of a run that nobody needs any more goes as well.
      if (!chosen.has(id) && !(isPart && by.length === 0)) continue;
      if (this.#isOpen(id)) kept.push({ id, why: "open", by: [] });
      else if (by.length === 0) {
        const isGone = dryRun || (await this.#delete(row, all.get(heads.get(id) ?? "")));
        if (!isGone) kept.push({ id, why: "open", by: [] });
        else if (!isPart || chosen.has(id)) removed.push(id);
      } else if (!detach || needed.some(({ how }) => how === "head"))
        kept.push({ id, why: "needed", by });
      else {
        const why = await this.#cutOff(all, row, { by, dryRun }).catch(goneMeanwhile(by));
        if (why === undefined) detached.push(id);
        else kept.push({ id, ...why });
      }
    }
    return { removed, detached, kept };
  }

  /** Returns the journals in which runs that were rewound go on, by the ids of the runs. */
  async #heads(): Promise<ReadonlyMap<string, string>> {
    const { prefix } = this.#database;
    const heads = await this.#database.read(
      `SELECT j.name AS name, n.text AS text FROM ${prefix}notes AS n JOIN ${prefix}journals AS j ON j.id = n.journal WHERE j.tenant = $1 AND n.kind = 'head'`,
      this.#tenant,
    );
    return new Map(
      heads.flatMap(({ name, text }) => {
        const head = journalIn(String(text));
        return head === undefined ? [] : [[String(name), head]];
      }),
    );
  }

  /** Finds out which runs are needed by those that stay, and by which. */
  #needs(
    all: ReadonlyMap<string, SqlRow>,
    chosen: ReadonlySet<string>,
    { heads, detach }: { readonly heads: ReadonlyMap<string, string>; readonly detach: boolean },
  ): ReadonlyMap<string, readonly Need[]> {
    const needs = new Map<string, Need[]>();
    const seen = new Set<string>();
    const isPart = (id: string) => all.get(id)?.status === "detached";
    const queue = [...all.keys()].filter((id) => !chosen.has(id) && !isPart(id));
    const need = (id: string | undefined, by: string, how: Need["how"]) => {
      if (id === undefined || !all.has(id) || id === by) return;
      addTo(needs, id, { by, how });
      // It stays, whole or in part, and needs others itself.
      if (chosen.has(id) || isPart(id)) queue.push(id);
    };
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      const isWhole =
        !isPart(id) &&
        (!chosen.has(id) || !detach || (needs.get(id) ?? []).some(({ how }) => how === "head"));
      for (const [key, other, how] of [
        [`link ${id}`, String(all.get(id)?.parent), "link"],
        [`head ${id}`, isWhole ? heads.get(id) : undefined, "head"],
      ] as const) {
        if (other === undefined || seen.has(key)) continue;
        seen.add(key);
        need(other, id, how);
      }
    }
    return needs;
  }

  /** Detaches a run, or tries to. @returns why not */
  async #cutOff(
    all: ReadonlyMap<string, SqlRow>,
    row: SqlRow,
    { by, dryRun }: { readonly by: readonly string[]; readonly dryRun: boolean },
  ): Promise<Omit<KeptRun, "id"> | undefined> {
    const heirs = await this.#heirs(by);
    if (heirs.length > 0) return { why: "inherits", by: heirs };
    return dryRun || (await this.#detach(all, row, by)) ? undefined : { why: "needed", by };
  }

  /** Returns the forks that have not taken over everything. */
  async #heirs(by: readonly string[]): Promise<readonly string[]> {
    const heirs: string[] = [];
    for (const id of by) if (await stillInherits(this.#portOf(id))) heirs.push(id);
    return heirs;
  }

  /**
   * @param head the journal in which it goes on
   * @returns false where it was written meanwhile
   */
  async #delete(row: SqlRow, head: SqlRow | undefined): Promise<boolean> {
    const { id, name, parent } = row;
    const { prefix } = this.#database;
    const [still, ...seen] = this.#unchanged(row, 1);
    const at = seen.length + 1;
    const [stands, ...end]: Statement =
      head === undefined
        ? [""]
        : [
            ` AND EXISTS (SELECT 1 FROM ${prefix}journals AS h WHERE h.id = $${at} AND h.token = $${at + 1} AND h.lines = $${at + 2})`,
            ...[Number(head.id), String(head.token), Number(head.lines)],
          ];
    const gone: Statement = [
      `DELETE FROM ${prefix}journals WHERE ${still}${stands} RETURNING id`,
      ...[...seen, ...end],
    ];
    const parts = TABLES.map(
      (table): Statement => [`DELETE FROM ${prefix}${table} WHERE journal = $1`, Number(id)],
    );
    const notes = await this.#forkNotes(String(parent), String(name));
    const place = { tenant: this.#tenant, id: String(name) };
    const rest = [...parts, ...notes, ...released(prefix, place), ...unhosted(prefix, place)];
    return (await this.#database.write([gone], rest)) === 1;
  }

  /**
   * Returns the condition that a run is as it was looked at: nobody wrote it, forked it or began to go on from it.
   * @param from the number of its first parameter
   */
  #unchanged({ id, token, lines, forks, name }: SqlRow, from: number): Statement {
    const { prefix } = this.#database;
    const at = (n: number) => `$${from + n}`;
    const since = `SELECT 1 FROM ${prefix}journals AS o WHERE o.tenant = ${at(4)} AND o.id > ${at(5)} AND (o.parent = ${at(6)} OR (o.lines > 0 AND o.row_lines <> o.lines))`;
    const noted = `(SELECT count(*) FROM ${prefix}notes AS n WHERE n.journal = ${prefix}journals.id AND n.kind = 'forks')`;
    // A host has it: it may write any moment.
    const owned = `SELECT 1 FROM ${prefix}hosted AS o WHERE o.tenant = ${at(7)} AND (o.head = ${at(8)} OR o.name = ${at(9)}) AND o.owner <> ''`;
    return [
      `id = ${at(0)} AND token = ${at(1)} AND lines = ${at(2)} AND ${noted} <= ${at(3)} AND NOT EXISTS (${since}) AND NOT EXISTS (${owned})`,
      ...[Number(id), String(token), Number(lines), Number(forks)],
      ...[this.#tenant, this.#newest, String(name)],
      ...[this.#tenant, String(name), String(name)],
    ];
  }

  /** Returns the statements that remove the note of a fork beside its original. */
  async #forkNotes(parent: string, fork: string): Promise<readonly Statement[]> {
    const { prefix } = this.#database;
    const rows = await this.#database.read(
      `SELECT n.journal AS journal, n.name AS name, n.text AS text FROM ${prefix}notes AS n JOIN ${prefix}journals AS j ON j.id = n.journal WHERE j.tenant = $1 AND j.name = $2 AND n.kind = 'forks'`,
      this.#tenant,
      parent,
    );
    return rows
      .filter(({ text }) => journalIn(String(text)) === fork)
      .map(({ journal, name }) => [
        `DELETE FROM ${prefix}notes WHERE journal = $1 AND kind = 'forks' AND name = $2`,
        Number(journal),
        String(name),
      ]);
  }

  /** Leaves of a run the lines that others share. @returns false where it was written meanwhile */
  async #detach(
    all: ReadonlyMap<string, SqlRow>,
    row: SqlRow,
    by: readonly string[],
  ): Promise<boolean> {
    const { id, name } = row;
    const { prefix } = this.#database;
    let end: (JournalPosition & { readonly seq: number }) | undefined;
    for (const other of by) {
      const { link } = JSON.parse(String(all.get(other)?.row)) as RunRow;
      const shared = link && (await sharedEnd(this.#portOf(String(name)), link));
      if (link === undefined || shared === undefined) return false;
      if (shared.lines > (end?.lines ?? 0)) end = { ...shared, seq: link.seq };
    }
    if (end === undefined) return false;
    const [still, ...seen] = this.#unchanged(row, 5);
    const cut: Statement = [
      // Its own link and its person are needed still.
      `UPDATE ${prefix}journals SET lines = $1, bytes = $2, row_lines = $3, token = $4, status = 'detached', reasoner = '', tags = '', search = '' WHERE ${still} RETURNING id`,
      end.lines,
      end.bytes,
      end.lines,
      globalThis.crypto.randomUUID(),
      ...seen,
    ];
    const rest: readonly Statement[] = [
      [`DELETE FROM ${prefix}lines WHERE journal = $1 AND at >= $2`, Number(id), end.bytes],
      [`DELETE FROM ${prefix}snapshots WHERE journal = $1 AND seq > $2`, Number(id), end.seq],
      [`DELETE FROM ${prefix}notes WHERE journal = $1`, Number(id)],
      ...unhosted(prefix, { tenant: this.#tenant, id: String(name) }),
    ];
    return (await this.#database.write([cut], rest)) === 1;
  }
}

const GONE = /^journal\.(?:missing|link)$/;

/** Keeps a run, for the next time, that another process is removing, or of which it removes what needs it. */
function goneMeanwhile(by: readonly string[]): (thrown: unknown) => Omit<KeptRun, "id"> {
  return (thrown) => {
    if (isReckonerError(thrown) && GONE.test(thrown.code)) return { why: "needed", by };
    throw thrown;
  };
}

/** Returns the statements that remove the run of a host, with all that was said to it. */
function unhosted(prefix: string, { tenant, id }: TablePlace): readonly Statement[] {
  return ["hosted", "mail"].map((table) => [
    `DELETE FROM ${prefix}${table} WHERE tenant = $1 AND name = $2`,
    ...[tenant, id],
  ]);
}

/** Returns the id of the journal that a note names. */
function journalIn(note: string): string | undefined {
  try {
    const { journal } = JSON.parse(note) as { readonly journal?: unknown };
    return typeof journal === "string" ? journal : undefined;
  } catch {
    return undefined;
  }
}
