// How a store reaches Postgres: over a pool, over one connection, and embedded in a folder; and what
// it does when a connection breaks, or somebody has no patience.
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { Decisions } from "../../../../../src/decisions/stores/index.js";
import { PostgresDatabase } from "../../../../../src/decisions/stores/postgres/database.js";
import {
  type PostgresClient,
  postgresDecisions,
} from "../../../../../src/decisions/stores/postgres/index.js";
import { Schema } from "../../../../../src/decisions/stores/sql/schema.js";
import { temporaryFolder } from "../../../../support/duckdb.js";
import { isLong } from "../../../../support/is-long.js";
import {
  dropAfterwards,
  freshSchema,
  postgresStore,
  server,
  sharedDatabases,
} from "../../../../support/postgres.js";

const shared = sharedDatabases();

const goal = (id: string) => ({ id, type: "goal", label: `goal ${id}` }) as const;
const many = Array.from({ length: 12 }, (_, i) => `n${i}`);
const noServer = "this needs a server: PGlite has one connection";

/** Writes and reads at the same time over one store. */
async function exercise(client: PostgresClient): Promise<void> {
  const decisions = new Decisions(postgresStore(client));
  const reads = many.map(() => decisions.descendants("n0"));
  await Promise.all([...many.map((id) => decisions.addNode(goal(id))), ...reads]);
  expect(await decisions.stats()).toMatchObject({ seq: many.length, nodes: many.length });
}

describe("a client", () => {
  it("may be a pool, whose connections all come back", async ({ skip }) => {
    if (shared.postgres.kind !== "server") skip(noServer);
    const pool = new pg.Pool({ ...server, max: 3 });
    onTestFinished(() => pool.end());
    await exercise(pool);
    expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0]);
  });

  it("may be one connection: transactions queue", async ({ skip }) => {
    if (shared.postgres.kind !== "server") skip(noServer);
    const client = new pg.Client(server);
    await client.connect();
    onTestFinished(() => client.end());
    await exercise(client);
  });

  it("may be one connection that is not connected yet", async ({ skip }) => {
    if (shared.postgres.kind !== "server") skip(noServer);
    const client = new pg.Client(server);
    onTestFinished(() => client.end());
    await exercise(client);
  });

  it("may be taken out of a pool", async ({ skip }) => {
    if (shared.postgres.kind !== "server") skip(noServer);
    const pool = new pg.Pool({ ...server, max: 2 });
    const client = await pool.connect();
    onTestFinished(async () => {
      client.release();
      await pool.end();
    });
    await exercise(client);
    await client.query("SELECT 1");
  });

  it("may be PGlite, and stays open when the store is closed", async () => {
    await exercise(shared.pglite);
    const store = postgresStore(shared.pglite);
    await store.open();
    await store.close();
    expect((await shared.pglite.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  });

  it("and a folder are one too many, and nothing is too few", () => {
    for (const [options, given] of [
      [{}, "neither a client nor a folder"],
      [{ client: shared.postgres.client, folder: "x" }, "a client and a folder"],
    ] as const) {
      // @ts-expect-error as the types say
      expect(() => postgresDecisions(options)).toThrow(
        expect.objectContaining({
          code: "store.config",
          place: "client",
          message: `A store in Postgres was given ${given}; give one of the two.`,
        }),
      );
    }
    expect(() => postgresDecisions({ client: shared.postgres.client, schema: 'x"; --' })).toThrow(
      expect.objectContaining({ code: "store.config", place: "schema" }),
    );
  });
});

describe("a folder", () => {
  // It opens PGlite in a folder twice, which takes half a minute.
  if (isLong) {
    it("holds an embedded Postgres, which is closed with the store", async () => {
      const folder = `${temporaryFolder()}/graph`;
      const first = postgresDecisions({ folder });
      expect(first.name).toBe("postgres/reckoner");
      await new Decisions(first).addNode(goal("a"));
      await expect(postgresDecisions({ folder }).open()).rejects.toMatchObject({
        code: "store.locked",
        place: folder,
      });
      await first.close();
      const again = postgresDecisions({ folder });
      onTestFinished(() => again.close());
      expect(await new Decisions(again).getNode("a")).toMatchObject(goal("a"));
    });
  }

  it("without PGlite says what to install", async () => {
    const load = () => Promise.reject(new Error("Cannot find package '@electric-sql/pglite'"));
    const store = postgresDecisions({ folder: "never", load });
    await expect(store.open()).rejects.toMatchObject({
      code: "store.driver",
      place: "@electric-sql/pglite",
      message:
        "PGlite cannot be loaded (Cannot find package '@electric-sql/pglite'); install it: npm install @electric-sql/pglite",
    });
    await store.close();
  });
});

