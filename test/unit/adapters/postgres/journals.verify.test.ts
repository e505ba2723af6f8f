// Journals in Postgres: the rules of databases, and connections that break.
import { createServer, connect as dial, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { MIGRATIONS } from "../../../../src/adapters/journal-tables/migrations.js";
import { type PostgresClient, postgresJournals } from "../../../../src/adapters/postgres/index.js";
import { Decisions } from "../../../../src/decisions/stores/index.js";
import { postgresDecisions } from "../../../../src/decisions/stores/postgres/index.js";
import { databaseRules, type EmptyDatabase } from "../../../support/database-rules.js";
import { indexRules } from "../../../support/index-rules.js";
import { databaseFile } from "../../../support/journal-databases.js";
import { textIn } from "../../../support/journal-text.js";
import {
  clients,
  dropAfterwards,
  freshSchema,
  server,
  sharedDatabases,
  testPostgres,
} from "../../../support/postgres.js";
import { retentionRules } from "../../../support/retention-rules.js";
import { leftBy, opensWhatWasLeft } from "../../../support/tables-left.js";
import { refusal, rejection } from "../../../support/thrown.js";

const START = { lines: 0, bytes: 0 };
const shared = sharedDatabases();
const probe = await testPostgres();
await probe.close();
const onServer = describe.skipIf(probe.kind !== "server");

describe.each(clients)("journals in Postgres, %s", (kind) => {
  function empty(): EmptyDatabase {
    const client = kind === "PGlite" ? shared.pglite : shared.postgres.client;
    const schema = freshSchema();
    dropAfterwards(client, schema);
    let appended = 0;
    const counted: PostgresClient = {
      query(text, parameters) {
        if (text.startsWith("WITH given")) appended += 1;
        return client.query(text, parameters);
      },
    };
    return {
      store: () => postgresJournals({ client: counted, schema }),
      count() {
        const before = appended;
        return () => appended - before;
      },
      path: databaseFile,
    };
  }
  for (const [rule, check] of Object.entries({
    ...databaseRules,
    ...indexRules,
    ...retentionRules,
  })) {
    it(rule, () => check(empty()));
  }
});

/** A journal on the server, through a pool of its own. */
function journalOf(options: pg.PoolConfig = {}) {
  const pool = new pg.Pool({ ...server, max: 4, ...options });
  onTestFinished(() => pool.end());
  const schema = freshSchema();
  dropAfterwards(shared.postgres.client, schema);
  const store = postgresJournals({ client: pool, schema });
  return { pool, schema, store, journal: store.journal("run") };
}

/** Resolves with the number of a backend that is in the middle of an append, when there is another one. */
async function appendingBackend(schema: string, before = 0): Promise<number> {
  for (;;) {
    const { rows } = await shared.postgres.client.query(
      "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'WITH given%' AND strpos(query, $1) > 0 AND pid <> $2",
      [schema, before],
    );
    if (rows[0] !== undefined) return Number(rows[0].pid);
  }
}

const terminate = (pid: number) =>
  shared.postgres.client.query("SELECT pg_terminate_backend($1)", [pid]);

/** Holds the rows of a schema's journals, so that appends wait. @returns lets them go */
async function held(schema: string): Promise<() => Promise<void>> {
  const client = new pg.Client(server);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("BEGIN");
  await client.query(`SELECT id FROM "${schema}".journals FOR UPDATE`);
  return async () => {
    await client.query("COMMIT");
  };
}

onServer("a connection that breaks", () => {
  it("in the middle of an append is replaced, and the lines are there once", async () => {
    const { schema, journal } = journalOf();
    const writer = await journal.open("create");
    const free = await held(schema);
    const appended = writer.append(["one"], START);
    const pid = await appendingBackend(schema);
    await terminate(pid);
    await appendingBackend(schema, pid);
    await free();
    await appended;
    await writer.append(["two"], { lines: 1, bytes: 4 });
    await writer.close();
    expect(await textIn(journal)).toBe("one\ntwo\n");
  });

  it("twice leaves it open whether the lines are there; nobody says that they are", async () => {
    const { schema, journal } = journalOf();
    const writer = await journal.open("create");
    const free = await held(schema);
    const appended = rejection(writer.append(["one"], START));
    const pid = await appendingBackend(schema);
    await terminate(pid);
    await terminate(await appendingBackend(schema, pid));
    expect(await appended).toMatchObject({
      code: "journal.write",
      message: expect.stringContaining("resume the run to learn whether these lines are in it"),
    });
    await free();
    await writer.append(["one"], START);
    await writer.close();
    expect(await textIn(journal)).toBe("one\n");
  });

  it("while it is idle ends no process, and the next append takes another", async () => {
    const { pool, store } = journalOf({ application_name: freshSchema() });
    const writer = await store.journal("run").open("create");
    await Promise.all([1, 2, 3].map(() => pool.query("SELECT pg_sleep(0)")));
    const left = pool.totalCount;
    const gone = new Promise<void>((resolve) => {
      let removed = 0;
      pool.on("remove", () => {
        removed += 1;
        if (removed === left) resolve();
      });
    });
    await shared.postgres.client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1",
      [pool.options.application_name],
    );
    await gone;
    await writer.append(["one"], START);
    await writer.close();
    expect(await textIn(store.journal("run"))).toBe("one\n");
  });
});

