/** The entry `reckoner/sqlite`: journals and the store of a host in SQLite. */
export type {
  ForgetOptions,
  JournalStore,
  KeptRun,
  ListedRun,
  ListOptions,
  Pruned,
  PruneOptions,
  RunFilter,
  RunPage,
} from "../journal-tables/index.js";
export type { SqliteDatabase, SqliteStatement } from "./sqlite-database.js";
export { type SqliteHostOptions, sqliteHostStore } from "./sqlite-host-store.js";
export { sqliteJournals } from "./sqlite-journals.js";
