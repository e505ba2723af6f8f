/**
 * `hostTables`: the store of a host, in the tables of a database beside its journals. The row of a run is its
 * lock: whoever changes it names the epoch under which it owns the run. It must not know any database.
 */
import type { Json } from "../../core/kernel/index.js";
import type { Clock, JournalPort } from "../../runtime/index.js";
import {
  ANSWER_MS,
  type Answer,
  type Appended,
  type Change,
  type Fault,
  type Held,
  type Hint,
  type HostedState,
  type HostStore,
  type ListOptions,
  type ListPage,
  MAIL_AT_ONCE,
  type Mail,
  type Posted,
  type Release,
  type RunPlace,
} from "../../serve/live.js";
import { conflict } from "./appends.js";
import { COLUMNS, indexedRow } from "./indexed-row.js";
import { type JournalStore, journalStore, placeOf } from "./journal-store.js";
import type { SqlRow, SqlValue, Statement, TableDatabase } from "./table-database.js";

/** How a host's tables are looked after. */
export interface HostTablesOptions {
  /** Another clock than the database's, for tests. */
  readonly clock?: Pick<Clock, "now"> | undefined;
  /** Proves that owners exclude each other. */
  prove?(): Promise<void>;
  /** Tells other processes; each may be lost. */
  readonly notes?: Pick<HostStore, "tell" | "listen"> | undefined;
}

/** Lines and things said that are read at once. */
const PAGE = 1_000;
/** Lines that are written with one part of a statement. */
const LINES_AT_ONCE = 100;

/** Makes a host's store over a database. */
export function hostTables(database: TableDatabase, options: HostTablesOptions = {}): HostStore {
  return new HostTables(database, options);
}

class HostTables implements HostStore {
  readonly name: string;
  readonly #database: TableDatabase;
  readonly #options: HostTablesOptions;
  readonly #journals: JournalStore;
  readonly #hearing = new Set<(hint: Hint) => void>();

  constructor(database: TableDatabase, options: HostTablesOptions) {
    this.name = database.name;
    this.#database = database;
    this.#options = options;
    this.#journals = journalStore(database);
  }

