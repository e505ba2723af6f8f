/**
 * `hostTables`: the store of a host of many runs (`HostStore`) in SQL tables, beside its journals. The row of a
 * run is its lock: whoever changes it names the epoch under which it owns the run. It must not know any
 * database.
 */
import type { Json } from "../../core/kernel/values/index.js";
import { pairKey } from "../../core/kernel/vocabulary/index.js";
import type { BlobPort, Clock, JournalPort } from "../../runtime/index.js";
import {
  ANSWER_KEPT_MS,
  type Answer,
  BYTES_AT_ONCE,
  type Change,
  type Fault,
  type Held,
  type Hint,
  type HostedState,
  type HostStore,
  isOther,
  LINES_LENGTH,
  type ListOptions,
  type ListPage,
  MAIL_AT_ONCE,
  type Mail,
  type NewMail,
  NO_REASON,
  type Posted,
  type Release,
  type RunPlace,
} from "../../serve/for-stores.js";
import { conflict } from "./appends.js";
import { appendedLines, indexedAlone, tokenAt } from "./host-lines.js";
import { type JournalStore, journalStore, placeOf } from "./journal-store.js";
import { RunIndex } from "./run-index.js";
import { sweepHolds } from "./table-blobs.js";
import type { SqlRow, SqlValue, Statement, TableDatabase } from "./table-database.js";
import { movedHead } from "./table-notes.js";

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
/** Numbers that are remembered. */
const MOST_NUMBERS = 10_000;

/** Makes a host's store over a database. */
export function hostTables(database: TableDatabase, options: HostTablesOptions = {}): HostStore {
  return new HostTables(database, options);
}

class HostTables implements HostStore {
  readonly name: string;
  readonly blobs: BlobPort;
  readonly #database: TableDatabase;
  readonly #options: HostTablesOptions;
  readonly #journals: JournalStore;
  readonly #hearing = new Set<(hint: Hint) => void>();
  /** The numbers of journals, by their places: a change is one round trip. */
  readonly #numbers = new Map<string, number>();

