/**
 * What stores of decisions in databases have in common. Adapters build on it; users see none of it.
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
