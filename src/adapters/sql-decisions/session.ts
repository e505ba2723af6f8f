/**
 * The interface that a store needs of a database: statements, bulk inserts, and scans for
 * traversals. Each adapter implements it.
 */
import type { Schema } from "./schema.js";
import type { TableName } from "./tables.js";

/** What a parameter or a column may hold. JSON goes as text. */
export type SqlValue = string | number | null;

/** A row by the names of its columns. Integers may come as numbers, bigints or text. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** One column of many rows. */
export type SqlColumn = readonly SqlValue[];

/** A part of a scope's nodes: the same index in each is the same node. Types by their number. */
export interface NodeColumns {
  readonly ids: readonly string[];
  readonly keys: ArrayLike<number>;
  readonly createdAt: ArrayLike<number>;
  readonly types: ArrayLike<number>;
}

/** A part of a scope's edges: keys of their ends, and types by their number. */
export interface EdgeColumns {
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  readonly types: ArrayLike<number>;
}

/** One transaction. It sees what was committed before it, and what it wrote itself. */
export interface SqlSession {
  /**
   * Runs one statement.
   * @param text with `$1` and so on for parameters; every value is a parameter
   */
  query(text: string, parameters?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** Adds rows, given by columns in the table's order. */
  insert(table: TableName, columns: readonly SqlColumn[]): Promise<void>;
  /** Changes nodes, given by columns in the order of `nodeUpdates`. */
  updateNodes(scope: string, columns: readonly SqlColumn[]): Promise<void>;
  /** Rows `{ id, before, after }`: for each of these ids its neighbours among the nodes, by bytes. */
  neighbours(scope: string, ids: readonly string[]): Promise<readonly SqlRow[]>;
  /**
   * Everything in a scope, for walks: all nodes, in any order (in that of their creation is fastest),
   * and then all edges.
   */
  scan(
    scope: string,
    takeNodes: (nodes: NodeColumns) => void,
    takeEdges: (edges: EdgeColumns) => void,
  ): Promise<void>;
}

/** A database with the tables of a graph. */
export interface SqlDatabase {
  /** Connects and brings the tables up to date. Called before anything else, and anew if it threw. */
  open(): Promise<void>;
  readonly schema: Schema;
  /** A transaction that only reads: all of its statements see one version. */
  read<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  /**
   * A transaction that writes: committed when `work` resolves, rolled back when it rejects. Where
   * the database could not serialise it, `work` is called again.
   */
  write<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