  get #now(): string {
    const { clock } = this.#options;
    return clock === undefined ? this.#database.now : String(Math.floor(clock.now()));
  }

  #table(name: string): string {
    return `${this.#database.prefix}${name}`;
  }

  async open(): Promise<void> {
    // Listing makes the tables.
    await this.#journals.list({ limit: 1 });
    await this.#options.prove?.();
  }

  journal({ tenant, id }: RunPlace): JournalPort {
    const journals = tenant === "" ? this.#journals : this.#journals.tenant(tenant);
    return journals.journal(id);
  }

  async post(place: RunPlace, { key, word }: Mail, begins: boolean): Promise<Posted> {
    const { tenant, id } = place;
    const said = JSON.stringify(word);
    if (begins) {
      await this.#database.together([
        [
          `INSERT INTO ${this.#table("hosted")} (tenant, name, head) VALUES ($1, $2, $3) ON CONFLICT (tenant, name) DO UPDATE SET tenant = excluded.tenant RETURNING name`,
          ...[tenant, id, id],
        ],
        [
          `INSERT INTO ${this.#table("journals")} (tenant, name, lines, bytes, token) VALUES ($1, $2, 0, 0, '') ON CONFLICT (tenant, name) DO UPDATE SET tenant = excluded.tenant RETURNING name`,
          ...[tenant, id],
        ],
      ]);
    }
    const posted = await this.#database.read(
      `INSERT INTO ${this.#table("mail")} (tenant, name, key, word) SELECT tenant, name, CAST($1 AS text), CAST($2 AS text) FROM ${this.#table("hosted")} WHERE tenant = $3 AND name = $4 AND parked = 0 ON CONFLICT (tenant, name, key) DO NOTHING RETURNING key`,
      ...[key, said, tenant, id],
    );
    return posted.length > 0 ? { type: "waits" } : this.#posted(place, key, true);
  }

  answer(place: RunPlace, key: string): Promise<Posted> {
    return this.#posted(place, key, false);
  }

  async #posted({ tenant, id }: RunPlace, key: string, asked: boolean): Promise<Posted> {
    const [row] = await this.#database.read(
      `SELECT h.parked, h.fault, m.key, m.answer FROM ${this.#table("hosted")} AS h LEFT JOIN ${this.#table("mail")} AS m ON m.tenant = h.tenant AND m.name = h.name AND m.key = $1 WHERE h.tenant = $2 AND h.name = $3`,
      ...[key, tenant, id],
    );
    if (row === undefined) return { type: "missing" };
    const { answer, key: known } = row;
    if (typeof answer === "string" && answer !== "") {
      return { type: "answered", answer: JSON.parse(answer) as Answer };
    }
    const isKnown = typeof known === "string";
    if (Number(row.parked) === 1 && (isKnown || asked)) {
      return { type: "parked", fault: faultIn(row) ?? UNKNOWN };
    }
    return isKnown ? { type: "waits" } : { type: "missing" };
  }

  async claim(owner: string, leaseMs: number, most: number): Promise<readonly Held[]> {
    const now = this.#now;
    const [hosted, mail] = [this.#table("hosted"), this.#table("mail")];
    const due = `SELECT tenant, name FROM ${hosted} WHERE owner <> '' AND lease < ${now} UNION SELECT tenant, name FROM ${hosted} WHERE wake >= 0 AND wake <= ${now} UNION SELECT tenant, name FROM ${mail} WHERE answer = ''`;
    const rows = await this.#database.read(
      `UPDATE ${hosted} SET tries = tries + CASE WHEN owner <> '' THEN 1 ELSE 0 END, owner = $1, epoch = epoch + 1, lease = ${now} + $2 WHERE (tenant, name) IN (SELECT tenant, name FROM ${hosted} WHERE parked = 0 AND (owner = '' OR lease < ${now}) AND (owner <> '' OR fault = '' OR wake <= ${now}) AND (tenant, name) IN (${due}) ORDER BY lease LIMIT ${Math.floor(most)} ${this.#database.skipLocked}) AND parked = 0 AND (owner = '' OR lease < ${now}) RETURNING tenant, name, epoch, tries, fault`,
      ...[owner, Math.ceil(leaseMs)],
    );
    return rows.map(heldIn);
  }

  async renew(owner: string, leaseMs: number): Promise<readonly Held[]> {
    const rows = await this.#database.read(
      `UPDATE ${this.#table("hosted")} SET lease = ${this.#now} + $1 WHERE owner = $2 RETURNING tenant, name, epoch, tries, fault`,
      ...[Math.ceil(leaseMs), owner],
    );
    return rows.map(heldIn);
  }

  async mail(owner: string): ReturnType<HostStore["mail"]> {
    const rows = await this.#database.read(
      `SELECT m.tenant, m.name, m.key, m.word FROM ${this.#table("mail")} AS m JOIN ${this.#table("hosted")} AS h ON h.tenant = m.tenant AND h.name = m.name WHERE m.answer = '' AND h.owner = $1 ORDER BY m.id LIMIT ${PAGE}`,
      owner,
    );
    const found = new Map<string, { readonly place: RunPlace; readonly mail: Mail[] }>();
    for (const { tenant, name, key, word } of rows) {
      const place = { tenant: String(tenant), id: String(name) };
      const id = JSON.stringify(place);
      const own = found.get(id) ?? { place, mail: [] };
      found.set(id, own);
      if (own.mail.length === MAIL_AT_ONCE) continue;
      own.mail.push({ key: String(key), word: JSON.parse(String(word)) as Json });
    }
    return [...found.values()];
  }

  async commit(
    owner: string,
    { place, epoch }: Pick<Held, "place" | "epoch">,
    change: Change,
  ): Promise<boolean> {
    const { append, answers = [], spent } = change;
    const { tenant, id } = place;
    const statements: Statement[] = [this.#owning(owner, place, epoch, change)];
    if (append !== undefined) statements.push(...(await this.#appending(append, change.row)));
    else if (change.row !== undefined) statements.push(...this.#indexing(place, change.row));
    for (const answer of answers) {
      statements.push([
        `UPDATE ${this.#table("mail")} SET word = '', answer = $1, until = ${this.#now} + $2 WHERE tenant = $3 AND name = $4 AND key = $5 RETURNING key`,
        ...[JSON.stringify(answer), ANSWER_MS, tenant, id, answer.key],
      ]);
    }
    if (spent !== undefined) {
      statements.push([
        `INSERT INTO ${this.#table("spent")} AS s (tenant, day, amount) VALUES ($1, $2, $3) ON CONFLICT (tenant, day) DO UPDATE SET amount = s.amount + excluded.amount RETURNING day`,
        ...[tenant, spent.day, spent.amount],
      ]);
    }
    if (await this.#database.together(statements)) return true;
    return this.#wasDone(owner, place, epoch, change);
  }

  /** Nothing was changed: it was done before, the run is another's, or its journal ends elsewhere. */
  async #wasDone(
    owner: string,
    { tenant, id }: RunPlace,
    epoch: number,
    { token, append }: Change,
  ): Promise<boolean> {
    const [row] = await this.#database.read(
      `SELECT owner, epoch, token FROM ${this.#table("hosted")} WHERE tenant = $1 AND name = $2`,
      ...[tenant, id],
    );
    if (row?.token === token) return true;
    if (row?.owner !== owner || Number(row.epoch) !== epoch) return false;
    const at = append?.at ?? { lines: 0, bytes: 0 };
    throw conflict(append?.journal.name ?? id, at, { lines: -1, bytes: -1 });
  }

  #owning(owner: string, { tenant, id }: RunPlace, epoch: number, change: Change): Statement {
    const { token, progress, release, append } = change;
    const given: SqlValue[] = [];
    const set: string[] = [];
    const put = (column: string, value: SqlValue) => set.push(`${column} = $${given.push(value)}`);
    put("token", token);
    const head = append === undefined ? undefined : placeOf(append.journal)?.id;
    if (head !== undefined) put("head", head);
    if (release !== undefined) this.#releasing(release, put, set, progress === true);
    else if (progress === true) put("tries", 0);
    const where = [owner, tenant, id, epoch, token].map((value) => `$${given.push(value)}`);
    const text = `UPDATE ${this.#table("hosted")} SET ${set.join(", ")} WHERE owner = ${where[0]} AND tenant = ${where[1]} AND name = ${where[2]} AND epoch = ${where[3]} AND token <> ${where[4]} RETURNING name`;
    return [text, ...given];
  }

  #releasing(
    { wakeIn, fault, park }: Release,
    put: (column: string, value: SqlValue) => void,
    set: string[],
    progress: boolean,
  ): void {
    const now = this.#now;
    put("owner", "");
    set.push(`lease = ${now}`);
    set.push(wakeIn === undefined ? "wake = -1" : `wake = ${now} + ${Math.ceil(wakeIn)}`);
    put("fault", fault === undefined ? "" : JSON.stringify(fault));
    put("parked", park === true ? 1 : 0);
    if (fault !== undefined) set.push(progress ? "tries = 1" : "tries = tries + 1");
    else if (progress) put("tries", 0);
  }

  /** The statements that write lines, at the place that is expected. */
  async #appending(
    { journal, lines, at }: Appended,
    row: Change["row"],
  ): Promise<readonly Statement[]> {
    const { tenant, id } = placeOf(journal) ?? { tenant: "", id: "" };
    const number = await this.#numberOf(tenant, id);
    let { bytes } = at;
    const placed = lines.map((text, n): SqlValue[] => {
      const from = bytes;
      bytes += Buffer.byteLength(text) + 1;
      return [number, from, at.lines + n, text];
    });
    const end = at.lines + lines.length;
    const [lastAt, ...texts] = row === undefined ? [] : indexedRow(row);
    const columns =
      row === undefined ? "" : `, row_lines = $4, last_at = $5${setColumns(COLUMNS, 6)}`;
    const behind = row === undefined ? 4 : 6 + COLUMNS.length;
    const moved: Statement = [
      // Whoever else has it open for writing finds another token.
      `UPDATE ${this.#table("journals")} SET lines = $1, bytes = $2, token = $3${columns} WHERE id = $${behind} AND lines = $${behind + 1} AND bytes = $${behind + 2} RETURNING id`,
      ...[end, bytes, `hosted/${end}/${bytes}`],
      ...(lastAt === undefined ? [] : [end, lastAt, ...texts]),
      ...[number, at.lines, at.bytes],
    ];
    const written: Statement[] = [];
    for (let n = 0; n < placed.length; n += LINES_AT_ONCE) {
      const some = placed.slice(n, n + LINES_AT_ONCE);
      const values = some.map(
        (_, i) => `($${4 * i + 1}, $${4 * i + 2}, $${4 * i + 3}, $${4 * i + 4})`,
      );
      written.push([
        `INSERT INTO ${this.#table("lines")} (journal, at, line, text) VALUES ${values.join(", ")} RETURNING line`,
        ...some.flat(),
      ]);
    }
    return [moved, ...written];
  }

  /** The statements that write a row beside lines that are there. */
  #indexing({ tenant, id }: RunPlace, row: NonNullable<Change["row"]>): readonly Statement[] {
    const [lastAt, ...texts] = indexedRow(row);
    const behind = 2 + COLUMNS.length;
    const text = `UPDATE ${this.#table("journals")} SET last_at = $1${setColumns(COLUMNS, 2)}, row_lines = lines WHERE tenant = $${behind} AND name = (SELECT head FROM ${this.#table("hosted")} WHERE tenant = $${behind + 1} AND name = $${behind + 2}) RETURNING id`;
    return [[text, lastAt, ...texts, tenant, tenant, id]];
  }

  async #numberOf(tenant: string, id: string): Promise<number> {
    const [row] = await this.#database.read(
      `SELECT id FROM ${this.#table("journals")} WHERE tenant = $1 AND name = $2`,
      ...[tenant, id],
    );
    return Number(row?.id ?? -1);
  }

  async row({ tenant, id }: RunPlace): Promise<HostedState | undefined> {
    const [row] = await this.#database.read(
      `SELECT h.parked, h.fault, j.lines, j.row_lines, j.row FROM ${this.#table("hosted")} AS h LEFT JOIN ${this.#table("journals")} AS j ON j.tenant = h.tenant AND j.name = h.head WHERE h.tenant = $1 AND h.name = $2`,
      ...[tenant, id],
    );
    if (row === undefined) return undefined;
    const fault = faultIn(row);
    const isKnown = Number(row.lines) > 0 && Number(row.lines) === Number(row.row_lines);
    return {
      parked: Number(row.parked) === 1,
      ...(fault === undefined ? {} : { fault }),
      ...(isKnown ? { row: JSON.parse(String(row.row)) } : {}),
    };
  }

  async lines(journal: JournalPort, from: number): Promise<readonly string[]> {
    const { tenant, id } = placeOf(journal) ?? { tenant: "", id: "" };
    const rows = await this.#database.read(
      `SELECT l.text FROM ${this.#table("lines")} AS l JOIN ${this.#table("journals")} AS j ON j.id = l.journal WHERE j.tenant = $1 AND j.name = $2 AND l.line >= $3 AND l.at < j.bytes ORDER BY l.at LIMIT ${PAGE}`,
      ...[tenant, id, from],
    );
    return rows.map(({ text }) => String(text));
  }

  async list(tenant: string, options: ListOptions): Promise<ListPage> {
    const journals = tenant === "" ? this.#journals : this.#journals.tenant(tenant);
    const { runs, next } = await journals.list(options);
    const heads = runs.map(({ id }) => id);
    const places = heads.map((_, n) => `$${n + 2}`).join(", ");
    const rows =
      heads.length === 0
        ? []
        : await this.#database.read(
            `SELECT name, head FROM ${this.#table("hosted")} WHERE tenant = $1 AND head IN (${places})`,
            ...[tenant, ...heads],
          );
    const names = new Map(rows.map(({ head, name }) => [String(head), String(name)]));
    const own = runs.flatMap(({ journal: _journal, torn: _torn, ...run }) => {
      const id = names.get(run.id);
      return id === undefined ? [] : [{ ...run, id }];
    });
    return { runs: own, ...(next === undefined ? {} : { next }) };
  }

  async unpark({ tenant, id }: RunPlace): Promise<boolean> {
    const rows = await this.#database.read(
      `UPDATE ${this.#table("hosted")} SET tries = CASE WHEN parked = 1 THEN 0 ELSE tries END, wake = CASE WHEN parked = 1 THEN ${this.#now} ELSE wake END, parked = 0 WHERE tenant = $1 AND name = $2 RETURNING name`,
      ...[tenant, id],
    );
    return rows.length > 0;
  }

  async spent(tenant: string, day: string): Promise<number> {
    const [row] = await this.#database.read(
      `SELECT amount FROM ${this.#table("spent")} WHERE tenant = $1 AND day = $2`,
      ...[tenant, day],
    );
    return Number(row?.amount ?? 0);
  }

  async sweep(): Promise<void> {
    await this.#database.read(
      `DELETE FROM ${this.#table("mail")} WHERE answer <> '' AND until <= ${this.#now} RETURNING id`,
    );
  }

  tell(hint: Hint): void {
    for (const hear of [...this.#hearing]) hear(hint);
    this.#options.notes?.tell(hint);
  }

  listen(hear: (hint: Hint) => void): () => void {
    this.#hearing.add(hear);
    const leave = this.#options.notes?.listen(hear);
    return () => {
      this.#hearing.delete(hear);
      leave?.();
    };
  }
}

function setColumns(columns: readonly string[], from: number): string {
  return columns.map((column, n) => `, ${column} = $${from + n}`).join("");
}

function heldIn(row: SqlRow): Held {
  const fault = faultIn(row);
  const { tenant, name, epoch, tries } = row;
  const place = { tenant: String(tenant), id: String(name) };
  return {
    ...{ place, epoch: Number(epoch), tries: Number(tries) },
    ...(fault === undefined ? {} : { fault }),
  };
}

function faultIn({ fault }: SqlRow): Fault | undefined {
  return typeof fault === "string" && fault !== "" ? (JSON.parse(fault) as Fault) : undefined;
}

const UNKNOWN: Fault = { code: "run.parked", message: "Its processes ended again and again." };
