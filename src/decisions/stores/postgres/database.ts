/** Postgres as a database of decision graphs: its tables and its transactions. */

import { Connections, codeOf, type PostgresClient } from "../../../adapters/postgres/client.js";
import {
  type Dialect,
  openTables,
  type Schema,
  type SqlDatabase,
  type SqlSession,
} from "../sql/index.js";

/** The codes of transactions that got in each other's way: 40001 and 40P01. */
const CONFLICTS: ReadonlySet<unknown> = new Set(["40001", "40P01"]);

/** Attempts of a transaction that others get in the way of. */
const ATTEMPTS = 10;

/** Ids are compared by their bytes. */
const dialect: Dialect = {
  types: {
    id: 'text COLLATE "C"',
    text: "text",
    json: "json",
    bigint: "bigint",
    double: "double precision",
  },
  elements: "json_array_elements($1::json) AS given(r)",
};

/** The statements that create the tables, with the indexes that queries and writes use. */
function statementsFor(schema: Schema): readonly string[] {
  return [
    ...schema.creation(dialect),
    // Goals and decisions are asked for before requests. Of all types it would cost a load more than
    // the rows.
    `CREATE INDEX ON ${schema.table("decision_nodes")} (scope, type, created_at, key) WHERE type IN ('goal', 'decision')`,
    `CREATE INDEX ON ${schema.table("decision_edges")} (scope, from_id)`,
    `CREATE INDEX ON ${schema.table("decision_edges")} (scope, to_id)`,
    // A key of a thousand characters is too long for an index.
    `CREATE UNIQUE INDEX ON ${schema.table("decision_writes")} (scope, md5(key))`,
  ];
}

/** Options of a database. */
export interface PostgresDatabaseOptions {
  readonly schema: Schema;
  /** The client, when it is needed first. */
  readonly client: () => Promise<PostgresClient>;
  /** Closes what `client` has opened. */
  readonly close: () => Promise<void>;
}

/** See the banner. */
export class PostgresDatabase implements SqlDatabase {
  readonly #options: PostgresDatabaseOptions;
  readonly schema: Schema;
  readonly dialect: Dialect = dialect;
  #connections: Connections | undefined;

  constructor(options: PostgresDatabaseOptions) {
    this.#options = options;
    this.schema = options.schema;
  }

  async open(): Promise<void> {
    this.#connections ??= Connections.of(await this.#options.client());
    const { schema } = this;
    await openTables(this, {
      place: `the schema ${schema.name}`,
      prepare: async (session) => {
        // One creates at a time; who comes second finds nothing to do.
        await session.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
          `reckoner/decisions/${schema.name}`,
        ]);
        const [found] = await session.query(
          "SELECT 1 AS one FROM pg_namespace WHERE nspname = $1",
          [schema.name],
        );
        if (found === undefined) await session.query(`CREATE SCHEMA ${schema.quoted}`);
      },
      statements: statementsFor(schema),
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
    if (this.#connections === undefined) return;
    this.#connections.leave();
    await this.#options.close();
  }

  async #transaction<T>(begin: string, work: (session: SqlSession) => Promise<T>): Promise<T> {
    const connections = this.#connections;
    if (connections === undefined) throw new Error("The database is not open.");
    return connections.use(async (client, broken) => {
      try {
        await client.query(begin);
        const result = await work({
          query: async (text, parameters = []) => (await client.query(text, [...parameters])).rows,
        });
        await client.query("COMMIT");
        return result;
      } catch (thrown) {
        await client.query("ROLLBACK").catch(broken);
        throw thrown;
      }
    });
  }
}
