// Hosts of many runs: what a turn costs in Postgres beside as many bare inserts, and how many statements it is; SQLite
// beside bare inserts with the same sync; what 1 000 open runs weigh; how long runs of a killed process stand still;
// a page of 100 000 runs beside the bare query. Ratios are of one process and one hour: compare them, not times.
//
//   npm run bench:serve                             all; Postgres as PGHOST … say
//   npm run bench:serve -- --only sqlite,list       some of postgres, sqlite, open, kill, list
//   npm run bench:serve -- --turns 50 --runs 10000
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import Database from "libsql";
import pg from "pg";
import { ensureBuilt } from "../scripts/ensure-built.mjs";
import { countOf, flagsOf, namesOf } from "./flags.mjs";

const SCRIPT = import.meta.filename;
const ALL = ["postgres", "sqlite", "open", "kill", "list"];
const flags = flagsOf(SCRIPT, {
  only: { type: "string", default: ALL.join(",") },
  turns: { type: "string", default: "100" },
  runs: { type: "string", default: "100000" },
});
const only = namesOf(SCRIPT, "--only", flags.only, ALL);
const turns = countOf(SCRIPT, "--turns", flags.turns);
const listed = countOf(SCRIPT, "--runs", flags.runs);

await ensureBuilt();
const { agent, tool } = await import("../dist/index.js");
const { host, memoryHostStore } = await import("../dist/serve.js");
const { postgresHostStore } = await import("../dist/adapters/postgres/index.js");
const { sqliteHostStore, sqliteJournals } = await import("../dist/adapters/sqlite/index.js");

const { PGHOST = "127.0.0.1", PGPORT = "5432", PGUSER = "root", PGDATABASE = "test" } = process.env;
const server = { host: PGHOST, port: Number(PGPORT), user: PGUSER, database: PGDATABASE };
const schema = `reckoner_bench_${process.pid}`;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const MiB = 1024 * 1024;

const talker = agent({
  name: "talker",
  conversation: true,
  tools: [tool({ name: "look", execute: () => "seen" })],
});
/** Answers at once, and calls its tool first where the message says so. */
const model = {
  name: "quick",
  async generate({ messages }) {
    const last = messages.at(-1);
    const asks = last.role === "user" && last.content === "look";
    const call = {
      type: "tool-call",
      toolCallId: `c${messages.length}`,
      toolName: "look",
      input: {},
    };
    return {
      content: asks ? [call] : [{ type: "text", text: "Hello." }],
      finishReason: asks ? "tool-calls" : "stop",
      usage: { inputTokens: 1, outputTokens: 1 },
    };
  },
};
const turn = () => new Promise(setImmediate);
const untilReady = async (run) => {
  // A store in this process answers without a turn of the event loop: others need theirs.
  while ((await run.row()).status !== "ready") await turn();
};
const row = (what, value, aim, met) =>
  console.log(
    `${what.padEnd(74)} ${value.padStart(10)}  ${aim.padEnd(9)} ${met === undefined ? "" : met ? "met" : "missed"}`,
  );

