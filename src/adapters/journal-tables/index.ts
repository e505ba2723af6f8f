/**
 * Exports journals, hosts' stores and the index of runs in SQL tables; the adapters of SQLite and Postgres build
 * on it. It knows no database.
 */

export { COLUMNS } from "./indexed-row.js";
export { type JournalStore, journalStore } from "./journal-store.js";
export type { ForgetOptions, KeptRun, Pruned, PruneOptions } from "./retention.js";
export type { ListedRun, ListOptions, RunFilter, RunPage } from "./run-index.js";
export type { Chain, SqlRow, SqlValue, Statement, TableDatabase } from "./table-database.js";
export { type HostTablesOptions, hostTables } from "./table-host-store.js";
