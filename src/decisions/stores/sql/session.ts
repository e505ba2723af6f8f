/**
 * The interface of a SQL database, its statements and transactions, as the decision store over SQL needs it.
 * DuckDB and Postgres implement it.
 */
import type { Dialect, Schema } from "./schema.js";

/** The value of a parameter. JSON is passed as text. */
export type SqlValue = string | number | null;

/** A row by the names of its columns. Integers may come as numbers, bigints or text. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** One transaction. It sees what was committed before it, and what it wrote itself. */
export interface SqlSession {
  /**
   * Runs one statement.
   * @param text with `$1` and so on for parameters; every value is a parameter
   */
  query(text: string, parameters?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
}

/** A database with the tables of a graph. */
export interface SqlDatabase {
  readonly schema: Schema;
  readonly dialect: Dialect;
  /** Connects and makes the tables. Called before anything else, and again if it threw. */
  open(): Promise<void>;
  /** A transaction that only reads: all of its statements see one version. */
  read<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  /**
   * A transaction that writes: committed when `work` resolves, rolled back when it rejects. If the
   * database could not serialise it, `work` is called again.
   */
  write<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
