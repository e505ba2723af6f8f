/** Connects to the Postgres database that an address names, for journals and for decisions. */
import type { PostgresClient } from "../../adapters/postgres/index.js";
import { messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

/** A server that does not answer is given up after so many seconds, unless its address says otherwise. */
const CONNECT_SECONDS = 10;

/** A pool, and the schema that the address names. */
export interface OpenedPool {
  readonly client: PostgresClient & { end(): Promise<void> };
  readonly schema: string | undefined;
}

/**
 * Makes a pool of connections, and takes the schema out of the address.
 * @param how settings of `pg`
 * @throws ReckonerError `cli.usage`, `store.driver`
 */
export async function postgresPool(
  { env }: Pick<Io, "env">,
  address: string,
  how: { readonly max: number; readonly options?: string },
): Promise<OpenedPool> {
  const url = new URL(address);
  const schema = url.searchParams.get("schema") ?? undefined;
  url.searchParams.delete("schema");
  const seconds = url.searchParams.get("connect_timeout") ?? `${CONNECT_SECONDS}`;
  if (!/^[1-9]\d{0,3}$/.test(seconds)) {
    throw usageError(`connect_timeout=${seconds} is not a number of seconds from 1 on.`);
  }
  const { default: pg } = await import("pg").catch((cause: unknown): never => {
    const why = messageOf(cause).split("\n", 1)[0];
    const message = `pg cannot be loaded (${why}); install it: npm install pg`;
    throw new ReckonerError("store.driver", message, { place: "pg", cause });
  });
  const { PGPASSWORD: password } = env;
  const client = new pg.Pool({
    ...how,
    connectionString: url.href,
    connectionTimeoutMillis: Number(seconds) * 1_000,
    ...(password === undefined ? {} : { password }),
  });
  return { client, schema };
}
