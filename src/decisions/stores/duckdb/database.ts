/** DuckDB as a database of decision graphs: one file, one process, transactions on connections. */
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from "@duckdb/node-api";
import { isReckonerError, messageOf } from "../../../core/kernel/values/index.js";
import {
  type Dialect,
  loadDriver,
  openTables,
  type Schema,
  type SqlDatabase,
  type SqlSession,
  type SqlValue,
} from "../sql/index.js";
import { type DuckdbModule, openInstance } from "./driver.js";
import {
  declarePropertyGraph,
  type LoadExtension,
  loadExtension,
  type PropertyGraph,
} from "./property-graph.js";

/** Attempts of a transaction that another writer of this process gets in the way of. */
const ATTEMPTS = 50;

/**
 * Settings of a database that is ours to open. A file may come from anybody: it must not reach other
 * files or the network, nor load code. The log may grow further than DuckDB's own 16 MB, which are a
 * few large writes.
 */
const SETTINGS: readonly (readonly [string, string])[] = [
  ["autoinstall_known_extensions", "false"],
  ["autoload_known_extensions", "false"],
  ["enable_external_access", "false"],
  ["checkpoint_threshold", "64MB"],
];

/** Connections that wait for the next reader. */
const MOST_IDLE = 4;

/** Writers of one file in this process come one after the other, whichever store they belong to. */
const writers = new Map<string | DuckdbDatabase, Promise<unknown>>();

/** Texts are compared by their bytes. */
const dialect: Dialect = {
  types: { id: "VARCHAR", text: "VARCHAR", json: "JSON", bigint: "BIGINT", double: "DOUBLE" },
  // A parameter alone would be taken apart while the statement is planned, value by value; a text
  // that depends on a row is taken apart at once.
  elements:
    "(SELECT unnest(CAST(repeat($1, one.row) AS JSON[])) AS r FROM range(1, 2) AS one(row)) AS given",
};

/** Options of a database. */
export interface DuckdbDatabaseOptions {
  /** A file, or ":memory:". */
  readonly path: string;
  readonly schema: Schema;
  readonly config: Readonly<Record<string, string>>;
  /** A database that the user has opened, and closes. */
  readonly instance?: DuckDBInstance | undefined;
  readonly load?: (() => Promise<DuckdbModule>) | undefined;
  readonly propertyGraph: { readonly load: LoadExtension; readonly statement: string } | undefined;
}

/** The connections of an open database. */
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
  readonly dialect: Dialect = dialect;
  #opened: Opened | undefined;

  constructor(options: DuckdbDatabaseOptions) {
    this.#options = options;
    this.schema = options.schema;
  }

  async open(): Promise<void> {
    const { path, config, propertyGraph } = this.#options;
    const { load = () => import("@duckdb/node-api") } = this.#options;
    const driver = await loadDriver("DuckDB", "@duckdb/node-api", load);
    const instance = this.#options.instance ?? (await openInstance(driver, path, config));
    const opened: Opened = { instance, writer: await instance.connect(), idle: [] };
    this.#opened = opened;
    const run = (sql: string) => opened.writer.run(sql);
    try {
      // An extension cannot be loaded any more once the settings hold.
      const why = propertyGraph && (await loadExtension(run, propertyGraph.load));
      // Settings that the user chose, and a database that the user opened, stay as they are.
      for (const [name, value] of this.#options.instance === undefined ? SETTINGS : []) {
        if (config[name] === undefined) await opened.writer.run(`SET ${name} = '${value}'`);
      }
      await this.#openTables();
      this.propertyGraph =
        propertyGraph === undefined
          ? { declared: false, why: "It was not asked for." }
          : await declarePropertyGraph(run, propertyGraph.statement, why);
    } catch (thrown) {
      await this.close();
      throw thrown;
    }
  }

  async read<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    const { instance, idle } = this.#whileOpen();
    const connection = idle.pop() ?? (await instance.connect());
    let result: T;
    try {
      await connection.run("BEGIN TRANSACTION READ ONLY");
      result = await work(sessionOn(connection));
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
          const result = await work(sessionOn(writer));
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

  #openTables(): Promise<void> {
    const { schema } = this;
    return openTables(this, {
      place: this.#options.path,
      prepare: async (session) => {
        await session.query(`CREATE SCHEMA IF NOT EXISTS ${schema.quoted}`);
      },
      // An index would not find a node or an edge any sooner, and takes most of a load's time.
      statements: schema.creation(dialect, ["decision_scopes"]),
    });
  }

  #whileOpen(): Opened {
    if (this.#opened === undefined) throw new Error("The database is not open.");
    return this.#opened;
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const { path, instance } = this.#options;
    const file = path === ":memory:" || instance !== undefined ? this : path;
    const turn = (writers.get(file) ?? Promise.resolve()).then(act);
    const settled = Promise.allSettled([turn]);
    writers.set(file, settled);
    void settled.then(() => {
      if (writers.get(file) === settled) writers.delete(file);
    });
    return turn;
  }
}

/** Returns true if another writer was in the way, also where both were to make a scope's first row. */
function isConflict(thrown: unknown): boolean {
  const pattern = /conflict|(?:primary key|unique) constraint/i;
  return !isReckonerError(thrown) && pattern.test(messageOf(thrown));
}

function sessionOn(connection: DuckDBConnection): SqlSession {
  return {
    async query(text, parameters = []) {
      const reader = await connection.runAndReadAll(text, parameters.map(toDuckdb));
      return reader.getRowObjects();
    },
  };
}

/** Whole numbers as such: what is bound as a double would make doubles of what it is compared with. */
function toDuckdb(value: SqlValue): DuckDBValue {
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value;
}
