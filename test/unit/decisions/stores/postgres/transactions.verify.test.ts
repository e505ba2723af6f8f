// Transactions in Postgres: which of them are tried again and how often, what they wait for, and what
// rights they need.
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { Decisions } from "../../../../../src/decisions/stores/index.js";
import {
  type PostgresClient,
  postgresDecisions,
} from "../../../../../src/decisions/stores/postgres/index.js";
import {
  dropAfterwards,
  freshSchema,
  postgresStore,
  server,
  sharedDatabases,
} from "../../../../support/postgres.js";

const shared = sharedDatabases();

const goal = (id: string) => ({ id, type: "goal", label: id }) as const;

/** A client whose writes of a version are refused so often, and what it was asked. */
function refusing(times: number, refusal: object) {
  const asked: string[] = [];
  let left = times;
  const client: PostgresClient = {
    async query(text, parameters) {
      asked.push(text);
      if (left > 0 && /^UPDATE .*decision_scopes/.test(text)) {
        left -= 1;
        throw Object.assign(new Error("refused"), refusal);
      }
      return shared.pglite.query(text, parameters);
    },
  };
  return { client, tries: () => asked.filter((text) => /^UPDATE .*scopes/.test(text)).length };
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
  if (shared.postgres.kind !== "server") skip("this needs a server: PGlite has one connection");
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
    await shared.pglite.exec(
      [`CREATE ROLE ${role}`, ...rights.map((each) => `${each} TO ${role}`)].join(";"),
    );
    await shared.pglite.exec(`SET ROLE ${role}`);
    try {
      await work();
    } finally {
      await shared.pglite.exec("RESET ROLE");
    }
  }

  it("to the rows are enough, where somebody else has made the tables", async () => {
    const schema = freshSchema();
    const owner = new Decisions(postgresStore(shared.pglite, { schema }));
    await owner.addNode(goal("a"));
    const rows = "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA";
    const rights = [`GRANT USAGE ON SCHEMA "${schema}"`, `${rows} "${schema}"`];
    await withRights(rights, async () => {
      const decisions = new Decisions(postgresDecisions({ client: shared.pglite, schema }));
      await decisions.addNode(goal("b"));
      expect(await decisions.stats()).toMatchObject({ seq: 2, nodes: 2 });
    });
  });

  it("to a schema are enough to make the tables in it", async () => {
    const schema = freshSchema();
    dropAfterwards(shared.pglite, schema);
    await shared.pglite.exec(`CREATE SCHEMA "${schema}"`);
    await withRights([`GRANT USAGE, CREATE ON SCHEMA "${schema}"`], async () => {
      const decisions = new Decisions(postgresDecisions({ client: shared.pglite, schema }));
      await decisions.addNode(goal("a"));
      expect(await decisions.stats()).toMatchObject({ seq: 1, nodes: 1 });
    });
  });
});
