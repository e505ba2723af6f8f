// Journals in SQLite obey the laws of every journal.
import { describe, it } from "vitest";
import { sqliteJournals } from "../../../../src/adapters/sqlite/index.js";
import { journalLaws } from "../../../../src/testing/journal-laws.js";
import { databaseFile, openSqlite, SQLITES } from "../../../support/journal-databases.js";

describe.each(Object.keys(SQLITES))("a journal in %s", (kind) => {
  for (const law of journalLaws(() => sqliteJournals(openSqlite(kind)).journal("run"))) {
    it(`in memory: ${law.name}`, law.check);
  }
  const inFile = async () => sqliteJournals(openSqlite(kind, await databaseFile())).journal("run");
  for (const law of journalLaws(inFile)) it(`in a file: ${law.name}`, law.check);
});