  constructor(database: TableDatabase, options: HostTablesOptions) {
    this.name = database.name;
    this.#database = database;
    this.#options = options;
    this.#journals = journalStore(database);
    this.blobs = this.#journals.blobs;
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

  async post(place: RunPlace, { key, word, mark }: NewMail, begins: boolean): Promise<Posted> {
    const { tenant, id } = place;
    if (begins) {
      await this.#database.together([
        [
          `INSERT INTO ${this.#table("hosted")} (tenant, name, head) VALUES ($1, $2, $3) ON CONFLICT (tenant, name) DO UPDATE SET head = CASE WHEN ${this.#table("hosted")}.head = '' THEN excluded.head ELSE ${this.#table("hosted")}.head END RETURNING name`,
          ...[tenant, id, id],
        ],
        [
          `INSERT INTO ${this.#table("journals")} (tenant, name, lines, bytes, token) VALUES ($1, $2, 0, 0, '') ON CONFLICT (tenant, name) DO UPDATE SET tenant = excluded.tenant WHERE ${this.#table("journals")}.status <> 'detached' RETURNING name`,
          ...[tenant, id],
        ],
      ]);
    }
    const posted = await this.#database.read(
      `INSERT INTO ${this.#table("mail")} (tenant, name, key, word, mark) SELECT tenant, name, CAST($1 AS text), CAST($2 AS text), CAST($3 AS text) FROM ${this.#table("hosted")} WHERE tenant = $4 AND name = $5 AND parked = 0 AND head <> '' ON CONFLICT (tenant, name, key) DO NOTHING RETURNING key`,
      ...[key, JSON.stringify(word), mark, tenant, id],
    );
    return posted.length > 0 ? { type: "waits" } : this.#posted(place, key, { mark, asked: true });
  }

  answer(place: RunPlace, key: string, mark?: string): Promise<Posted> {
    return this.#posted(place, key, { mark, asked: false });
  }

  async #posted(
    { tenant, id }: RunPlace,
    key: string,
    { mark, asked }: { readonly mark: string | undefined; readonly asked: boolean },
  ): Promise<Posted> {
    const [row] = await this.#database.read(
      `SELECT h.parked, h.fault, m.key, m.mark, m.answer FROM ${this.#table("hosted")} AS h LEFT JOIN ${this.#table("mail")} AS m ON m.tenant = h.tenant AND m.name = h.name AND m.key = $1 WHERE h.tenant = $2 AND h.name = $3`,
      ...[key, tenant, id],
    );
    if (row === undefined) return { type: "missing" };
    const { answer, key: storedKey } = row;
    if (typeof row.mark === "string" && isOther(row.mark, mark)) return { type: "other" };
    if (typeof answer === "string" && answer !== "") {
      return { type: "answered", answer: JSON.parse(answer) as Answer };
    }
    const isKnown = typeof storedKey === "string";
    if (Number(row.parked) === 1 && (isKnown || asked)) {
      return { type: "parked", fault: faultIn(row) ?? NO_REASON };
    }
    return isKnown ? { type: "waits" } : { type: "missing" };
  }

  async claim(
    owner: string,
    leaseMs: number,
    most: number,
    without: readonly string[] = [],
  ): Promise<readonly Held[]> {
    const now = this.#now;
    const places = without.map((_, n) => `$${n + 3}`).join(", ");
    const others = places === "" ? "" : ` AND tenant NOT IN (${places})`;
    const [hosted, mail] = [this.#table("hosted"), this.#table("mail")];
    const due = `SELECT tenant, name FROM ${hosted} WHERE owner <> '' AND lease < ${now} UNION SELECT tenant, name FROM ${hosted} WHERE wake >= 0 AND wake <= ${now} AND head <> '' UNION SELECT tenant, name FROM ${mail} WHERE answer = ''`;
    const asLeft = `SELECT 1 FROM ${this.#table("journals")} AS j WHERE j.tenant = ${hosted}.tenant AND j.name = ${hosted}.name AND ${hosted}.head = ${hosted}.name AND j.token = ${tokenAt("j.lines", "j.bytes")} AND NOT EXISTS (SELECT 1 FROM ${this.#table("notes")} AS n WHERE n.journal = j.id AND n.kind = 'head')`;
    const rows = await this.#database.read(
      `UPDATE ${hosted} SET tries = tries + CASE WHEN owner <> '' THEN 1 ELSE 0 END, owner = $1, epoch = epoch + 1, lease = ${now} + $2 WHERE (tenant, name) IN (SELECT tenant, name FROM ${hosted} WHERE parked = 0 AND (owner = '' OR lease < ${now}) AND (owner <> '' OR fault = '' OR wake <= ${now})${others} AND (tenant, name) IN (${due}) ORDER BY lease LIMIT $${without.length + 3} ${this.#database.skipLocked}) AND parked = 0 AND (owner = '' OR lease < ${now}) RETURNING tenant, name, epoch, tries, fault, CASE WHEN EXISTS (${asLeft}) THEN token ELSE '' END AS unchanged`,
      ...[owner, Math.ceil(leaseMs), ...without, Math.floor(most)],
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
    const table = this.#table("mail");
    // The first of each run stands before the second of any, and small before large.
    const waiting = `SELECT m.id, octet_length(m.word) AS size, row_number() OVER (PARTITION BY m.tenant, m.name ORDER BY m.id) AS place FROM ${table} AS m JOIN ${this.#table("hosted")} AS h ON h.tenant = m.tenant AND h.name = m.name WHERE m.answer = '' AND h.owner = $1`;
    const first = `SELECT id, size, place FROM (${waiting}) AS w WHERE place <= ${MAIL_AT_ONCE} ORDER BY place, size, id LIMIT ${PAGE}`;
    const before = `SELECT id, size, place, sum(size) OVER (ORDER BY place, size, id ROWS UNBOUNDED PRECEDING) - size AS before FROM (${first}) AS f`;
    const rows = await this.#database.read(
      `SELECT m.tenant, m.name, m.key, m.word FROM (${before}) AS b JOIN ${table} AS m ON m.id = b.id WHERE b.before < ${BYTES_AT_ONCE} ORDER BY b.place, b.size, b.id`,
      owner,
    );
    const found = new Map<string, { readonly place: RunPlace; readonly mail: Mail[] }>();
    for (const { tenant, name, key, word } of rows) {
      const place = { tenant: String(tenant), id: String(name) };
      const id = JSON.stringify(place);
      const own = found.get(id) ?? { place, mail: [] };
      found.set(id, own);
      own.mail.push({ key: String(key), word: JSON.parse(String(word)) as Json });
    }
    return [...found.values()];
  }

  async commit(
    owner: string,
    { place, epoch }: Pick<Held, "place" | "epoch">,
    change: Change,
  ): Promise<boolean> {
    const { append, head, answers = [], spent } = change;
    const { tenant, id } = place;
    const statements: Statement[] = [this.#owning(owner, place, epoch, change)];
    if (head !== undefined)
      statements.push(...movedHead(this.#database.prefix, place, head, change.token));
    if (append !== undefined) {
      const { tenant: of, id: name } = placeOf(append.journal) ?? { tenant: "", id: "" };
      const number = await this.#numberOf(of, name);
      statements.push(...appendedLines(this.#database.prefix, number, append, change.row));
    } else if (change.row !== undefined) {
      statements.push(indexedAlone(this.#database.prefix, place, change.row));
    }
    for (const answer of answers) {
      statements.push([
        `UPDATE ${this.#table("mail")} SET word = '', answer = $1, until = ${this.#now} + $2 WHERE tenant = $3 AND name = $4 AND key = $5 RETURNING key`,
        ...[JSON.stringify(answer), ANSWER_KEPT_MS, tenant, id, answer.key],
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
    // A journal of that name may be another by now.
    this.#numbers.clear();
    throw conflict(append?.journal.name ?? id, at, { lines: -1, bytes: -1 });
  }

  #owning(owner: string, { tenant, id }: RunPlace, epoch: number, change: Change): Statement {
    const { token, progress, release, append } = change;
    const parameters: SqlValue[] = [];
    const set: string[] = [];
    const put = (column: string, value: SqlValue, since = "") =>
      set.push(`${column} = ${since}$${parameters.push(value)}`);
    put("token", token);
    const head = append === undefined ? undefined : placeOf(append.journal)?.id;
    if (head !== undefined) put("head", head);
    if (release !== undefined) this.#releasing(release, put, set, progress === true);
    else if (progress === true) put("tries", 0);
    const where = [owner, tenant, id, epoch, token].map((value) => `$${parameters.push(value)}`);
    const text = `UPDATE ${this.#table("hosted")} SET ${set.join(", ")} WHERE owner = ${where[0]} AND tenant = ${where[1]} AND name = ${where[2]} AND epoch = ${where[3]} AND token <> ${where[4]} RETURNING name`;
    return [text, ...parameters];
  }

  #releasing(
    { wakeIn, fault, park, gone }: Release,
    put: (column: string, value: SqlValue, since?: string) => void,
    set: string[],
    progress: boolean,
  ): void {
    const now = this.#now;
    put("owner", "");
    set.push(`lease = ${now}`);
    if (gone === true) put("head", "");
    // A run that never began is due to be forgotten.
    const wake = gone === true ? ANSWER_KEPT_MS : wakeIn;
    if (wake === undefined) put("wake", -1);
    else put("wake", Math.ceil(wake), `${now} + `);
    put("fault", fault === undefined ? "" : JSON.stringify(fault));
    put("parked", park === true ? 1 : 0);
    if (fault !== undefined) set.push(progress ? "tries = 1" : "tries = tries + 1");
    else if (progress) put("tries", 0);
  }

  async #numberOf(tenant: string, id: string): Promise<number> {
    const key = pairKey(tenant, id);
    const cached = this.#numbers.get(key);
    if (cached !== undefined) return cached;
    const [row] = await this.#database.read(
      `SELECT id FROM ${this.#table("journals")} WHERE tenant = $1 AND name = $2`,
      ...[tenant, id],
    );
    if (row === undefined) return -1;
    if (this.#numbers.size === MOST_NUMBERS) this.#numbers.clear();
    this.#numbers.set(key, Number(row.id));
    return Number(row.id);
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
    const [journals, table] = [this.#table("journals"), this.#table("lines")];
    const start = `SELECT s.at FROM ${table} AS s WHERE s.journal = j.id AND s.line >= $1 ORDER BY s.at LIMIT 1`;
    const rows = await this.#database.read(
      `SELECT l.text FROM (SELECT j.id, j.bytes, (${start}) AS start FROM ${journals} AS j WHERE j.tenant = $2 AND j.name = $3) AS f JOIN ${table} AS l ON l.journal = f.id AND l.at >= f.start AND l.at < f.start + ${LINES_LENGTH} AND l.at < f.bytes ORDER BY l.at LIMIT ${PAGE}`,
      ...[from, tenant, id],
    );
    return rows.map(({ text }) => String(text));
  }

  async list(tenant: string, options: ListOptions): Promise<ListPage> {
    const journals = tenant === "" ? this.#journals : this.#journals.tenant(tenant);
    const index = new RunIndex(this.#database, tenant, (id) => journals.journal(id));
    return index.hosted(options);
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
    await this.#sweepGone();
    await sweepHolds(this.#database, this.#database.now);
  }

  /** Forgets runs that never began: a start that comes meanwhile gives one its head back, and it stays. */
  async #sweepGone(): Promise<void> {
    const [hosted, mail] = [this.#table("hosted"), this.#table("mail")];
    const gone = `head = '' AND owner = '' AND NOT EXISTS (SELECT 1 FROM ${mail} AS m WHERE m.tenant = ${hosted}.tenant AND m.name = ${hosted}.name)`;
    const rows = await this.#database.read(
      `SELECT tenant, name FROM ${hosted} WHERE wake >= 0 AND wake <= ${this.#now} AND ${gone}`,
    );
    for (const { tenant, name } of rows) {
      const place = [String(tenant), String(name)];
      const journal = `DELETE FROM ${this.#table("journals")} WHERE tenant = $1 AND name = $2 AND lines = 0 AND token = ''`;
      await this.#database.write(
        [
          [
            `DELETE FROM ${hosted} WHERE tenant = $1 AND name = $2 AND ${gone} RETURNING name`,
            ...place,
          ],
        ],
        [[journal, ...place]],
      );
    }
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

function heldIn(row: SqlRow): Held {
  const fault = faultIn(row);
  const { tenant, name, epoch, tries, unchanged = "" } = row;
  const place = { tenant: String(tenant), id: String(name) };
  return {
    ...{ place, epoch: Number(epoch), tries: Number(tries) },
    ...(fault === undefined ? {} : { fault }),
    ...(unchanged === "" ? {} : { unchanged: String(unchanged) }),
  };
}

function faultIn({ fault }: SqlRow): Fault | undefined {
  return typeof fault === "string" && fault !== "" ? (JSON.parse(fault) as Fault) : undefined;
}
