/** Opens PGlite, Postgres in this process, for a store in a folder. */
import { isReckonerError, messageOf, ReckonerError } from "../../core/kernel/index.js";
import type { PostgresClient } from "./client.js";

/** A client that is ours to close. */
export interface OwnedClient extends PostgresClient {
  close(): Promise<void>;
}

/** What is used of the package. */
export interface PgliteModule {
  readonly PGlite: { create(folder: string): Promise<OwnedClient> };
}

/**
 * Opens PGlite on a folder.
 * @throws ReckonerError `store.driver` where the package is not installed
 */
export async function openPglite(
  folder: string,
  load: () => Promise<PgliteModule> = () => import("@electric-sql/pglite"),
): Promise<OwnedClient> {
  const { PGlite } = await load().catch((cause: unknown) => {
    if (isReckonerError(cause)) throw cause;
    throw new ReckonerError(
      "store.driver",
      `PGlite cannot be loaded (${messageOf(cause).split("\n", 1)[0]}); install it: npm install @electric-sql/pglite`,
      { place: "@electric-sql/pglite", cause },
    );
  });
  return PGlite.create(folder);
}
