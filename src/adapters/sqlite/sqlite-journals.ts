/** `sqliteJournals`: journals in SQLite, over a database object of the user's. */
import { ReckonerError } from "../../core/kernel/index.js";
import { type JournalStore, journalStore } from "../journal-tables/index.js";
import type { SqliteDatabase } from "./sqlite-database.js";
import { SqliteTables } from "./sqlite-tables.js";

/**
 * Journals in the tables of a SQLite database. It stays the user's, and is not closed. Its connection
 * is set to sync each commit, and to wait five seconds for other processes if it would not wait.
 * @throws ReckonerError `option.invalid`; its journals throw `store.version` where the tables are a
 * later version's
 */
export function sqliteJournals(database: SqliteDatabase): JournalStore {
  const given = database as Partial<SqliteDatabase> | null | undefined;
  if (typeof given?.exec !== "function" || typeof given.prepare !== "function") {
    throw new ReckonerError(
      "option.invalid",
      "sqliteJournals needs a database of better-sqlite3, libsql or node:sqlite, with exec(sql) and prepare(sql).",
      { place: "database" },
    );
  }
  return journalStore(new SqliteTables(database));
}