describe("trouble", () => {
  it("in opening has a code, and what the client said", async () => {
    const query = () => Promise.reject(new Error("connect ECONNREFUSED"));
    await expect(postgresDecisions({ client: { query } }).open()).rejects.toMatchObject({
      code: "port.failed",
      message:
        "The store postgres/reckoner cannot be opened: connect ECONNREFUSED. Mend it and try again.",
    });
  });

  it("a server that does not answer is an error, never an empty list", async () => {
    const pool = new pg.Pool({ host: "127.0.0.1", port: 1, max: 1 });
    onTestFinished(() => pool.end());
    const decisions = new Decisions(postgresDecisions({ client: pool }));
    await expect(decisions.activeGoals()).rejects.toMatchObject({ code: "port.failed" });
    await expect(decisions.addNode(goal("a"))).rejects.toMatchObject({ code: "port.failed" });
  });

  it("a connection that breaks in a transaction is thrown away, and the next one works", async ({
    skip,
  }) => {
    if (shared.postgres.kind !== "server") skip(noServer);
    const pool = new pg.Pool({ ...server, max: 1 });
    pool.on("error", () => {});
    onTestFinished(() => pool.end());
    const schema = freshSchema();
    dropAfterwards(shared.postgres.client, schema);
    const decisions = new Decisions(postgresDecisions({ client: pool, schema }));
    await decisions.addNode(goal("a"));
    pool.once("acquire", (client) => {
      client.on("error", () => {});
      const { query } = client;
      client.query = ((...given: Parameters<typeof query>) => {
        client.query = query;
        void shared.postgres.client.query("SELECT pg_terminate_backend($1)", [
          (client as unknown as { processID: number }).processID,
        ]);
        return query.call(client, "SELECT pg_sleep(30)").then(() => query.apply(client, given));
      }) as unknown as typeof query;
    });
    await expect(decisions.addNode(goal("b"))).rejects.toMatchObject({ code: "port.failed" });
    await decisions.addNode(goal("b"));
    expect(await decisions.stats()).toMatchObject({ seq: 2, nodes: 2 });
  });

  it("a connection on which not even a rollback works goes back as broken", async () => {
    const released: unknown[] = [];
    let isBroken = false;
    const connection = {
      query: async (text: string, parameters?: unknown[]) => {
        if (isBroken) throw new Error("connection terminated");
        return shared.pglite.query<Record<string, unknown>>(text, parameters);
      },
      release: (destroy?: boolean) => released.push(destroy ?? false),
    };
    const pool = { query: connection.query, connect: async () => connection };
    const decisions = new Decisions(postgresStore(pool));
    await decisions.addNode(goal("a"));
    await expect(decisions.addNode(goal("a"))).rejects.toMatchObject({
      code: "decisions.duplicate",
    });
    expect(released.every((destroyed) => destroyed === false)).toBe(true);
    isBroken = true;
    await expect(decisions.stats()).rejects.toMatchObject({ code: "port.failed" });
    expect(released.at(-1)).toBe(true);
    isBroken = false;
    expect(await decisions.stats()).toMatchObject({ seq: 1 });
  });

  it("all statements of a read see one version", async ({ skip }) => {
    if (shared.postgres.kind !== "server") skip(noServer);
    const schema = freshSchema();
    const decisions = new Decisions(postgresStore(shared.postgres.client, { schema }));
    await decisions.addNode(goal("a"));
    const database = new PostgresDatabase({
      schema: new Schema(schema),
      client: async () => shared.postgres.client,
      close: async () => {},
    });
    await database.open();
    const count = `SELECT count(*)::integer AS count FROM ${database.schema.table("decision_nodes")}`;
    const counts = await database.read(async (session) => {
      const before = await session.query(count);
      await decisions.addNode(goal("b"));
      return [...before, ...(await session.query(count))].map((row) => row.count);
    });
    expect(counts).toEqual([1, 1]);
    expect(await decisions.stats()).toMatchObject({ nodes: 2 });
    const write = database.read((session) =>
      session.query(`DELETE FROM "${schema}".decision_nodes`),
    );
    await expect(write).rejects.toThrow(/read-only/);
  });

  it("a signal stops the wait for another writer, and nothing is written", async ({ skip }) => {
    if (shared.postgres.kind !== "server") skip(noServer);
    const schema = freshSchema();
    const pool = new pg.Pool({ ...server, max: 2 });
    onTestFinished(() => pool.end());
    const store = postgresStore(pool, { schema });
    const decisions = new Decisions(store);
    await decisions.addNode(goal("a"));
    const other = new pg.Client(server);
    await other.connect();
    onTestFinished(() => other.end());
    await other.query("BEGIN");
    await other.query(`SELECT * FROM "${schema}".decision_scopes FOR UPDATE`);

    const controller = new AbortController();
    const operation = { type: "addNode", at: 1, node: goal("b") };
    const written = store.write([operation], { signal: controller.signal, idempotencyKey: "k" });
    controller.abort(new Error("no patience"));
    await expect(written).rejects.toThrow("no patience");
    await other.query("COMMIT");
    await store.close();
    expect(await new Decisions(postgresDecisions({ client: pool, schema })).stats()).toMatchObject({
      seq: 1,
      nodes: 1,
    });
    expect(pool.totalCount - pool.idleCount).toBe(0);
  });

  it("what Postgres could not serialise is tried again", async () => {
    let refusals = 0;
    const client: PostgresClient = {
      query: async (text, parameters) => {
        if (/^UPDATE .*decision_scopes/.test(text) && refusals < 3) {
          refusals += 1;
          throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
        }
        return shared.pglite.query(text, parameters);
      },
    };
    const decisions = new Decisions(postgresStore(client));
    await decisions.addNode(goal("a"));
    expect([refusals, await decisions.stats()]).toMatchObject([3, { seq: 1, nodes: 1 }]);
  });
});
