/**
 * `postgresDecisions`: a decision store in Postgres, over a client of the user's, or embedded in a
 * folder.
 */

import type { PostgresClient } from "../../../adapters/postgres/client.js";
import * as shapes from "../../../core/kernel/shapes.js";
import { ReckonerError } from "../../../core/kernel/values/index.js";
import { checkAllOptions } from "../../../runtime/for-adapters.js";
import {
  Schema,
  SqlDecisions,
  type SqlStore,
  type SqlStoreOptions,
  STORE_OPTIONS,
} from "../sql/index.js";
import { PostgresDatabase } from "./database.js";
import { type OwnedClient, openPglite, type PgliteModule } from "./pglite.js";

/** Options of a store in Postgres: with a client or with a folder. */
export type PostgresDecisionsOptions = SchemaOptions & (WithClient | InFolder);

interface SchemaOptions extends SqlStoreOptions {
  /** The schema of the tables, made where it is missing: one for each graph. Default "reckoner". */
  readonly schema?: string | undefined;
  /** Loads PGlite; for tests. */
  readonly load?: (() => Promise<PgliteModule>) | undefined;
}
interface WithClient {
  /**
   * A `Pool` or a `Client` of `pg`, PGlite, or whatever has such a `query`. It stays the user's, and
   * is not closed. Of a pool each transaction takes a connection of its own; on a single connection
   * they queue, and nobody else may use it meanwhile.
   */
  readonly client: PostgresClient;
  readonly folder?: undefined;
}
interface InFolder {
  /** A folder for PGlite, which is opened and closed with the store; `memory://` for none. */
  readonly folder: string;
  readonly client?: undefined;
}

const OPTIONS: shapes.Shapes<PostgresDecisionsOptions> = {
  ...STORE_OPTIONS,
  // Some clients are functions that have a `query`.
  client: [
    (value) =>
      (typeof value === "object" || typeof value === "function") &&
      value !== null &&
      "query" in value &&
      typeof value.query === "function",
    "a client, with query(text, parameters)",
  ],
  folder: [(value) => typeof value === "string" && value !== "", "the path of a folder"],
  schema: shapes.TEXT,
  load: shapes.FUNCTION,
};

/**
 * A store of decisions in Postgres.
 * @throws ReckonerError `option.invalid`; `store.config` where there is neither a client nor a folder, or both; and
 * from `open` on `store.driver`, `store.locked` where the folder is open already, `store.version`
 */
export function postgresDecisions(options: PostgresDecisionsOptions): SqlStore {
  checkAllOptions("postgresDecisions", options, OPTIONS);
  const { client, folder, schema = "reckoner", load } = options;
  if ((client === undefined) === (folder === undefined)) {
    throw new ReckonerError(
      "store.config",
      `A store in Postgres was given ${client === undefined ? "neither a client nor a folder" : "a client and a folder"}; give one of the two.`,
      { place: "client" },
    );
  }
  let owned: OwnedClient | undefined;
  const database = new PostgresDatabase({
    schema: new Schema(schema),
    client: async () => {
      if (client !== undefined) return client;
      owned = await openPglite(folder, load);
      return owned;
    },
    close: async () => owned?.close(),
  });
  return new SqlDecisions(database, `postgres/${schema}`, options);
}
