// A store in Postgres obeys the laws of every store of decisions: over a pool, and over PGlite.
import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { MakeStore } from "../../../../../src/decisions/laws/store-law.js";
import { storeLaws } from "../../../../../src/decisions/laws/store-laws.js";
import { postgresStore, type TestPostgres, testPostgres } from "../../../../support/postgres.js";
import { storeRules } from "../../../../support/store-rules/index.js";

describe("over a pool of pg, or what stands for it", () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await testPostgres();
  });
  afterAll(() => postgres.close());

  const make: MakeStore = (how) => postgresStore(postgres.client, how);
  for (const law of [...storeLaws(make), ...storeRules(make)]) it(law.name, law.check);
});

describe("over PGlite", () => {
  let pglite: PGlite;
  beforeAll(async () => {
    pglite = await PGlite.create();
  });
  afterAll(() => pglite.close());

  const make: MakeStore = (how) => postgresStore(pglite, how);
  for (const law of [...storeLaws(make), ...storeRules(make)]) it(law.name, law.check);
});
