/** `postgresJournals`: journals in Postgres, over a client of the user's. */

import type * as shapes from "../../core/kernel/shapes.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import { checkAllOptions } from "../../runtime/for-adapters.js";
import { type JournalStore, journalStore } from "../journal-tables/index.js";
import type { PostgresClient } from "./client.js";
import { PostgresTables } from "./postgres-tables.js";

/** Options of journals in Postgres. */
export interface PostgresJournalsOptions {
  /**
   * A `Pool` of `pg`, or PGlite; a `Client` too, though one that lost its connection stays lost. It
   * stays the user's, and is not closed. Nobody else may use a single connection meanwhile.
   */
  readonly client: PostgresClient;
  /** The schema of the tables, made where it is missing. Default "reckoner". */
  readonly schema?: string | undefined;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

const OPTIONS: shapes.Shapes<PostgresJournalsOptions> = {
  // Some clients are functions that have a `query`.
  client: [
    (value) => typeof (value as Partial<PostgresClient> | null | undefined)?.query === "function",
    "a client, with query(text, parameters)",
  ],
  schema: [
    (value) => typeof value === "string" && NAME.test(value),
    "a name of 1 to 63 letters, digits and underscores that does not begin with a digit",
  ],
};

/**
 * Journals in the tables of a Postgres schema. Its pool is listened to: a connection that breaks
 * meanwhile ends no process.
 * @throws ReckonerError `option.invalid`; its journals throw `store.version` where the tables are a
 * later version's
 */
export function postgresJournals(options: PostgresJournalsOptions): JournalStore {
  const { client, schema } = checkPostgres("postgresJournals", options);
  return journalStore(new PostgresTables(client, schema));
}

/** @param more options that it takes besides @throws ReckonerError `option.invalid` */
export function checkPostgres(
  of: string,
  options: PostgresJournalsOptions,
  more: { readonly [name: string]: shapes.Shape } = {},
): { readonly client: PostgresClient; readonly schema: string } {
  checkAllOptions(of, options, { ...OPTIONS, ...more });
  const { client, schema = "reckoner" } = options;
  if (client !== undefined) return { client, schema };
  throw new ReckonerError("option.invalid", `${of} needs a client.`, { place: "client" });
}
