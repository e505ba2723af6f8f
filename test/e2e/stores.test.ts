// Each store of decisions keeps what it was given, and once: two rules of each. All of them, and the laws, over pools,
// PGlite and files, are for `npm run verify`.
import { afterAll, beforeAll, describe, it } from "vitest";
import type { MakeStore } from "../../src/decisions/laws/store-law.js";
import { memoryDecisions } from "../../src/decisions/stores/index.js";
import { duckdbStore } from "../support/duckdb.js";
import { postgresStore, type TestPostgres, testPostgres } from "../support/postgres.js";
import { storeRules } from "../support/store-rules/index.js";

const ESSENTIAL = [
  "every field of a node and an edge is read back",
  "the same key with the same operations has the first result and no second effect",
];

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await testPostgres();
});
afterAll(() => postgres.close());

const stores: Record<string, MakeStore> = {
  memory: () => memoryDecisions(),
  DuckDB: duckdbStore,
  Postgres: (how) => postgresStore(postgres.client, how),
};

describe.each(Object.entries(stores))("decisions in %s", (_name, make) => {
  for (const name of ESSENTIAL) {
    it(
      name,
      () =>
        storeRules(make)
          .find((law) => law.name === name)
          ?.check() ?? Promise.reject(name),
    );
  }
});
