/**
 * Loads the driver `@duckdb/node-api`, which the user installs, and shares the databases that are
 * open in this process.
 */
import type * as driver from "@duckdb/node-api";
import { isReckonerError, messageOf, ReckonerError } from "../../../core/kernel/index.js";

/** The package. */
export type DuckdbModule = typeof driver;

/**
 * Loads the driver.
 * @throws ReckonerError `store.driver`, with the line that says what to install
 */
export async function loadDriver(
  load: () => Promise<DuckdbModule> = () => import("@duckdb/node-api"),
): Promise<DuckdbModule> {
  try {
    return await load();
  } catch (cause) {
    if (isReckonerError(cause)) throw cause;
    throw new ReckonerError(
      "store.driver",
      `DuckDB cannot be loaded (${messageOf(cause).split("\n", 1)[0]}); install it: npm install @duckdb/node-api`,
      { place: "@duckdb/node-api", cause },
    );
  }
}

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
