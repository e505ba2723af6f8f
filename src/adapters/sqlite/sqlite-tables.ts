/**
 * Implements `TableDatabase` for SQLite: how the tables of journals are read and written there. A transaction is
 * one synchronous call, so that nobody else in the process gets in between on the same connection.
 */
import {
  type Chain,
  COLUMNS,
  type SqlRow,
  type SqlValue,
  type Statement,
  type TableDatabase,
} from "../journal-tables/index.js";
import type { SqliteDatabase, SqliteStatement } from "./sqlite-database.js";

/** Milliseconds to wait for another process's transaction, where the connection would not wait. */
const BUSY = 5_000;
/** Levels of `synchronous`: of a rollback journal the removal of a file has to be durable too. */
const FULL = 2;
const EXTRA = 3;

const moving = (columns: readonly string[]) =>
  `UPDATE reckoner_journals SET ${columns.map((column) => `${column} = ?`).join(", ")} WHERE id = ? AND lines = ? AND bytes = ? AND token = ? RETURNING id`;
const MOVE = moving(["lines", "bytes", "token"]);
const MOVE_WITH_ROW = moving(["lines", "bytes", "token", "row_lines", "last_at", ...COLUMNS]);

/** Something that waits for the next transaction. */
interface Asked {
  /** @returns false where nothing of it is to be changed */
  work(): boolean;
  done(): void;
  failed(thrown: unknown): void;
}

const CHANGES = /^(?:INSERT|UPDATE|DELETE)\b/;
const RETURNING = / RETURNING \w+$/;

/** See the banner. */
export class SqliteTables implements TableDatabase {
  readonly name = "sqlite";
  readonly prefix = "reckoner_";
  readonly types = { number: "integer PRIMARY KEY AUTOINCREMENT", name: "text" } as const;
  readonly now = "CAST((julianday('now') - 2440587.5) * 86400000 AS integer)";
  readonly skipLocked = "";
  readonly #database: SqliteDatabase;
  readonly #prepared = new Map<string, SqliteStatement>();
  /** Statements that return rows, without those. */
  readonly #silent = new Map<string, string>();
  readonly #asked: Asked[] = [];

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async migrate(plan: (version: number) => readonly string[]): Promise<void> {
    this.#sync();
    if (plan(this.#version()).length === 0) return;
    this.#transaction(() => {
      for (const statement of plan(this.#version())) this.#database.exec(statement);
      return true;
    });
  }

  async read(...[text, ...parameters]: Statement): Promise<readonly SqlRow[]> {
    if (!CHANGES.test(text)) return this.#all(text, parameters);
    let rows: readonly SqlRow[] = [];
    await this.#change(() => {
      rows = this.#all(text, parameters);
      return true;
    });
    return rows;
  }

  async write(statements: readonly Statement[], more: readonly Statement[] = []): Promise<number> {
    let done = 0;
    await this.#change(() => {
      for (const statement of statements) {
        if (!this.#does(statement)) return false;
        done += 1;
      }
      for (const statement of more) this.#does(statement);
      return true;
    });
    return done;
  }

  async together(statements: readonly Statement[]): Promise<boolean> {
    let isDone = false;
    await this.#change(() => {
      isDone = statements.every((statement) => this.#does(statement));
      return isDone;
    });
    return isDone;
  }

  /** Changes something, all of it or nothing. Changes that are asked for in one turn of the event loop share a sync. */
  #change(work: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ work, done: resolve, failed: reject });
      if (this.#asked.length === 1) setImmediate(() => this.#commitAsked());
    });
  }

  #commitAsked(): void {
    const asked = this.#asked.splice(0);
    let settle: (() => void)[] = [];
    try {
      this.#transaction(() => {
        settle = asked.map((each) => this.#savepoint(each));
        return true;
      });
      for (const each of settle) each();
    } catch (thrown) {
      for (const { failed } of asked) failed(thrown);
    }
  }

  /** Does what was asked for behind a savepoint. @returns tells who asked, once it is durable */
  #savepoint({ work, done, failed }: Asked): () => void {
    const database = this.#database;
    let isKept = false;
    let failure: { readonly thrown: unknown } | undefined;
    database.exec("SAVEPOINT asked");
    try {
      isKept = work();
    } catch (thrown) {
      failure = { thrown };
    }
    // This throws after a rollback of SQLite's own, and nothing of the others is done either.
    if (!isKept) database.exec("ROLLBACK TO asked");
    database.exec("RELEASE asked");
    return () => (failure === undefined ? done() : failed(failure.thrown));
  }

  async append(chains: readonly Chain[]): Promise<ReadonlySet<number>> {
    const appended = new Set<number>();
    this.#transaction(() => {
      for (const { journal, from, to, seen, token, lines, row } of chains) {
        const indexed = row === undefined ? [] : [to.lines, ...row];
        const moved = this.#all(row === undefined ? MOVE : MOVE_WITH_ROW, [
          ...[to.lines, to.bytes, token, ...indexed],
          ...[journal, from.lines, from.bytes, seen],
        ]);
        if (moved.length === 0) continue;
        appended.add(journal);
        const put = this.#prepare(
          "INSERT INTO reckoner_lines (journal, at, line, text) VALUES (?, ?, ?, ?)",
        );
        for (const line of lines) put.run(journal, ...line);
      }
      return true;
    });
    return appended;
  }

  /** Does something in one transaction, which is rolled back where it throws or returns false. */
  #transaction(work: () => boolean): void {
    const database = this.#database;
    // This throws if the user has a transaction open, and theirs stays as it is.
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(work() ? "COMMIT" : "ROLLBACK");
    } catch (thrown) {
      try {
        database.exec("ROLLBACK");
      } catch {
        // SQLite has rolled back by itself.
      }
      throw thrown;
    }
  }

  /** Sets the connection so that what was committed survives a power failure. */
  #sync(): void {
    const pragma = (name: string) => Object.values(this.#all(`PRAGMA ${name}`, [])[0] ?? {})[0];
    const least = pragma("journal_mode") === "wal" ? FULL : EXTRA;
    if (Number(pragma("synchronous")) < least) this.#database.exec(`PRAGMA synchronous = ${least}`);
    if (Number(pragma("busy_timeout")) === 0) this.#database.exec(`PRAGMA busy_timeout = ${BUSY}`);
  }

  #version(): number {
    const tables = "SELECT name FROM sqlite_master WHERE name = 'reckoner_journal_format'";
    if (this.#database.prepare(tables).all().length === 0) return 0;
    const [row] = this.#database.prepare("SELECT version FROM reckoner_journal_format").all();
    return Number((row as SqlRow | undefined)?.version ?? 0);
  }

  /** Runs a part of something; returns true if it has found, or changed, anything. Rows cost more than their number. */
  #does([text, ...parameters]: Statement): boolean {
    if (!CHANGES.test(text)) return this.#all(text, parameters).length > 0;
    const alone = this.#silent.get(text) ?? text.replace(RETURNING, "");
    this.#silent.set(text, alone);
    return Number(this.#prepare(alone).run(...parameters).changes) > 0;
  }

  #all(text: string, parameters: readonly SqlValue[]): readonly SqlRow[] {
    return this.#prepare(text).all(...parameters) as SqlRow[];
  }

  #prepare(text: string): SqliteStatement {
    const found = this.#prepared.get(text);
    if (found !== undefined) return found;
    const prepared = this.#database.prepare(text.replace(/\$\d+/g, "?"));
    this.#prepared.set(text, prepared);
    return prepared;
  }
}
