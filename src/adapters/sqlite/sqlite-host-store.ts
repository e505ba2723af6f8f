/** `sqliteHostStore`: the store of a host in SQLite, for one process. */
import type * as shapes from "../../core/kernel/shapes.js";
import { checkAllOptions, NOW } from "../../runtime/for-adapters.js";
import type { Clock } from "../../runtime/index.js";
import type { HostStore } from "../../serve/for-stores.js";
import { hostTables } from "../journal-tables/index.js";
import { checkSqlite, type SqliteDatabase } from "./sqlite-database.js";
import { SqliteTables } from "./sqlite-tables.js";

/** Options of a host's store in SQLite. */
export interface SqliteHostOptions {
  /** Another clock than the database's, for tests. */
  readonly clock?: Pick<Clock, "now"> | undefined;
}

const OPTIONS: shapes.Shapes<SqliteHostOptions> = { clock: NOW };

/**
 * The store of a host in the tables of a SQLite database, beside the journals of `sqliteJournals`. It is for the
 * hosts of one process.
 * @throws ReckonerError `option.invalid`
 */
export function sqliteHostStore(
  database: SqliteDatabase,
  options: SqliteHostOptions = {},
): HostStore {
  checkSqlite("sqliteHostStore", database);
  const { clock } = checkAllOptions("sqliteHostStore", options, OPTIONS);
  return hostTables(new SqliteTables(database), { clock });
}
