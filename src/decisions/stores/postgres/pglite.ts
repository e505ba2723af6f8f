/**
 * Opens PGlite, Postgres in this process, for a store in a folder. PGlite does not notice a second
 * process that opens the folder, and each would overwrite the other's writes: a lock beside the
 * folder refuses the second.
 */

import type { PostgresClient } from "../../../adapters/postgres/client.js";
import { isReckonerError, ReckonerError } from "../../../core/kernel/values/index.js";
import { loadDriver } from "../sql/index.js";

/** A client that is ours to close. */
export interface OwnedClient extends PostgresClient {
  close(): Promise<void>;
}

/** The part of the package that is used. */
export interface PgliteModule {
  readonly PGlite: { create(folder: string): Promise<OwnedClient> };
}

/**
 * Opens PGlite on a folder, and locks the folder until it is closed.
 * @throws ReckonerError `store.driver` where the package is not installed, `store.locked` where the
 * folder is open already
 */
export async function openPglite(
  folder: string,
  load: () => Promise<PgliteModule> = () => import("@electric-sql/pglite"),
): Promise<OwnedClient> {
  const { PGlite } = await loadDriver("PGlite", "@electric-sql/pglite", load);
  const unlock = await lockFolder(folder);
  let client: OwnedClient;
  try {
    client = await PGlite.create(folder);
  } catch (thrown) {
    await unlock();
    throw thrown;
  }
  return {
    query: (text, parameters) => client.query(text, parameters),
    close: () => client.close().finally(unlock),
  };
}

/**
 * Locks a folder, by whichever name it goes. `memory://` and its like are no folders.
 * @returns a function that releases the lock
 * @throws ReckonerError `store.locked`
 */
async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const scheme = /^(\w+):\/\//.exec(folder);
  if (scheme !== null && scheme[1] !== "file") return async () => undefined;
  const { realpath } = await import("node:fs/promises");
  const { resolve } = await import("node:path");
  const { takeLock } = await import("../../../adapters/file-journal/lock.js");
  const path = resolve(folder.slice(scheme?.[0].length ?? 0));
  const real = await realpath(path).catch(() => path);
  try {
    const lock = await takeLock(`${real}.lock`, folder);
    return () => lock.release();
  } catch (thrown) {
    if (!isReckonerError(thrown) || thrown.code !== "journal.locked") throw thrown;
    throw new ReckonerError("store.locked", thrown.message, { place: folder, cause: thrown });
  }
}
