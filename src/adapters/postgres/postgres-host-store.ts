/** `postgresHostStore`: the store of a host in Postgres, for many processes. */

import * as shapes from "../../core/kernel/shapes.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import { NOW } from "../../runtime/for-adapters.js";
import type { Clock } from "../../runtime/index.js";
import type { HostStore } from "../../serve/for-stores.js";
import { hostTables } from "../journal-tables/index.js";
import type { PostgresClient } from "./client.js";
import { Hints } from "./hints.js";
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

const HOST: shapes.Shapes<Omit<PostgresHostOptions, keyof PostgresJournalsOptions>> = {
  processes: shapes.oneOf("one", "many"),
  clock: NOW,
};

/**
 * The store of a host in the tables of a Postgres schema, beside the journals of `postgresJournals`.
 * @throws ReckonerError `option.invalid`
 */
export function postgresHostStore(options: PostgresHostOptions): HostStore {
  const { client, schema } = checkPostgres("postgresHostStore", options, HOST);
  const { processes = "many", clock } = options;
  return hostTables(new PostgresTables(client, schema), {
    clock,
    ...(processes === "one"
      ? {}
      : { prove: () => proveInTurn(client, schema), notes: new Hints(client, schema) }),
  });
}

interface Taken extends PostgresClient {
  release(): void;
}

/** The last proof of each client. */
const proofs = new WeakMap<PostgresClient, Promise<unknown>>();

/** One proof at a time on one client: two that have a connection each of a pool of two would wait for ever. */
function proveInTurn(client: PostgresClient, schema: string): Promise<void> {
  const before = proofs.get(client) ?? Promise.resolve();
  const proof = before.then(() => prove(client, schema));
  proofs.set(
    client,
    proof.catch(() => {}),
  );
  return proof;
}

/** Milliseconds for which a proof waits for its second session, and about those until it is tried again. */
const SECOND_MS = 10_000;
const AGAIN_MS = 50;

/** Has two sessions want one row: the second must not get it. @throws ReckonerError `host.exclusion` */
async function prove(client: PostgresClient, schema: string): Promise<void> {
  const first = await takeOut(client);
  const second = await takeOut(client).catch((thrown: unknown) => {
    first.release();
    throw thrown;
  });
  const lock = `SELECT version FROM "${schema}".journal_format FOR UPDATE SKIP LOCKED`;
  try {
    while (!(await isProved(first, second, lock))) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS * (0.5 + Math.random())));
    }
  } finally {
    first.release();
    second.release();
  }
}

/**
 * A second session is waited for with the lock alone: behind a pooler with few of them, hosts that each had one and
 * waited for another would wait for ever.
 * @returns false where another host proves it at this moment
 * @throws ReckonerError `host.exclusion`
 */
async function isProved(first: Taken, second: Taken, lock: string): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await first.query("BEGIN");
  try {
    if ((await first.query(lock)).rows.length === 0) return false;
    const asked = second.query(lock);
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), SECOND_MS);
    });
    const others = await Promise.race([asked, late]);
    if (others === "late") {
      await first.query("ROLLBACK");
      await asked;
      throw notExcluded(`a second connection got no session for ${SECOND_MS} ms`);
    }
    if (others.rows.length === 0) return true;
    throw notExcluded("two connections of the client get one lock: they share a session");
  } finally {
    clearTimeout(timer);
    await first.query("ROLLBACK").catch(() => {});
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
