/** DuckDB as a database of decision graphs: one file, one process, transactions on connections. */
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { isReckonerError, messageOf } from "../../core/kernel/index.js";
import {
  createTables,
  MIGRATIONS_TABLE,
  type Migration,
  migrate,
  type Schema,
  type SqlDatabase,
  type SqlSession,
} from "../sql-decisions/index.js";
import { type DuckdbModule, loadDriver, openInstance } from "./driver.js";
import { declarePropertyGraph, type LoadExtension, type PropertyGraph } from "./property-graph.js";
import { columnTypes, DuckdbSession } from "./session.js";

/** How often a transaction is tried that another writer of this process got in the way of. */
const ATTEMPTS = 50;

/**
 * How long the log may grow before it is written into the file. DuckDB's own 16 MB are a few large
 * writes, and each time the last texts of the history are written anew.
 */
const LOG_SIZE = "64MB";

/** Connections that wait for the next reader. */
const MOST_IDLE = 4;

/** Writers of one file in this process come one after the other, whichever store they belong to. */
const writers = new Map<string, Promise<unknown>>();

/** The versions of the tables. One that was released never changes: what is new comes behind. */
export function duckdbMigrations(schema: Schema): readonly Migration[] {
  // An index would not find a node or an edge any sooner, takes most of a load's time, and beside the
  // long texts of the history makes each commit read them again.
  const without = ["decision_nodes", "decision_edges", "decision_changes"] as const;
  return [createTables(schema, columnTypes, without)];
}

/** How a database is opened. */
export interface DuckdbDatabaseOptions {
  /** A file, or ":memory:". */
  readonly path: string;
  readonly schema: Schema;
  readonly config: Readonly<Record<string, string>>;
  /** A database that the user has opened, and closes. */
  readonly instance?: DuckDBInstance | undefined;
  readonly load?: (() => Promise<DuckdbModule>) | undefined;
  readonly propertyGraph: { readonly load: LoadExtension; readonly statement: string } | undefined;
  /** Default: those of this version of the program. */
  readonly migrations?: readonly Migration[];
}

/** What is there while the database is open. */
interface Opened {
  readonly instance: DuckDBInstance;
  readonly writer: DuckDBConnection;
  readonly idle: DuckDBConnection[];
}

/** See the banner. */
export class DuckdbDatabase implements SqlDatabase {
  propertyGraph: PropertyGraph = { declared: false, why: "The store was not opened yet." };
  readonly #options: DuckdbDatabaseOptions;
  readonly schema: Schema;
  #opened: Opened | undefined;
  #inMemory: Promise<unknown> = Promise.resolve();

  constructor(options: DuckdbDatabaseOptions) {
    this.#options = options;
    this.schema = options.schema;
  }

  async open(): Promise<void> {
    const { path, config, load, propertyGraph } = this.#options;
    const driver = await loadDriver(load);
    const instance = this.#options.instance ?? (await openInstance(driver, path, config));
    const opened: Opened = { instance, writer: await instance.connect(), idle: [] };
    this.#opened = opened;
    try {
      // What the user has opened, or chosen, stays as it is.
      if (this.#options.instance === undefined && config.checkpoint_threshold === undefined) {
        await opened.writer.run(`SET checkpoint_threshold = '${LOG_SIZE}'`);
      }
      await this.#migrate();
    } catch (thrown) {
      await this.close();
      throw thrown;
    }
    this.propertyGraph =
      propertyGraph === undefined
        ? { declared: false, why: "It was not asked for." }
        : await declarePropertyGraph(
            (sql) => opened.writer.run(sql),
            propertyGraph.load,
            propertyGraph.statement,
          );
  }

  async read<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    const { instance, idle } = this.#whileOpen();
    const connection = idle.pop() ?? (await instance.connect());
    let result: T;
    try {
      await connection.run("BEGIN TRANSACTION READ ONLY");
      result = await work(new DuckdbSession(connection, this.schema));
      await connection.run("COMMIT");
    } catch (thrown) {
      connection.closeSync();
      throw thrown;
    }
    if (idle.length < MOST_IDLE && this.#opened !== undefined) idle.push(connection);
    else connection.closeSync();
    return result;
  }

  write<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const { writer } = this.#whileOpen();
      for (let attempt = 1; ; attempt++) {
        try {
          await writer.run("BEGIN TRANSACTION");
          const result = await work(new DuckdbSession(writer, this.schema));
          await writer.run("COMMIT");
          return result;
        } catch (thrown) {
          // A commit that was refused has rolled back already.
          await writer.run("ROLLBACK").catch(() => undefined);
          if (attempt === ATTEMPTS || !isConflict(thrown)) throw thrown;
          // The other writer is not in our queue: wait for it to finish.
          await new Promise((resume) => setTimeout(resume, Math.random() * 10 * attempt));
        }
      }
    });
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    for (const connection of [opened.writer, ...opened.idle]) connection.closeSync();
    if (this.#options.instance === undefined) opened.instance.closeSync();
  }

  #migrate(): Promise<void> {
    const { schema } = this;
    const { path, migrations = duckdbMigrations(schema) } = this.#options;
    return migrate(this, {
      migrations,
      place: path,
      schema,
      exists: async (session) => {
        const text =
          "SELECT 1 AS one FROM information_schema.tables WHERE table_catalog = current_database() AND table_schema = $1 AND table_name = $2";
        return (await session.query(text, [schema.name, MIGRATIONS_TABLE])).length > 0;
      },
      prepare: async (session) => {
        await session.query(`CREATE SCHEMA IF NOT EXISTS ${schema.quoted}`);
        await session.query(
          `CREATE TABLE IF NOT EXISTS ${schema.table(MIGRATIONS_TABLE)} (version INTEGER PRIMARY KEY, "at" TIMESTAMP NOT NULL DEFAULT current_timestamp)`,
        );
      },
    });
  }

  #whileOpen(): Opened {
    if (this.#opened === undefined) throw new Error("The database is not open.");
    return this.#opened;
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const { path } = this.#options;
    const isShared = path !== ":memory:" && this.#options.instance === undefined;
    const last = isShared ? (writers.get(path) ?? Promise.resolve()) : this.#inMemory;
    const turn = last.then(act);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    if (!isShared) this.#inMemory = settled;
    else {
      writers.set(path, settled);
      void settled.then(() => {
        if (writers.get(path) === settled) writers.delete(path);
      });
    }
    return turn;
  }
}

/** Whether another writer was in the way: also where both were to make a scope's first row. */
function isConflict(thrown: unknown): boolean {
  const said = /conflict|(?:primary key|unique) constraint/i;
  return !isReckonerError(thrown) && said.test(messageOf(thrown));
}
