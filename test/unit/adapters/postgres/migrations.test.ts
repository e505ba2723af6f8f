// Migrations in Postgres: the statements that were released are pinned, and each is carried out once
// in a schema, however many open it at the same time.
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  PostgresDatabase,
  postgresMigrations,
} from "../../../../src/adapters/postgres/database.js";
import type { Migration } from "../../../../src/adapters/sql-decisions/index.js";
import { Schema } from "../../../../src/adapters/sql-decisions/schema.js";
import { Decisions } from "../../../../src/runtime/index.js";
import {
  dropAfterwards,
  freshSchema,
  postgresStore,
  type TestPostgres,
  testPostgres,
} from "../../../support/postgres.js";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await testPostgres();
});
afterAll(() => postgres.close());

const database = (schema: string, migrations: readonly Migration[]) =>
  new PostgresDatabase({
    schema: new Schema(schema),
    client: async () => postgres.client,
    close: async () => {},
    migrations,
  });

const versions = async (schema: string) =>
  (await postgres.client.query(`SELECT version FROM "${schema}".decision_migrations ORDER BY 1`))
    .rows;

it("the statements of each version never change", () => {
  expect(postgresMigrations(new Schema("reckoner"))).toMatchInlineSnapshot(`
    [
      [
        "CREATE TABLE "reckoner".decision_nodes ("scope" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "key" integer NOT NULL, "type" text NOT NULL, "label" text NOT NULL, "status" text NOT NULL, "confidence" double precision, "rationale" text, "metadata" json NOT NULL, "created_at" bigint NOT NULL, "updated_at" bigint NOT NULL, "seq" bigint NOT NULL, PRIMARY KEY (scope, id))",
        "CREATE TABLE "reckoner".decision_edges ("scope" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "from_id" text COLLATE "C" NOT NULL, "to_id" text COLLATE "C" NOT NULL, "from_key" integer NOT NULL, "to_key" integer NOT NULL, "edge_type" text NOT NULL, "metadata" json NOT NULL, "created_at" bigint NOT NULL, PRIMARY KEY (scope, id))",
        "CREATE TABLE "reckoner".decision_changes ("scope" text COLLATE "C" NOT NULL, "seq" bigint NOT NULL, "at" bigint NOT NULL, "key" text, "operations" json NOT NULL, "result" json NOT NULL, PRIMARY KEY (scope, seq))",
        "CREATE TABLE "reckoner".decision_revisions ("scope" text COLLATE "C" NOT NULL, "node_id" text COLLATE "C" NOT NULL, "seq" bigint NOT NULL)",
        "CREATE TABLE "reckoner".decision_versions ("scope" text COLLATE "C" NOT NULL, "seq" bigint NOT NULL, "at" bigint NOT NULL, "nodes" bigint NOT NULL, "edges" bigint NOT NULL, "node_keys" bigint NOT NULL, PRIMARY KEY (scope))",
        "CREATE INDEX ON "reckoner".decision_nodes (scope, type, created_at, id) WHERE type IN ('goal', 'decision')",
        "CREATE INDEX ON "reckoner".decision_edges (scope, from_id)",
        "CREATE INDEX ON "reckoner".decision_edges (scope, to_id)",
        "CREATE INDEX ON "reckoner".decision_revisions (scope, node_id)",
        "CREATE UNIQUE INDEX ON "reckoner".decision_changes (scope, md5(key))",
        "DO $$ BEGIN EXECUTE 'ALTER TABLE "reckoner".decision_changes ALTER COLUMN operations SET COMPRESSION lz4'; EXCEPTION WHEN OTHERS THEN NULL; END $$",
      ],
    ]
  `);
});

it("opening twice and side by side makes the tables once", async () => {
  const schema = freshSchema();
  const stores = Array.from({ length: 8 }, () => postgresStore(postgres.client, { schema }));
  await Promise.all(stores.map((store) => store.open()));
  await Promise.all(stores.map((store) => store.open()));
  expect(await versions(schema)).toEqual([{ version: 1 }]);
  await Promise.all(
    stores.map((store, i) =>
      new Decisions(store).addNode({ id: `n${i}`, type: "goal", label: "x" }),
    ),
  );
  expect(await new Decisions(postgresStore(postgres.client, { schema })).stats()).toMatchObject({
    seq: 8,
  });
});