onServer("a pooler between that keeps no prepared statements", () => {
  it("is noticed, and appended through without", async () => {
    const { pool, store, journal } = journalOf({ max: 1 });
    const writer = await journal.open("create");
    await writer.append(["one"], START);
    await pool.query("DEALLOCATE ALL");
    await writer.append(["two"], { lines: 1, bytes: 4 });
    // Every session forgets, however often it is asked.
    await pool.query("DEALLOCATE ALL");
    await writer.append(["three"], { lines: 2, bytes: 8 });
    await writer.close();
    const { rows } = await pool.query("SELECT name FROM pg_prepared_statements");
    expect(rows).toEqual([]);
    expect(await textIn(store.journal("run"))).toBe("one\ntwo\nthree\n");
  });
});

onServer("a pool of clients that take a text and its parameters, and nothing else", () => {
  it("is written to and read through, however often", async () => {
    const { pool, schema } = journalOf();
    const plain = (client: PostgresClient): PostgresClient => ({
      query: (text, parameters) => client.query(text.trim(), parameters),
    });
    const client = {
      ...plain(pool as never),
      async connect() {
        const own = await pool.connect();
        return { ...own, ...plain(own as never), release: () => own.release() };
      },
    };
    const journal = postgresJournals({ client, schema }).journal("run");
    const writer = await journal.open("create");
    let end = START;
    for (const line of ["one", "two", "six"]) {
      await writer.append([line], end);
      end = { lines: end.lines + 1, bytes: end.bytes + 4 };
    }
    await writer.close();
    expect(await textIn(journal)).toBe("one\ntwo\nsix\n");
  });
});

onServer("tables that a later version changes", () => {
  it("are read on by sessions that have their statements prepared", async () => {
    const { pool, schema, journal } = journalOf({ max: 1 });
    const writer = await journal.open("create");
    await writer.append(["one"], START);
    await writer.close();
    for (let n = 0; n < 3; n++) expect(await textIn(journal)).toBe("one\n");
    const { rows } = await pool.query("SELECT name FROM pg_prepared_statements");
    expect(rows.length).toBeGreaterThan(0);
    await shared.postgres.client.query(
      `ALTER TABLE "${schema}".journals ALTER COLUMN bytes TYPE numeric`,
    );
    for (let n = 0; n < 3; n++) expect(await textIn(journal)).toBe("one\n");
  });
});

