/**
 * The interface that journals in tables need of a database; each adapter implements it. It must not
 * know what a line means.
 */
import type { JournalPosition } from "../../runtime/for-adapters.js";
import type { IndexedRow } from "./indexed-row.js";

/** The value of a parameter. */
export type SqlValue = string | number;

/** A row by the names of its columns. Integers may come as numbers, bigints or text. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** A statement: `$1`, `$2` and so on stand in it once each, in this order. */
export type Statement = readonly [text: string, ...parameters: SqlValue[]];

/** The place of a journal in the tables. */
export interface TablePlace {
  readonly tenant: string;
  readonly id: string;
}

/** Lines for one journal: those of all its appends that wait at once. */
export interface Chain {
  /** The number of the journal's row. */
  readonly journal: number;
  /** The end of the journal that is expected, and the end that it has then. */
  readonly from: JournalPosition;
  readonly to: JournalPosition;
  /** The token of the last write that is expected, and the one that is left. */
  readonly seen: string;
  readonly token: string;
  readonly lines: readonly ChainLine[];
  /** The row of its run behind them, where it is known. */
  readonly row?: IndexedRow | undefined;
}

/** A line, and where it stands: its number and its first byte, both from 0. */
export type ChainLine = readonly [at: number, line: number, text: string];

/** A database with the tables of journals. */
export interface TableDatabase {
  /** For people: "sqlite". */
  readonly name: string;
  /** The text in front of the name of a table. */
  readonly prefix: string;
  /** The types that databases name differently: of a row's number, and of text compared by its bytes. */
  readonly types: { readonly number: string; readonly name: string };
  /** Carries out what a plan makes of the version that the tables have, in one transaction. */
  migrate(plan: (version: number) => readonly string[]): Promise<void>;
  /** Reads rows; by itself. */
  read(...statement: Statement): Promise<readonly SqlRow[]>;
  /**
   * Carries out statements in one transaction, up to the first that returns no row: then nothing is
   * changed.
   * @param more statements that follow, whatever they return
   * @returns how many of the first returned one
   */
  write(statements: readonly Statement[], more?: readonly Statement[]): Promise<number>;
  /**
   * Carries out statements that do not depend on each other in one transaction, all of them or, where one returns
   * no row, none.
   * @returns whether they were carried out
   */
  together(statements: readonly Statement[]): Promise<boolean>;
  /** The database's own time, in milliseconds since 1970, as an expression. */
  readonly now: string;
  /** Behind a query for rows to change: passes over those that others are changing. */
  readonly skipLocked: string;
  /**
   * Appends chains, of a journal one at most, in one transaction: those whose journal ends where it is
   * expected to end and has the token; of the others nothing.
   * @returns the journals that were appended to
   */
  append(chains: readonly Chain[]): Promise<ReadonlySet<number>>;
}
