/**
 * What decision stores in SQL databases have in common. The adapters build on it; it is not
 * exported to users.
 */
export { type BulkDialect, insertRows, updateRows } from "./bulk-rows.js";
export { createTables, type Migration, migrate } from "./migrate.js";
export { MIGRATIONS_TABLE, Schema } from "./schema.js";
export type {
  EdgeColumns,
  NodeColumns,
  SqlColumn,
  SqlDatabase,
  SqlRow,
  SqlSession,
  SqlValue,
} from "./session.js";
export { SqlDecisions, type SqlStore, type SqlStoreOptions, STORE_OPTIONS } from "./store.js";
export { type ColumnType, type TableName, tables } from "./tables.js";