/** A server between: `cut` lets the next answer not come through, and closes the connection. */
async function proxy(): Promise<{ readonly port: number; cut(): void }> {
  let cutting = false;
  const sockets = new Set<Socket>();
  const between = createServer((client) => {
    const upstream = dial(server.port, server.host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on("data", (bytes) => {
      if (!cutting) client.write(bytes);
      else {
        cutting = false;
        client.destroy();
      }
    });
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    between.close();
  });
  const { port } = between.address() as { port: number };
  return {
    port,
    cut() {
      cutting = true;
    },
  };
}

onServer("an answer that is lost", () => {
  it("is no append that is lost, nor one that is done twice", async () => {
    const between = await proxy();
    const { store, journal } = journalOf({ port: between.port });
    const other = await store.journal("other").open("create");
    const writer = await journal.open("create");
    let end = START;
    for (let n = 0; n < 20; n++) {
      between.cut();
      const line = `line ${n}`;
      const both = [writer.append([line], end), other.append([line], end)];
      await Promise.all(both);
      end = { lines: end.lines + 1, bytes: end.bytes + line.length + 1 };
    }
    await Promise.all([writer.close(), other.close()]);
    const whole = Array.from({ length: 20 }, (_, n) => `line ${n}\n`).join("");
    expect(await textIn(journal)).toBe(whole);
    expect(await textIn(store.journal("other"))).toBe(whole);
  });
});

describe.each(clients)("tables on %s", (kind) => {
  it.each(MIGRATIONS.map((_, n) => n + 1))(
    "of version %i are opened and gone on with",
    async (n) => {
      const client = kind === "PGlite" ? shared.pglite : shared.postgres.client;
      const schema = freshSchema();
      dropAfterwards(client, schema);
      await client.query(`CREATE SCHEMA "${schema}"`);
      for (const statement of leftBy("postgres", n)
        .replaceAll('"reckoner"', `"${schema}"`)
        .split(";\n")) {
        if (statement !== "") await client.query(statement);
      }
      await opensWhatWasLeft(postgresJournals({ client, schema }));
      await client.query(`UPDATE "${schema}".journal_format SET version = 99`);
      const later = postgresJournals({ client, schema }).journal("run").open("append");
      expect(await rejection(later)).toMatchObject({ code: "store.version" });
    },
  );

  it("are made once, by however many at once", async () => {
    const client = kind === "PGlite" ? shared.pglite : shared.postgres.client;
    const schema = freshSchema();
    dropAfterwards(client, schema);
    const stores = Array.from({ length: 5 }, () => postgresJournals({ client, schema }));
    const opened = stores.map((store, n) => store.journal(`run ${n}`).open("create"));
    for (const writer of await Promise.all(opened)) await writer.close();
    const { rows } = await client.query(`SELECT version FROM "${schema}".journal_format`);
    expect(rows).toHaveLength(1);
  });
});

it("on a single connection that a store of decisions uses too, appends stay out of its transactions", async () => {
  const schema = freshSchema();
  dropAfterwards(shared.pglite, schema);
  const texts: string[] = [];
  let inTheMiddle: (() => void) | undefined;
  const client: PostgresClient = {
    async query(text, parameters) {
      if (text === "COMMIT" && inTheMiddle !== undefined) {
        inTheMiddle();
        inTheMiddle = undefined;
        for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
      }
      texts.push(text);
      return shared.pglite.query<Record<string, unknown>>(text, parameters);
    },
  };
  const decisions = new Decisions(postgresDecisions({ client, schema }));
  const writer = await postgresJournals({ client, schema }).journal("run").open("create");
  await decisions.addNode({ id: "first", type: "goal", label: "first" });
  texts.length = 0;
  let appended: unknown;
  inTheMiddle = () => {
    appended = writer.append(["line"], START);
  };
  await decisions.addNode({ id: "goal", type: "goal", label: "goal" });
  await appended;
  await writer.close();
  expect(texts.at(-1)).toMatch(/^WITH given/);
  expect(texts.at(-2)).toBe("COMMIT");
});

describe("the options", () => {
  const client = { query: async () => ({ rows: [] }) };
  it.each([
    [{}, "client"],
    [{ client: {} }, "client of postgresJournals"],
    [{ client, schema: 'a"; DROP' }, "schema of postgresJournals"],
    [{ client, schema: "" }, "schema of postgresJournals"],
    [{ client, schemas: "a" }, "schemas"],
  ])("%j are refused", (options, place) => {
    expect(refusal(() => postgresJournals(options as never))).toMatchObject({
      code: "option.invalid",
      place,
    });
  });

  it("of a server that is not there are refused when a journal is opened", async () => {
    const pool = new pg.Pool({ host: join(tmpdir(), "no-such-socket") });
    onTestFinished(() => pool.end());
    const { journal } = postgresJournals({ client: pool });
    expect(await rejection(journal("run").open("create"))).toMatchObject({ code: "journal.write" });
    // And again, since a server may be there later.
    expect(await rejection(journal("run").open("create"))).toMatchObject({ code: "journal.write" });
  });
});
