// The store of a host in Postgres obeys the laws of stores of hosts, on a server and in PGlite.
import pg from "pg";
import { virtualClock } from "reckoner";
import { postgresHostStore } from "reckoner/postgres";
import { type Host, type HostRunsOptions, host } from "reckoner/serve";
import { hostLaws, runHostLaws } from "reckoner/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HostWorld, hostRules } from "../../support/host-rules.js";
import {
  clients,
  dropAfterwards,
  freshSchema,
  server,
  sharedDatabases,
} from "../../support/postgres.js";
import { desk, deskModel } from "../../support/serve.js";
import { rejection } from "../../support/thrown.js";

const shared = sharedDatabases();

describe.each(clients)("the store of a host in Postgres, %s", (kind) => {
  const make = () => {
    const clock = virtualClock(1_000_000);
    const isServer = kind === "the server" && shared.postgres.kind === "server";
    const client = kind === "PGlite" ? shared.pglite : shared.postgres.client;
    const schema = freshSchema();
    dropAfterwards(client, schema);
    const processes = isServer ? "many" : "one";
    const store = postgresHostStore({ client, schema, clock, processes });
    const other = isServer ? postgresHostStore({ client, schema, clock }) : store;
    return { store, other, pass: (ms: number) => clock.advance(ms) };
  };
  for (const law of hostLaws(make)) it(law.name, law.check);
});

it("a client whose connections share a session is refused", async () => {
  const schema = freshSchema();
  dropAfterwards(shared.pglite, schema);
  const store = postgresHostStore({ client: shared.pglite, schema });
  expect(await rejection(store.open())).toMatchObject({ code: "host.exclusion" });
  // As PGlite behind a socket: each connection is the same session.
  const query = (text: string, parameters?: unknown[]) => shared.pglite.query(text, parameters);
  const connect = async () => ({ query, release() {} });
  const pooled = { query, connect, totalCount: 2 };
  const shares = postgresHostStore({ client: pooled as never, schema });
  expect(await rejection(shares.open())).toMatchObject({
    code: "host.exclusion",
    message: expect.stringContaining("share a session"),
  });
});

it("hosts that begin at once each prove that they are kept apart", async (context) => {
  if (shared.postgres.kind !== "server") context.skip();
  const { client } = shared.postgres;
  const schema = freshSchema();
  dropAfterwards(client, schema);
  await postgresHostStore({ client, schema }).open();
  const pools = Array.from({ length: 4 }, () => new pg.Pool({ ...server, max: 2 }));
  for (let round = 0; round < 10; round++) {
    await Promise.all(pools.map((pool) => postgresHostStore({ client: pool, schema }).open()));
  }
  await Promise.all(pools.map((pool) => pool.end()));
});

/** Hosts on one schema of the server, in its own time; whoever waits for something asks again and again. */
function serverWorld(): HostWorld {
  const { client } = shared.postgres;
  const schema = freshSchema();
  dropAfterwards(client, schema);
  return {
    // Each has a pool of its own, as a process has.
    host(options: Partial<HostRunsOptions> = {}): Host {
      const pool = new pg.Pool({ ...server, max: 3 });
      onTestFinished(() => pool.end());
      const store = postgresHostStore({ client: pool, schema });
      const given = { reasoners: [desk], model: deskModel, store, pollMs: 100, leaseMs: 2_000 };
      const made = host({ ...given, ...options });
      onTestFinished(() => made.drain());
      return made;
    },
    at: async (awaited) => awaited,
    async until(holds) {
      while (!(await holds().catch(() => false)));
    },
  };
}

describe("hosts over a server", () => {
  for (const [rule, check] of Object.entries(hostRules)) {
    it(rule, async (context) => {
      if (shared.postgres.kind !== "server") context.skip();
      await check(serverWorld());
    });
  }
  let world: HostWorld;
  const make = () => {
    world = serverWorld();
    return world.host().run("r1");
  };
  for (const law of runHostLaws(make, (holds) => world.until(holds))) {
    it(law.name, async (context) => {
      if (shared.postgres.kind !== "server") context.skip();
      await law.check();
    });
  }
});
