/**
 * The common part of decision stores in SQL databases. The adapters build on it; it is not exported
 * to users.
 */
export { loadDriver } from "./load-driver.js";
export { openTables } from "./open-tables.js";
export { type Dialect, Schema } from "./schema.js";
export type { SqlDatabase, SqlRow, SqlSession, SqlValue } from "./session.js";
export { SqlDecisions, type SqlStore, type SqlStoreOptions, STORE_OPTIONS } from "./store.js";