it("a key may be as long as a key may be, has its row once, and is found by an index", async () => {
  const schema = freshSchema();
  const decisions = new Decisions(postgresStore(postgres.client, { schema }));
  // Of so many different characters that nothing packs it below what goes into an index.
  const idempotencyKey = Array.from({ length: 1000 }, (_, i) =>
    String.fromCharCode(0x4e00 + ((i * 7919 + i * i * 31) % 20_000)),
  ).join("");
  const write = () =>
    decisions.write([{ type: "addNode", at: 1, node: { id: "a", type: "goal", label: "A" } }], {
      idempotencyKey,
    });
  expect(await write()).toEqual(await write());
  const table = `"${schema}".decision_changes`;
  const [column, value] = [
    "scope, seq, at, key, operations, result",
    "scope, 2, at, key, '[]', '[]'",
  ];
  await expect(
    postgres.client.query(`INSERT INTO ${table} (${column}) SELECT ${value} FROM ${table}`),
  ).rejects.toThrow(/unique/);
  const { rows } = await postgres.client.query(
    `EXPLAIN SELECT seq FROM ${table} WHERE scope = '' AND md5(key) = md5('k') AND key = 'k'`,
  );
  expect(JSON.stringify(rows)).toContain("decision_changes_scope_md5_idx");
});

it("graphs in two schemas know nothing of each other", async () => {
  const [one, two] = [postgresStore(postgres.client), postgresStore(postgres.client)];
  await new Decisions(one).addNode({ id: "a", type: "goal", label: "in one" });
  expect(await new Decisions(two).stats()).toMatchObject({ seq: 0, nodes: 0 });
  await new Decisions(two).addNode({ id: "a", type: "goal", label: "in two" });
  expect(await new Decisions(one).getNode("a")).toMatchObject({ label: "in one" });
});

it("a later version is carried out once, and an earlier program keeps its hands off", async () => {
  const schema = freshSchema();
  dropAfterwards(postgres.client, schema);
  const first = postgresMigrations(new Schema(schema));
  await database(schema, first).open();
  const later = [...first, [`CREATE TABLE "${schema}".later (a integer)`]];
  await Promise.all([1, 2, 3].map(() => database(schema, later).open()));
  expect(await versions(schema)).toEqual([{ version: 1 }, { version: 2 }]);
  await expect(database(schema, first).open()).rejects.toMatchObject({
    code: "store.version",
    message: `The tables of the schema ${schema} have version 2, and this program knows 1; use the newer program.`,
  });
});

it("one that fails leaves the tables as they were", async () => {
  const schema = freshSchema();
  dropAfterwards(postgres.client, schema);
  const first = postgresMigrations(new Schema(schema));
  await database(schema, first).open();
  const broken = [...first, [`CREATE TABLE "${schema}".later (a integer)`, "NONSENSE"]];
  await expect(database(schema, broken).open()).rejects.toThrow(/NONSENSE/);
  await expect(postgres.client.query(`SELECT * FROM "${schema}".later`)).rejects.toThrow(/later/);
  await database(schema, first).open();
  expect(await versions(schema)).toEqual([{ version: 1 }]);
});

it("the tables are there for SQL: ids sort by bytes, metadata are JSON", async () => {
  const schema = freshSchema();
  const decisions = new Decisions(postgresStore(postgres.client, { schema }));
  for (const id of ["b", "A", "a", "_", "B", "9"]) {
    await decisions.addNode({ id, type: "goal", label: id, metadata: { z: { tags: [id] } } });
  }
  const { rows } = await postgres.client.query(
    `SELECT id, metadata #>> '{z,tags,0}' AS tag FROM "${schema}".decision_nodes ORDER BY id`,
  );
  expect(rows.map((row) => row.id)).toEqual(["9", "A", "B", "_", "a", "b"]);
  expect(rows.map((row) => row.tag)).toEqual(["9", "A", "B", "_", "a", "b"]);
});
