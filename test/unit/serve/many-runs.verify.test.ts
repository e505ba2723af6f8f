// 100 000 runs in a database (20 000 where not all is run): listed page by page, filtered and searched, each page with as many statements as one of
// ten runs, and in the order of an index.
import { virtualClock } from "reckoner";
import { postgresHostStore } from "reckoner/postgres";
import type { HostStore, ListOptions } from "reckoner/serve";
import { sqliteHostStore } from "reckoner/sqlite";
import { describe, expect, it } from "vitest";
import { isLong } from "../../support/is-long.js";
import { openSqlite } from "../../support/journal-databases.js";
import { dropAfterwards, freshSchema, sharedDatabases } from "../../support/postgres.js";

const RUNS = isLong ? 100_000 : 20_000;
const shared = sharedDatabases();
const ROW = JSON.stringify({
  ...{ runId: "r", reasoner: "talker", version: 1, status: "ready", startedAt: 1, lastAt: 1 },
  ...{ events: 1, approvals: [], timers: 0, children: [], usage: {} },
});
/** The columns of such a run, by its number `n`. */
const columns = (number: string) =>
  `'', 'r' || n, 1, 10, '', 1, n, '${ROW}', CASE n % 10 WHEN 0 THEN 'waiting' ELSE 'ready' END, 'talker', 'p' || (n % 100), CASE n % 1000 WHEN 7 THEN '${number}' ELSE '' END, 'order ' || n`;
const INTO =
  "(tenant, name, lines, bytes, token, row_lines, last_at, row, status, reasoner, person, tags, search)";
const TAG = "\nurgent\n";

interface Filled {
  readonly store: HostStore;
  /** Forgets what was asked before, and returns what is asked from here on. */
  asked(): readonly string[];
}

/** Finds the runs of each page, up to the last. */
async function idsOf(store: HostStore, options: ListOptions): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.list("", { ...options, limit: 1_000, after });
    ids.push(...page.runs.map(({ id }) => id));
    after = page.next;
    if (after === undefined) return ids;
  }
}

const newest = (wanted: (n: number) => boolean) =>
  Array.from({ length: RUNS }, (_, n) => RUNS - n)
    .filter(wanted)
    .map((n) => `r${n}`);

async function holds({ store, asked }: Filled): Promise<void> {
  expect(await idsOf(store, {})).toEqual(newest(() => true));
  expect(await idsOf(store, { status: "waiting" })).toEqual(newest((n) => n % 10 === 0));
  expect(await idsOf(store, { person: "p7" })).toEqual(newest((n) => n % 100 === 7));
  expect(await idsOf(store, { tag: "urgent" })).toEqual(newest((n) => n % 1000 === 7));
  expect(await idsOf(store, { search: "ORDER 9999" })).toEqual(
    newest((n) => String(n).startsWith("9999")),
  );
  expect((await store.list("acme", {})).runs).toEqual([]);
  const texts = asked();
  await store.list("", { status: ["waiting", "done"], search: "order", limit: 10 });
  expect(texts.filter((text) => text.startsWith("SELECT"))).toHaveLength(2);
}

describe(`${RUNS} runs`, () => {
  it("in SQLite", async () => {
    const database = openSqlite("libsql");
    let texts: string[] = [];
    const store = sqliteHostStore(
      {
        exec: (sql) => database.exec(sql),
        prepare(sql) {
          const prepared = database.prepare(sql);
          return {
            all(...given) {
              texts.push(sql);
              return prepared.all(...given);
            },
            run: (...given) => prepared.run(...given),
          };
        },
      },
      { clock: virtualClock(1) },
    );
    await store.open();
    database.exec(
      `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${RUNS}) INSERT INTO reckoner_journals ${INTO} SELECT ${columns(TAG)} FROM n`,
    );
    database.exec(
      "INSERT INTO reckoner_hosted (tenant, name, head) SELECT tenant, name, name FROM reckoner_journals",
    );
    await holds({
      store,
      asked() {
        texts = [];
        return texts;
      },
    });
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${texts.at(-1)}`);
    const steps = (plan.all("", "waiting", "done", "order") as { detail: string }[])
      .map(({ detail }) => detail)
      .join("\n");
    expect(steps).toContain("reckoner_runs_by_time");
    expect(steps).not.toContain("TEMP B-TREE");
  });

  it("in Postgres", async () => {
    const { client } = shared.postgres;
    const schema = freshSchema();
    dropAfterwards(client, schema);
    let texts: string[] = [];
    const counted = {
      async query(text: string, parameters?: unknown[]) {
        texts.push(text);
        return client.query(text, parameters);
      },
    };
    const store = postgresHostStore({ client: counted, schema, processes: "one" });
    await store.open();
    await client.query(
      `INSERT INTO "${schema}".journals ${INTO} SELECT ${columns(TAG)} FROM generate_series(1, ${RUNS}) AS n`,
    );
    await client.query(
      `INSERT INTO "${schema}".hosted (tenant, name, head) SELECT tenant, name, name FROM "${schema}".journals`,
    );
    await client.query(`ANALYZE "${schema}".journals`);
    await client.query(`ANALYZE "${schema}".hosted`);
    await holds({
      store,
      asked() {
        texts = [];
        return texts;
      },
    });
    const { rows } = await client.query(`EXPLAIN ${texts.at(-1)}`, [
      "",
      "waiting",
      "done",
      "order",
    ]);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toContain("reckoner_runs_by_time");
    expect(plan).not.toContain("Sort");
  });
});
