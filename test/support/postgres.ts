// Postgres for tests: the server of this machine where one answers, PGlite where none does. Each
// store has a schema of its own, which is dropped when the test is over.
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import {
  type PostgresClient,
  type PostgresDecisionsOptions,
  postgresDecisions,
  type SqlStore,
} from "../../src/decisions/stores/postgres/index.js";
import { isLong } from "./is-long.js";

/** The databases that take the longer rules: PGlite obeys the laws in `verify`, and these in `--long`. */
export const clients: readonly string[] = isLong ? ["the server", "PGlite"] : ["the server"];

/** How the server is reached; PGHOST and its like say otherwise. */
export const server = {
  host: process.env.PGHOST ?? "127.0.0.1",
  port: Number(process.env.PGPORT ?? 5432),
  user: process.env.PGUSER ?? "root",
  database: process.env.PGDATABASE ?? "test",
};

export interface TestPostgres {
  readonly kind: "server" | "pglite";
  readonly client: PostgresClient;
  close(): Promise<void>;
}

/** The server, or PGlite in memory, which is said. */
export async function testPostgres(): Promise<TestPostgres> {
  const pool = new pg.Pool({ ...server, max: 8, connectionTimeoutMillis: 5000 });
  try {
    await pool.query("SELECT 1");
    return { kind: "server", client: pool, close: () => pool.end() };
  } catch (thrown) {
    await pool.end();
    const why = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
    console.warn(`No Postgres answers at ${server.host}:${server.port} (${why}): using PGlite.`);
    const pglite = await PGlite.create();
    return { kind: "pglite", client: pglite, close: () => pglite.close() };
  }
}

/** What the tests of one file share: the server (or what stands for it), and PGlite. */
export function sharedDatabases(): { readonly postgres: TestPostgres; readonly pglite: PGlite } {
  const shared = {} as { postgres: TestPostgres; pglite: PGlite };
  beforeAll(async () => {
    shared.postgres = await testPostgres();
    shared.pglite = await PGlite.create();
  });
  afterAll(async () => {
    await shared.postgres.close();
    await shared.pglite.close();
  });
  return shared;
}

let schemas = 0;

/** A name that no other test uses, of this process nor of another. */
export function freshSchema(): string {
  schemas += 1;
  return `reckoner_test_${process.pid}_${Date.now().toString(36)}_${schemas}`;
}

/**
 * Drops a schema when the test is over. A process that was killed a moment ago leaves the server at work on its last
 * transaction, with which the drop can stand in a deadlock: the server ends one of the two, and where it is the drop,
 * the drop is made again.
 */
export function dropAfterwards(client: PostgresClient, schema: string): void {
  onTestFinished(() => drop(client, schema, 5));
}

async function drop(client: PostgresClient, schema: string, tries: number): Promise<void> {
  try {
    await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  } catch (thrown) {
    const isDeadlock = (thrown as { readonly code?: unknown } | null)?.code === "40P01";
    if (!isDeadlock || tries === 1) throw thrown;
    await drop(client, schema, tries - 1);
  }
}

/** A store in a schema of its own. */
export function postgresStore(
  client: PostgresClient,
  options: Omit<PostgresDecisionsOptions, "client" | "folder"> = {},
): SqlStore {
  const schema = options.schema ?? freshSchema();
  dropAfterwards(client, schema);
  return postgresDecisions({ client, ...options, schema });
}
