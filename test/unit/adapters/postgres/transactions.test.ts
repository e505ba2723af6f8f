// Transactions in Postgres: which of them are tried again and how often, what they wait for, and what
// rights they need.
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { PostgresDatabase } from "../../../../src/adapters/postgres/database.js";
import { type PostgresClient, postgresDecisions } from "../../../../src/adapters/postgres/index.js";
import { openPglite } from "../../../../src/adapters/postgres/pglite.js";
import { Schema } from "../../../../src/adapters/sql-decisions/schema.js";
import { ReckonerError } from "../../../../src/core/kernel/index.js";
import { Decisions } from "../../../../src/runtime/index.js";
import {
  dropAfterwards,
  freshSchema,
  postgresStore,
  server,
  type TestPostgres,
  testPostgres,
} from "../../../support/postgres.js";

let postgres: TestPostgres;
let pglite: PGlite;
beforeAll(async () => {
  postgres = await testPostgres();
  pglite = await PGlite.create();
});
afterAll(async () => {
  await postgres.close();
  await pglite.close();
});

const goal = (id: string) => ({ id, type: "goal", label: id }) as const;
const nothing = async () => {};

/** A client whose writes of a version are refused so often, and what it was asked. */
function refusing(times: number, refusal: object) {
  const asked: string[] = [];
  let left = times;
  const client: PostgresClient = {
    async query(text, parameters) {
      asked.push(text);
      if (left > 0 && /^UPDATE .*decision_versions/.test(text)) {
        left -= 1;
        throw Object.assign(new Error("refused"), refusal);
      }
      return pglite.query(text, parameters);
    },
  };
  return { client, tries: () => asked.filter((text) => /^UPDATE .*versions/.test(text)).length };
}

describe("a write that was refused", () => {
  it.each(["40001", "40P01"])("with %s is tried again, ten times in all", async (code) => {
    const often = refusing(9, { code });
    const decisions = new Decisions(postgresStore(often.client));
    await decisions.addNode(goal("a"));
    expect([often.tries(), await decisions.stats()]).toMatchObject([10, { seq: 1, nodes: 1 }]);

    const always = refusing(Number.POSITIVE_INFINITY, { code });
    const never = new Decisions(postgresStore(always.client));
    await expect(never.addNode(goal("a"))).rejects.toMatchObject({ code: "port.failed" });
    expect([always.tries(), await never.stats()]).toMatchObject([10, { seq: 0, nodes: 0 }]);
  });

  it.each([{ code: "23505" }, {}])("with %j fails at once", async (refusal) => {
    const { client, tries } = refusing(1, refusal);
    const decisions = new Decisions(postgresStore(client));
    await expect(decisions.addNode(goal("a"))).rejects.toMatchObject({ code: "port.failed" });
    expect([tries(), await decisions.stats()]).toMatchObject([1, { seq: 0, nodes: 0 }]);
  });
});

it("writers wait for each other, and none is refused for it", async ({ skip }) => {
  if (postgres.kind !== "server") skip("this needs a server: PGlite has one connection");
  const pool = new pg.Pool({ ...server, max: 6 });
  onTestFinished(() => pool.end());
  const ended: string[] = [];
  const client: PostgresClient = {
    query: (text, parameters) => pool.query(text, parameters),
    async connect() {
      const connection = await pool.connect();
      return {
        query(text: string, parameters?: unknown[]) {
          if (/^(?:COMMIT|ROLLBACK)/.test(text)) ended.push(text);
          return connection.query(text, parameters);
        },
        release: (destroy?: boolean) => connection.release(destroy),
      };
    },
  };
  const decisions = new Decisions(postgresStore(client));
  await decisions.addNode(goal("first"));
  ended.length = 0;
  await Promise.all(Array.from({ length: 24 }, (_, i) => decisions.addNode(goal(`n${i}`))));
  expect(ended).toEqual(Array.from({ length: 24 }, () => "COMMIT"));
  expect(await decisions.stats()).toMatchObject({ seq: 25, nodes: 25 });
});

