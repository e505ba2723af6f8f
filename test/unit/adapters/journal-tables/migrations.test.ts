// The versions of the tables: a database that each of them left is opened, migrated and gone on with; one
// of a later version is refused.
import { agent, run, scriptedModel } from "reckoner";
import { describe, expect, it } from "vitest";
import {
  MIGRATIONS,
  type Migrations,
  openTables,
} from "../../../../src/adapters/journal-tables/migrations.js";
import { sqliteJournals } from "../../../../src/adapters/sqlite/index.js";
import { sqliteHostStore } from "../../../../src/adapters/sqlite/sqlite-host-store.js";
import { SqliteTables } from "../../../../src/adapters/sqlite/sqlite-tables.js";
import { openSqlite } from "../../../support/journal-databases.js";
import { textIn } from "../../../support/journal-text.js";
import { leftBy, opensWhatWasLeft } from "../../../support/tables-left.js";
import { rejection } from "../../../support/thrown.js";

const versions = MIGRATIONS.map((_, n) => n + 1);
const FORMAT = "SELECT version FROM reckoner_journal_format";

it.each(versions)("version %i is opened, migrated and gone on with", async (version) => {
  const database = openSqlite("libsql");
  database.exec(leftBy("sqlite", version));
  await opensWhatWasLeft(sqliteJournals(database));
  expect(database.prepare(FORMAT).all()).toEqual([{ version: MIGRATIONS.length }]);
});

it("what was said before words had marks still waits, and is the sender's own", async () => {
  const database = openSqlite("libsql");
  database.exec(leftBy("sqlite", 3));
  database.exec("INSERT INTO reckoner_hosted (tenant, name, head) VALUES ('', 'r', 'r')");
  database.exec("INSERT INTO reckoner_mail (tenant, name, key, word) VALUES ('', 'r', 'k', '1')");
  const store = sqliteHostStore(database);
  await store.open();
  const place = { tenant: "", id: "r" };
  expect(await store.post(place, { key: "k", word: 1, mark: "a" }, false)).toEqual({
    type: "waits",
  });
});

it("version 4 called a conversation between turns otherwise: its row is made again", async () => {
  const database = openSqlite("libsql");
  const store = sqliteJournals(database);
  const model = scriptedModel(["Hello."]);
  const talker = agent({ name: "talker", conversation: true });
  await run(talker, { prompt: "Hi." }, { model, journal: store.journal("talk") });
  await store.list();
  database.exec(`UPDATE reckoner_journals SET status = 'resting' WHERE name = 'talk';
    UPDATE reckoner_journal_format SET version = 4`);
  const { runs } = await sqliteJournals(database).list({ status: "ready" });
  expect(runs).toMatchObject([{ id: "talk", status: "ready" }]);
});

it("a version that was released makes what it made then", () => {
  const made = MIGRATIONS.flatMap((step) => step(new SqliteTables(openSqlite("libsql"))));
  const left = leftBy("sqlite", MIGRATIONS.length);
  for (const statement of made) expect(left).toContain(statement);
});

it("a later version is refused, and left as it is", async () => {
  const database = openSqlite("libsql");
  database.exec(leftBy("sqlite", 1));
  database.exec("UPDATE reckoner_journal_format SET version = 99");
  const journal = sqliteJournals(database).journal("run");
  for (const refused of [journal.open("append"), textIn(journal), journal.notes?.list("head")]) {
    expect(await rejection(refused)).toMatchObject({
      code: "store.version",
      message: expect.stringContaining("tables of version 99, and this program knows 5"),
    });
  }
  expect(database.prepare(FORMAT).all()).toEqual([{ version: 99 }]);
});

describe("a migration", () => {
  const added: Migrations = [
    ...MIGRATIONS,
    ({ prefix }) => [`ALTER TABLE ${prefix}journals ADD COLUMN extra text`],
  ];

  it("goes from any version to the newest, once", async () => {
    const database = openSqlite("libsql");
    database.exec(leftBy("sqlite", 1));
    for (let times = 0; times < 2; times++) await openTables(new SqliteTables(database), added);
    expect(database.prepare(FORMAT).all()).toEqual([{ version: MIGRATIONS.length + 1 }]);
    expect(database.prepare("SELECT extra FROM reckoner_journals").all()).toEqual([
      { extra: null },
    ]);
  });

  it("that fails has changed nothing", async () => {
    const database = openSqlite("libsql");
    database.exec(leftBy("sqlite", 1));
    const broken = [...added, () => ["ALTER TABLE nowhere ADD COLUMN x text"]];
    await expect(openTables(new SqliteTables(database), broken)).rejects.toThrow("nowhere");
    expect(database.prepare(FORMAT).all()).toEqual([{ version: 1 }]);
    await opensWhatWasLeft(sqliteJournals(database));
  });
});
