/** `postgresHostStore`: the store of a host in Postgres, for many processes. */
import { ReckonerError } from "../../core/kernel/index.js";
import type { Clock } from "../../runtime/index.js";
import type { HostStore } from "../../serve/live.js";
import { hostTables } from "../journal-tables/index.js";
import type { PostgresClient } from "./client.js";
import { checkPostgres, type PostgresJournalsOptions } from "./postgres-journals.js";
import { PostgresTables } from "./postgres-tables.js";

/** Options of a host's store in Postgres. */
export interface PostgresHostOptions extends PostgresJournalsOptions {
  /**
   * `one`: no other process has a host on these tables, so that nothing has to be proved of the client (PGlite,
   * one connection). Default `many`: the client is a pool.
   */
  readonly processes?: "one" | "many" | undefined;
  /** Another clock than the database's, for tests. */
  readonly clock?: Pick<Clock, "now"> | undefined;
}

/**
 * The store of a host in the tables of a Postgres schema, beside the journals of `postgresJournals`.
 * @throws ReckonerError `option.invalid`
 */
export function postgresHostStore(options: PostgresHostOptions): HostStore {
  const { processes = "many", clock, ...rest } = options;
  const { client, schema } = checkPostgres("postgresHostStore", rest);
  return hostTables(new PostgresTables(client, schema), {
    clock,
    ...(processes === "one" ? {} : { prove: () => prove(client, schema) }),
  });
}

interface Taken extends PostgresClient {
  release(): void;
}

/** Has two sessions want one row: the second must not get it. @throws ReckonerError `host.exclusion` */
async function prove(client: PostgresClient, schema: string): Promise<void> {
  const [first, second] = [await takeOut(client), await takeOut(client)];
  const lock = `SELECT version FROM "${schema}".journal_format FOR UPDATE`;
  try {
    await first.query("BEGIN");
    await second.query("BEGIN");
    // Another host that proves it at this moment is waited for.
    await first.query(lock);
    const others = await second.query(`${lock} SKIP LOCKED`);
    if (others.rows.length === 0) return;
    throw notExcluded("two connections of the client get one lock: they share a session");
  } finally {
    await second.query("ROLLBACK").catch(() => {});
    await first.query("ROLLBACK").catch(() => {});
    first.release();
    second.release();
  }
}

async function takeOut(client: PostgresClient): Promise<Taken> {
  const { options } = client as { readonly options?: { readonly max?: number } };
  if (options?.max === 1) throw notExcluded("the pool has one connection");
  const taken = "totalCount" in client ? await client.connect?.() : undefined;
  if (typeof taken === "object" && taken !== null && "release" in taken) return taken as Taken;
  throw notExcluded("the client is one connection, and no pool");
}

function notExcluded(why: string): ReckonerError {
  return new ReckonerError(
    "host.exclusion",
    `Hosts of several processes are not kept apart: ${why}. Pass a pool of pg with two connections or more, or say processes: "one".`,
    { place: "client" },
  );
}
