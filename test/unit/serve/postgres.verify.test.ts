// The store of a host in Postgres obeys the laws of stores of hosts, on a server and in PGlite.
import pg from "pg";
import { virtualClock } from "reckoner";
import { postgresHostStore } from "reckoner/postgres";
import { hostLaws } from "reckoner/testing";
import { describe, expect, it } from "vitest";
import { dropAfterwards, freshSchema, server, sharedDatabases } from "../../support/postgres.js";
import { rejection } from "../../support/thrown.js";

const shared = sharedDatabases();

describe.each(["the server", "PGlite"])("the store of a host in Postgres, %s", (kind) => {
  const make = () => {
    const clock = virtualClock(1_000_000);
    const isServer = kind === "the server" && shared.postgres.kind === "server";
    const client = kind === "PGlite" ? shared.pglite : shared.postgres.client;
    const schema = freshSchema();
    dropAfterwards(client, schema);
    const processes = isServer ? "many" : "one";
    const store = postgresHostStore({ client, schema, clock, processes });
    return { store, pass: (ms: number) => clock.advance(ms) };
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
