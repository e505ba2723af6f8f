/** `sqliteJournals`: journals in SQLite, over a database object of the user's. */
import { type JournalStore, journalStore } from "../journal-tables/index.js";
import { checkSqlite, type SqliteDatabase } from "./sqlite-database.js";
import { SqliteTables } from "./sqlite-tables.js";

/**
 * Journals in the tables of a SQLite database. It stays the user's, and is not closed. Its connection
 * is set to sync each commit, and to wait five seconds for other processes if it would not wait.
 * @throws ReckonerError `option.invalid`; its journals throw `store.version` where the tables are a
 * later version's
 */
export function sqliteJournals(database: SqliteDatabase): JournalStore {
  checkSqlite("sqliteJournals", database);
  return journalStore(new SqliteTables(database));
}