const parts = {
  async postgres() {
    const pool = new pg.Pool({ ...server, max: 4 });
    const seen = [];
    const query = pg.Client.prototype.query;
    pg.Client.prototype.query = function (...given) {
      seen.push(String(given[0]?.text ?? given[0]));
      return query.apply(this, given);
    };
    const store = postgresHostStore({ client: pool, schema });
    let commits = [];
    const timed = new Proxy(store, {
      get(target, name) {
        const part = target[name];
        if (name !== "commit") return typeof part === "function" ? part.bind(target) : part;
        return async (...given) => {
          const [before, begun] = [seen.length, performance.now()];
          const done = await target.commit(...given);
          const isTurn = given[2].append !== undefined || given[2].release !== undefined;
          if (isTurn) commits.push({ ms: performance.now() - begun, trips: seen.length - before });
          return done;
        };
      },
    });
    const own = host({ reasoners: [talker], model, store: timed, pollMs: 50 });
    const run = own.run("r1");
    await run.start({ input: { prompt: "Hello." } });
    await untilReady(run);
    await pool.query(
      `CREATE TABLE "${schema}".bare (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)`,
    );
    for (const [said, aim] of [
      ["Hi.", 2],
      ["look", 4],
    ]) {
      const [counts, transactions, bare, statements] = [[], [], [], []];
      for (let n = 0; n < turns; n++) {
        commits = [];
        const before = seen.length;
        await run.message(said);
        await untilReady(run);
        statements.push(seen.length - before);
        counts.push(commits.length);
        transactions.push(commits.reduce((sum, { ms }) => sum + ms, 0));
        let ms = 0;
        for (let i = 0; i < commits.length; i++) {
          const begun = performance.now();
          await pool.query(`INSERT INTO "${schema}".bare (text) VALUES ($1) RETURNING n`, [
            "x".repeat(1_000),
          ]);
          ms += performance.now() - begun;
        }
        bare.push(ms);
      }
      const what = said === "Hi." ? "without a tool" : "with a tool";
      row(
        `postgres: transactions of a turn ${what}`,
        String(median(counts)),
        `<= ${aim}`,
        median(counts) <= aim,
      );
      const ratio = median(transactions) / median(bare);
      row(
        `postgres: their time beside as many bare inserts, p50`,
        ratio.toFixed(2),
        "<= 1.5",
        ratio <= 1.5,
      );
      row(
        `postgres: all statements of a turn, looks and reads of its journal among them`,
        String(median(statements)),
        "",
      );
    }
    await own.drain();
    pg.Client.prototype.query = query;
    await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
    await pool.end();
  },

  async sqlite() {
    const folder = mkdtempSync(join(tmpdir(), "reckoner-bench-"));
    const database = new Database(join(folder, "runs.db"));
    database.exec("PRAGMA journal_mode = WAL");
    const store = sqliteHostStore(database);
    let commits = 0;
    let released = new Set();
    const counted = new Proxy(store, {
      get(target, name) {
        const part = target[name];
        if (name !== "commit") return typeof part === "function" ? part.bind(target) : part;
        return async (...given) => {
          commits += 1;
          const done = await target.commit(...given);
          if (given[2].release !== undefined) released.add(given[1].place.id);
          return done;
        };
      },
    });
    const own = host({ reasoners: [talker], model, store: counted, pollMs: 50 });
    const runs = Array.from({ length: 100 }, (_, n) => own.run(`r${n}`));
    await Promise.all(runs.map((run) => run.start({ input: { prompt: "Hello." } })));
    // To ask for their rows would be most of the work.
    const untilReleased = async () => {
      while (released.size < runs.length) await turn();
      released = new Set();
    };
    await untilReleased();
    database.exec("CREATE TABLE bare (n integer PRIMARY KEY AUTOINCREMENT, text text NOT NULL)");
    const insert = database.prepare("INSERT INTO bare (text) VALUES (?) RETURNING n");
    const ratios = [];
    for (let round = 0; round < 5; round++) {
      commits = 0;
      let begun = performance.now();
      await Promise.all(runs.map((run) => run.message("Hi.")));
      await untilReleased();
      const perSecond = commits / (performance.now() - begun);
      begun = performance.now();
      for (let n = 0; n < commits; n++) {
        database.exec("BEGIN IMMEDIATE");
        insert.all("x".repeat(1_000));
        database.exec("COMMIT");
      }
      ratios.push(perSecond / (commits / (performance.now() - begun)));
    }
    row(
      "sqlite: commits a second of 100 runs that talk, beside bare inserts",
      median(ratios).toFixed(2),
      ">= 0.6",
      median(ratios) >= 0.6,
    );
    await own.drain();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  },

  async open() {
    const silent = {
      name: "silent",
      generate: (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason)),
        ),
    };
    const own = host({ reasoners: [talker], model: silent, store: memoryHostStore(), runs: 1_000 });
    await own.ready();
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const begun = Array.from({ length: 1_000 }, (_, n) =>
      own.run(`r${n}`).start({ input: { prompt: "Hello." } }),
    );
    await Promise.all(begun);
    globalThis.gc?.();
    const weight = (process.memoryUsage().rss - before) / MiB;
    row(
      "open: MiB of 1 000 runs at once in one process, their store in memory",
      weight.toFixed(0),
      "< 200",
      weight < 200,
    );
    await own.drain();
  },

  async kill() {
    const [leaseMs, pollMs] = [2_000, 100];
    const pool = new pg.Pool({ ...server, max: 4 });
    const store = postgresHostStore({ client: pool, schema });
    await store.open();
    const start = async () => {
      const task = JSON.stringify({ server, schema, leaseMs });
      const script = join(import.meta.dirname, "../test/support/serve-child.mjs");
      const child = spawn("node", [script, task], { stdio: ["pipe", "pipe", "inherit"] });
      await new Promise((resolve) =>
        createInterface({ input: child.stdout }).on(
          "line",
          (line) => line === "ready" && resolve(),
        ),
      );
      return child;
    };
    const first = await start();
    const count = 20;
    for (let n = 0; n < count; n++) {
      await store.post(
        { tenant: "", id: `k${n}` },
        { key: "start", mark: "", word: { type: "start", run: { input: { prompt: "500" } } } },
        true,
      );
    }
    const owned = async (sql) => Number((await pool.query(sql)).rows[0].n);
    while ((await owned(`SELECT count(*) AS n FROM "${schema}".journals WHERE lines > 1`)) < count);
    const {
      rows: [{ owner }],
    } = await pool.query(`SELECT owner FROM "${schema}".hosted WHERE owner <> '' LIMIT 1`);
    const second = await start();
    const {
      rows: [{ at }],
    } = await pool.query("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at");
    first.kill("SIGKILL");
    let last = at;
    for (let left = 1; left > 0; ) {
      const {
        rows: [now],
      } = await pool.query(
        `SELECT count(*) AS n, extract(epoch FROM clock_timestamp()) * 1000 AS at FROM "${schema}".hosted WHERE owner = $1`,
        [owner],
      );
      left = Number(now.n);
      last = now.at;
    }
    const ms = last - at;
    row(
      `kill: ms until ${count} runs of a killed process go on elsewhere`,
      ms.toFixed(0),
      `<= ${leaseMs + pollMs}`,
      ms <= leaseMs + pollMs,
    );
    second.kill("SIGKILL");
    await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
    await pool.end();
  },

  async list() {
    const database = new Database(":memory:");
    const store = sqliteHostStore(database);
    await store.open();
    const shown = {
      runId: "r",
      reasoner: "talker",
      version: 1,
      status: "ready",
      startedAt: 1,
      lastAt: 1,
      events: 1,
      approvals: [],
      timers: 0,
      children: [],
      usage: {},
    };
    database.exec(
      `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${listed}) INSERT INTO reckoner_journals (tenant, name, lines, bytes, token, row_lines, last_at, row, status, reasoner, person, search) SELECT '', 'r' || n, 1, 10, '', 1, n, '${JSON.stringify(shown)}', CASE n % 10 WHEN 0 THEN 'waiting' ELSE 'ready' END, 'talker', 'p' || (n % 100), 'order ' || n FROM n`,
    );
    database.exec(
      "INSERT INTO reckoner_hosted (tenant, name, head) SELECT tenant, name, name FROM reckoner_journals",
    );
    await sqliteJournals(database).list({ limit: 1 });
    const bare = {
      all: ["", []],
      "by status": ["AND status = 'waiting'", { status: "waiting" }],
      "by person": ["AND person = 'p7'", { person: "p7" }],
      "by words": ["AND instr(search, 'order 99') > 0", { search: "order 99" }],
    };
    for (const [name, [where, options]] of Object.entries(bare)) {
      const [pages, queries] = [[], []];
      for (let n = 0; n < 30; n++) {
        let begun = performance.now();
        await store.list("", { ...options, limit: 100 });
        pages.push(performance.now() - begun);
        begun = performance.now();
        const rows = database
          .prepare(
            `SELECT row FROM reckoner_journals WHERE tenant = '' ${where} ORDER BY last_at DESC, id DESC LIMIT 100`,
          )
          .all();
        for (const each of rows) JSON.parse(each.row);
        queries.push(performance.now() - begun);
      }
      const ratio = median(pages) / median(queries);
      row(
        `list: a page of ${listed} runs (${name}) beside the bare query, ${median(pages).toFixed(1)} ms`,
        ratio.toFixed(2),
        "<= 3",
        ratio <= 3,
      );
    }
    database.close();
  },
};

for (const name of only) await parts[name]();
