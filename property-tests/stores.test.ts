// Stores in databases agree with the graph in memory: whatever is written and asked, refused transactions
// and hostile input among it. A run has a schema of its own, and goes through two stores in turn, so
// that what one has in memory follows what the other wrote.
import { PGlite } from "@electric-sql/pglite";
import fc from "fast-check";
import { afterAll, beforeAll, it } from "vitest";
import { storeAgrees } from "../src/decisions/laws/store-agrees.js";
import { type DuckdbStore, duckdbDecisions } from "../src/decisions/stores/duckdb/index.js";
import { type PostgresClient, postgresDecisions } from "../src/decisions/stores/postgres/index.js";
import type { StorePort } from "../src/runtime/index.js";
import { freshSchema, type TestPostgres, testPostgres } from "../test/support/postgres.js";
import { seeds, times } from "./setup.js";

let postgres: TestPostgres;
let pglite: PGlite;
/** What the last run left behind. */
let cleanUp = async () => {};

beforeAll(async () => {
  postgres = await testPostgres();
  pglite = await PGlite.create();
});

afterAll(async () => {
  await cleanUp();
  await postgres.close();
  await pglite.close();
});

/** Two stores that take turns, call by call. */
function inTurns(stores: readonly [StorePort, StorePort]): StorePort {
  let calls = 0;
  const next = () => stores[calls++ % 2] as StorePort;
  return {
    name: "two in turns",
    read: (query, call) => next().read(query, call),
    write: (operations, call) => next().write(operations, call),
  };
}

async function inDuckdb({ scoped }: { scoped: boolean }): Promise<StorePort> {
  await cleanUp();
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const open = (): DuckdbStore => duckdbDecisions({ instance, scoped, propertyGraph: false });
  const stores = [open(), open()] as const;
  cleanUp = async () => {
    for (const store of stores) await store.close();
    instance.closeSync();
  };
  return inTurns(stores);
}

const inPostgres =
  (client: () => PostgresClient) =>
  async ({ scoped }: { scoped: boolean }): Promise<StorePort> => {
    await cleanUp();
    const schema = freshSchema();
    cleanUp = async () => {
      await client().query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    };
    const open = () => postgresDecisions({ client: client(), schema, scoped });
    // Two stores on one connection would have to queue for each other.
    return client() === pglite ? open() : inTurns([open(), open()]);
  };

for (const seed of seeds) {
  for (const [of, runs, make] of [
    ["DuckDB", 30, inDuckdb],
    ["Postgres", 30, inPostgres(() => postgres.client)],
    ["PGlite", 10, inPostgres(() => pglite)],
  ] as const) {
    const { name, property } = storeAgrees(make);
    it(
      `${of}: ${name} (seed ${seed})`,
      () => fc.assert(property, { seed, numRuns: Math.ceil(runs * times) }),
      600_000,
    );
  }
}
