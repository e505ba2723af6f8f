// Migrations in DuckDB: the statements that were released are pinned, each is carried out once, and
// what fails leaves nothing behind.
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it, onTestFinished } from "vitest";
import { DuckdbDatabase, duckdbMigrations } from "../../../../src/adapters/duckdb/database.js";
import type { Migration } from "../../../../src/adapters/sql-decisions/index.js";
import { Schema } from "../../../../src/adapters/sql-decisions/schema.js";
import { Decisions } from "../../../../src/runtime/index.js";
import { duckdbStore, temporaryFolder } from "../../../support/duckdb.js";

const main = new Schema("main");

function database(path: string, migrations?: readonly Migration[]): DuckdbDatabase {
  const opened = new DuckdbDatabase({
    path,
    schema: main,
    config: {},
    propertyGraph: undefined,
    ...(migrations !== undefined && { migrations }),
  });
  onTestFinished(() => opened.close());
  return opened;
}

it("the statements of each version never change", () => {
  expect(duckdbMigrations(main)).toMatchInlineSnapshot(`
    [
      [
        "CREATE TABLE "main".decision_nodes ("scope" VARCHAR NOT NULL, "id" VARCHAR NOT NULL, "key" INTEGER NOT NULL, "type" VARCHAR NOT NULL, "label" VARCHAR NOT NULL, "status" VARCHAR NOT NULL, "confidence" DOUBLE, "rationale" VARCHAR, "metadata" JSON NOT NULL, "created_at" BIGINT NOT NULL, "updated_at" BIGINT NOT NULL, "seq" BIGINT NOT NULL)",
        "CREATE TABLE "main".decision_edges ("scope" VARCHAR NOT NULL, "id" VARCHAR NOT NULL, "from_id" VARCHAR NOT NULL, "to_id" VARCHAR NOT NULL, "from_key" INTEGER NOT NULL, "to_key" INTEGER NOT NULL, "edge_type" VARCHAR NOT NULL, "metadata" JSON NOT NULL, "created_at" BIGINT NOT NULL)",
        "CREATE TABLE "main".decision_changes ("scope" VARCHAR NOT NULL, "seq" BIGINT NOT NULL, "at" BIGINT NOT NULL, "key" VARCHAR, "operations" JSON NOT NULL, "result" JSON NOT NULL)",
        "CREATE TABLE "main".decision_revisions ("scope" VARCHAR NOT NULL, "node_id" VARCHAR NOT NULL, "seq" BIGINT NOT NULL)",
        "CREATE TABLE "main".decision_versions ("scope" VARCHAR NOT NULL, "seq" BIGINT NOT NULL, "at" BIGINT NOT NULL, "nodes" BIGINT NOT NULL, "edges" BIGINT NOT NULL, "node_keys" BIGINT NOT NULL, PRIMARY KEY (scope))",
      ],
    ]
  `);
});

it("opening twice and side by side makes the tables once", async () => {
  const path = `${temporaryFolder()}/graph.duckdb`;
  const stores = Array.from({ length: 6 }, () => duckdbStore({ path }));
  await Promise.all(stores.map((store) => store.open()));
  await Promise.all(
    stores.map((store, i) =>
      new Decisions(store).addNode({ id: `n${i}`, type: "goal", label: "x" }),
    ),
  );
  for (const store of stores) await store.close();
  const again = duckdbStore({ path });
  expect(await new Decisions(again).stats()).toMatchObject({ seq: 6, nodes: 6 });
  await again.close();

  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll("SELECT version FROM decision_migrations");
  expect(reader.getRows()).toEqual([[1]]);
  connection.closeSync();
  instance.closeSync();
});

it("a later version is carried out once, behind those that were", async () => {
  const path = `${temporaryFolder()}/graph.duckdb`;
  const first = duckdbStore({ path });
  await new Decisions(first).addNode({ id: "a", type: "goal", label: "A" });
  await first.close();

  const later = [...duckdbMigrations(main), ["CREATE TABLE later (a INTEGER)"]];
  for (let i = 0; i < 2; i++) {
    const opened = database(path, later);
    await opened.open();
    const rows = await opened.read((session) =>
      session.query("SELECT version FROM decision_migrations ORDER BY version"),
    );
    expect(rows.map((row) => row.version)).toEqual([1, 2]);
    await opened.close();
  }
  // A program that does not know that version keeps its hands off.
  await expect(duckdbStore({ path }).open()).rejects.toMatchObject({
    code: "store.version",
    message: `The tables of ${path} have version 2, and this program knows 1; use the newer program.`,
  });
});

it("one that fails leaves the tables as they were", async () => {
  const path = `${temporaryFolder()}/graph.duckdb`;
  const broken = [...duckdbMigrations(main), ["CREATE TABLE later (a INTEGER)", "NONSENSE"]];
  await expect(database(path, broken).open()).rejects.toThrow(/NONSENSE/);
  const opened = database(path);
  await opened.open();
  await expect(opened.read((session) => session.query("SELECT * FROM later"))).rejects.toThrow(
    /later does not exist/,
  );
});