describe("rights", () => {
  /** Does something as somebody with a few rights, over the one connection of PGlite. */
  async function withRights(rights: readonly string[], work: () => Promise<void>) {
    const role = freshSchema();
    await pglite.exec(
      [`CREATE ROLE ${role}`, ...rights.map((each) => `${each} TO ${role}`)].join(";"),
    );
    await pglite.exec(`SET ROLE ${role}`);
    try {
      await work();
    } finally {
      await pglite.exec("RESET ROLE");
    }
  }

  it("to the rows are enough, where somebody else has made the tables", async () => {
    const schema = freshSchema();
    const owner = new Decisions(postgresStore(pglite, { schema }));
    await owner.addNode(goal("a"));
    const rows = "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA";
    const rights = [`GRANT USAGE ON SCHEMA "${schema}"`, `${rows} "${schema}"`];
    await withRights(rights, async () => {
      const decisions = new Decisions(postgresDecisions({ client: pglite, schema }));
      await decisions.addNode(goal("b"));
      expect(await decisions.stats()).toMatchObject({ seq: 2, nodes: 2 });
    });
  });

  it("to a schema are enough to make the tables in it", async () => {
    const schema = freshSchema();
    dropAfterwards(pglite, schema);
    await pglite.exec(`CREATE SCHEMA "${schema}"`);
    await withRights([`GRANT USAGE, CREATE ON SCHEMA "${schema}"`], async () => {
      const decisions = new Decisions(postgresDecisions({ client: pglite, schema }));
      await decisions.addNode(goal("a"));
      expect(await decisions.stats()).toMatchObject({ seq: 1, nodes: 1 });
    });
  });
});

describe("a client", () => {
  it("that is a pool stays one, whatever it fails with later", async () => {
    const bare: string[] = [];
    let given = 0;
    const client = {
      async query(text: string) {
        bare.push(text);
        return { rows: [] };
      },
      async connect() {
        given += 1;
        if (given > 1) throw new Error("Client has already been connected.");
        return {
          query: (text: string, parameters?: unknown[]) =>
            pglite.query<Record<string, unknown>>(text, parameters),
          release() {},
        };
      },
    };
    const database = new PostgresDatabase({
      schema: new Schema(freshSchema()),
      client: async () => client,
      close: nothing,
      migrations: [],
    });
    await expect(database.open()).rejects.toThrow("already been connected");
    expect(bare).toEqual([]);
  });

  it.each([null, undefined, "connected", 7, {}, { release() {} }, { release: true, query() {} }])(
    "that gives %j for a connection is one itself, and may be a function",
    async (given) => {
      const client = Object.assign(() => {}, {
        query: (text: string, parameters?: unknown[]) =>
          pglite.query<Record<string, unknown>>(text, parameters),
        connect: async () => given,
      });
      const decisions = new Decisions(postgresStore(client));
      await decisions.addNode(goal("a"));
      expect(await decisions.stats()).toMatchObject({ seq: 1, nodes: 1 });
    },
  );

  it("that cannot connect is not asked past its pool, and is one as soon as it can", async () => {
    const bare: string[] = [];
    let refuses = true;
    const client = {
      async query(text: string) {
        bare.push(text);
        return { rows: [] };
      },
      async connect() {
        if (refuses) throw new Error("connect ETIMEDOUT");
        return {
          query: (text: string, parameters?: unknown[]) =>
            pglite.query<Record<string, unknown>>(text, parameters),
          release() {},
        };
      },
    };
    const schema = freshSchema();
    dropAfterwards(pglite, schema);
    const store = postgresDecisions({ client, schema });
    await expect(store.open()).rejects.toThrow("connect ETIMEDOUT");
    refuses = false;
    await new Decisions(store).addNode(goal("a"));
    expect(bare).toEqual([]);
  });

  it("is asked nothing before the database is open", async () => {
    const database = new PostgresDatabase({
      schema: new Schema(freshSchema()),
      client: async () => pglite,
      close: nothing,
    });
    await expect(database.read(nothing)).rejects.toThrow("The database is not open.");
    await expect(database.write(nothing)).rejects.toThrow("The database is not open.");
  });

  it("that is ours is closed with the store, and never one that was not opened", async () => {
    let closed = 0;
    const client = (fails: boolean) => ({
      query: (text: string, parameters?: unknown[]) => {
        if (fails) throw new Error("no");
        return pglite.query<Record<string, unknown>>(text, parameters);
      },
      async close() {
        closed += 1;
      },
    });
    const schema = freshSchema();
    dropAfterwards(pglite, schema);
    const store = (fails: boolean) =>
      postgresDecisions({
        folder: "here",
        schema,
        load: async () => ({ PGlite: { create: async () => client(fails) } }),
      });
    await store(false).close();
    expect(closed).toBe(0);
    const opened = store(false);
    await opened.open();
    await opened.close();
    expect(closed).toBe(1);
    const failing = store(true);
    await expect(failing.open()).rejects.toMatchObject({ code: "port.failed" });
    await failing.close();
    expect(closed).toBe(2);
    const known = new ReckonerError("store.config", "Not here.");
    await expect(openPglite("here", () => Promise.reject(known))).rejects.toBe(known);
  });
});
