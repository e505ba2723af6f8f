/** The interface of a SQLite database: what `better-sqlite3`, `libsql` and `node:sqlite` have in common. */

import { ReckonerError } from "../../core/kernel/values/index.js";

/** A prepared statement; parameters stand in it as `?`. */
export interface SqliteStatement {
  /** Runs one that returns rows; better-sqlite3 throws where it returns none. */
  all(...parameters: (string | number)[]): unknown[];
  /** Runs one that returns no rows; says how many it has changed. Of one that does, libsql says none. */
  run(...parameters: (string | number)[]): { readonly changes: number | bigint };
}

/** A database of `better-sqlite3`, of `libsql` or of `node:sqlite`, or whatever has these two. */
export interface SqliteDatabase {
  /** Runs statements that have no parameters, and returns when they are done. */
  exec(sql: string): unknown;
  /** Prepares one statement. */
  prepare(sql: string): SqliteStatement;
}

/** @throws ReckonerError `option.invalid` where something is no such database */
export function checkSqlite(of: string, database: SqliteDatabase): void {
  const candidate = database as Partial<SqliteDatabase> | null | undefined;
  if (typeof candidate?.exec === "function" && typeof candidate.prepare === "function") return;
  throw new ReckonerError(
    "option.invalid",
    `${of} needs a database of better-sqlite3, libsql or node:sqlite, with exec(sql) and prepare(sql).`,
    { place: "database" },
  );
}
