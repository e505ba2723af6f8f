/** Postgres as a database of decision graphs: its schema, its migrations, its transactions. */
import {
  createTables,
  MIGRATIONS_TABLE,
  type Migration,
  migrate,
  type Schema,
  type SqlDatabase,
  type SqlSession,
} from "../sql-decisions/index.js";
import { Connections, type PostgresClient } from "./client.js";
import { columnTypes, PostgresSession } from "./session.js";

/** What Postgres says where transactions got in each other's way: 40001 and 40P01. */
const CONFLICTS: ReadonlySet<unknown> = new Set(["40001", "40P01"]);

/** How often a transaction is tried that others got in the way of. */
const ATTEMPTS = 10;

/** The versions of the tables. One that was released never changes: what is new comes behind. */
export function postgresMigrations(schema: Schema): readonly Migration[] {
  return [
    [
      ...createTables(schema, columnTypes),
      // What an agent asks for before each request, in its order. Of all types it would cost a load
      // more than the rows.
      `CREATE INDEX ON ${schema.table("decision_nodes")} (scope, type, created_at, id) WHERE type IN ('goal', 'decision')`,
      `CREATE INDEX ON ${schema.table("decision_edges")} (scope, from_id)`,
      `CREATE INDEX ON ${schema.table("decision_edges")} (scope, to_id)`,
      `CREATE INDEX ON ${schema.table("decision_revisions")} (scope, node_id)`,
      // A key of a thousand characters is too long for an index.
      `CREATE UNIQUE INDEX ON ${schema.table("decision_changes")} (scope, md5(key))`,
      // The history of a large write is a long text, and the default packs it as slowly as all the
      // rest is written. Not every server knows this one.
      `DO $$ BEGIN EXECUTE 'ALTER TABLE ${schema.table("decision_changes")} ALTER COLUMN operations SET COMPRESSION lz4'; EXCEPTION WHEN OTHERS THEN NULL; END $$`,
    ],
  ];
}

/** How a database is reached. */
export interface PostgresDatabaseOptions {
  readonly schema: Schema;
  /** The client, when it is needed first. */
  readonly client: () => Promise<PostgresClient>;
  /** Closes what `client` has opened. */
  readonly close: () => Promise<void>;
  /** Default: those of this version of the program. */
  readonly migrations?: readonly Migration[];
}

/** See the banner. */
export class PostgresDatabase implements SqlDatabase {
  readonly #options: PostgresDatabaseOptions;
  readonly schema: Schema;
  #connections: Connections | undefined;

  constructor(options: PostgresDatabaseOptions) {
    this.#options = options;
    this.schema = options.schema;
  }

  async open(): Promise<void> {
    this.#connections ??= new Connections(await this.#options.client());
    const { schema } = this;
    const table = schema.table(MIGRATIONS_TABLE);
    await migrate(this, {
      migrations: this.#options.migrations ?? postgresMigrations(schema),
      place: `the schema ${schema.name}`,
      schema,
      exists: async (session) => {
        const [found] = await session.query("SELECT to_regclass($1) IS NOT NULL AS is_there", [
          table,
        ]);
        return found?.is_there === true;
      },
      prepare: async (session) => {
        // One migrates at a time; who comes second finds nothing to do.
        await session.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
          `reckoner/decisions/${schema.name}`,
        ]);
        const [found] = await session.query(
          "SELECT 1 AS one FROM pg_namespace WHERE nspname = $1",
          [schema.name],
        );
        if (found === undefined) await session.query(`CREATE SCHEMA ${schema.quoted}`);
        await session.query(
          `CREATE TABLE IF NOT EXISTS ${table} (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`,
        );
      },
    });
  }

  read<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.#transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work);
  }

  /** Each statement sees what was committed before it: behind the version row's lock, everything. */
  async write<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transaction("BEGIN ISOLATION LEVEL READ COMMITTED", work);
      } catch (thrown) {
        if (attempt === ATTEMPTS || !CONFLICTS.has(codeOf(thrown))) throw thrown;
      }
    }
  }

  async close(): Promise<void> {
    if (this.#connections !== undefined) await this.#options.close();
  }

  async #transaction<T>(begin: string, work: (session: SqlSession) => Promise<T>): Promise<T> {
    const connections = this.#connections;
    if (connections === undefined) throw new Error("The database is not open.");
    return connections.use(async (client, broken) => {
      try {
        await client.query(begin);
        const session = new PostgresSession(client, this.schema);
        const result = await work(session);
        await client.query("COMMIT");
        return result;
      } catch (thrown) {
        await client.query("ROLLBACK").catch(broken);
        throw thrown;
      }
    });
  }
}

function codeOf(thrown: unknown): unknown {
  return (thrown as { readonly code?: unknown } | null | undefined)?.code;
}
