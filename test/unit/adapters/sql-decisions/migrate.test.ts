// Migrations over any database: nothing is written where nothing is due, so that whoever may only read
// and write rows can open it; what is due is done in order, each with its number.
import { expect, it } from "vitest";
import {
  createTables,
  type Migration,
  migrate,
} from "../../../../src/adapters/sql-decisions/migrate.js";
import { Schema } from "../../../../src/adapters/sql-decisions/schema.js";
import type { SqlSession } from "../../../../src/adapters/sql-decisions/session.js";
import { rejection } from "../../../support/thrown.js";

const schema = new Schema("main");
const migrations: readonly Migration[] = [["one a", "one b"], ["two"], ["three"]];

/** Brings a database up to date in which these versions are done, or no tables are; what it did. */
async function migrated(done: readonly (number | string)[] | undefined) {
  const log: string[] = [];
  const session = {
    async query(text: string, parameters: readonly unknown[] = []) {
      log.push(parameters.length === 0 ? text : `${text} ${JSON.stringify(parameters)}`);
      return text.startsWith("SELECT") ? (done ?? []).map((version) => ({ version })) : [];
    },
  } as unknown as SqlSession;
  const within =
    (what: string) =>
    async <T>(work: (session: SqlSession) => Promise<T>): Promise<T> => {
      log.push(what);
      return work(session);
    };
  await migrate(
    { read: within("read"), write: within("write") },
    {
      migrations,
      place: "here",
      schema,
      exists: async () => done !== undefined,
      prepare: async () => void log.push("prepare"),
    },
  );
  return log;
}
const versions = 'SELECT version FROM "main".decision_migrations';
const noted = (version: number) =>
  `INSERT INTO "main".decision_migrations (version) VALUES ($1) [${version}]`;

it("what is current is only read", async () => {
  expect(await migrated([1, 2, 3])).toEqual(["read", versions]);
  // As text, as some clients give 64 bits.
  expect(await migrated(["3", "1", "2"])).toEqual(["read", versions]);
});

it("where there are no tables everything is due, and they are not asked for versions", async () => {
  expect(await migrated(undefined)).toEqual([
    "read",
    "write",
    "prepare",
    versions,
    "one a",
    "one b",
    noted(1),
    "two",
    noted(2),
    "three",
    noted(3),
  ]);
});

it("what is missing is done, and nothing else", async () => {
  expect(await migrated([2])).toEqual([
    "read",
    versions,
    "write",
    "prepare",
    versions,
    "one a",
    "one b",
    noted(1),
    "three",
    noted(3),
  ]);
  expect((await migrated([])).slice(1, 4)).toEqual([versions, "write", "prepare"]);
});

it("a later program's tables are refused before anything is written", async () => {
  const refused = await rejection(migrated([1, 2, 3, 4]));
  expect(refused).toMatchObject({
    code: "store.version",
    place: "here",
    message: "The tables of here have version 4, and this program knows 3; use the newer program.",
  });
});

it("tables are made with their keys, unless writers keep those", () => {
  const types = { id: "I", text: "T", json: "J", integer: "N", bigint: "B", double: "D" };
  const [, , , revisions, versionsTable] = createTables(schema, types);
  expect(revisions).toBe(
    'CREATE TABLE "main".decision_revisions ("scope" I NOT NULL, "node_id" I NOT NULL, "seq" B NOT NULL)',
  );
  expect(versionsTable).toMatch(/"node_keys" B NOT NULL, PRIMARY KEY \(scope\)\)$/);
  expect(createTables(schema, types, ["decision_versions"])[4]).toMatch(
    /"node_keys" B NOT NULL\)$/,
  );
  expect(createTables(schema, types)[0]).toContain(
    '"confidence" D, "rationale" T, "metadata" J NOT',
  );
});
