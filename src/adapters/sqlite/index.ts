/** Journals in SQLite: `import { sqliteJournals } from "reckoner/sqlite"`. */
export type {
  JournalStore,
  ListedRun,
  ListOptions,
  RunFilter,
  RunPage,
} from "../journal-tables/index.js";
export type { SqliteDatabase, SqliteStatement } from "./sqlite-database.js";
export { sqliteJournals } from "./sqlite-journals.js";
