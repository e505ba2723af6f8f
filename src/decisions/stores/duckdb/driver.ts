/** Opens databases with the driver `@duckdb/node-api`, and shares those that are open in this process. */
import type * as driver from "@duckdb/node-api";
import { messageOf, ReckonerError } from "../../../core/kernel/values/index.js";

/** The package. */
export type DuckdbModule = typeof driver;

/**
 * Opens a database. A file that this process has open already is shared; memory never is.
 * @throws ReckonerError `store.locked` where another process holds the file
 */
export async function openInstance(
  { DuckDBInstance }: DuckdbModule,
  path: string,
  config: Readonly<Record<string, string>>,
): Promise<driver.DuckDBInstance> {
  try {
    return await DuckDBInstance.fromCache(path, { ...config });
  } catch (cause) {
    const message = messageOf(cause);
    if (!/could not set lock|being used by another process/i.test(message)) throw cause;
    const holder = /\(PID (\d+)\)/.exec(message)?.[1];
    throw new ReckonerError(
      "store.locked",
      `The database ${path} is held by another process${holder === undefined ? "" : ` (${holder})`}, and DuckDB lets one process write at a time; close it there, or use Postgres.`,
      { place: path, cause },
    );
  }
}
