/** The part of journals in databases that knows no database; the adapters build on it. */
export { type JournalStore, journalStore } from "./journal-store.js";
export type { Chain, SqlRow, SqlValue, Statement, TableDatabase } from "./table-database.js";
