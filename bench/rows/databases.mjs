// Durable records in databases against bare inserts of as many records of the same size, each with its
// own commit: 1 is bare. SQLite with a log that is synced at each commit, one run by itself and a hundred
// at once; Postgres at PGHOST or 127.0.0.1, where one answers, one run by itself.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Libsql from "libsql";
import pg from "pg";
import { againstBare } from "../durable.mjs";
import { figure, inTurns, ratios, seconds } from "../figure.mjs";
import { median } from "../numbers.mjs";
import { textIn, turns, warmUp } from "../turns.mjs";

const { sqliteJournals } = await import("../../dist/adapters/sqlite/index.js");
const { postgresJournals } = await import("../../dist/adapters/postgres/index.js");
const TABLE = "bench_bare (id {} PRIMARY KEY, text text NOT NULL)";

export async function measure({ rounds }) {
  await warmUp();
  return [...(await inSqlite(rounds)), ...(await inPostgres(rounds))];
}

async function inSqlite(rounds) {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-bench-"));
  const database = new Libsql(join(folder, "runs.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec(`CREATE TABLE ${TABLE.replace("{}", "integer")}`);
  const journals = sqliteJournals(database);
  let made = 0;
  const journal = () => journals.journal(`run-${made++}`);
  const insert = database.prepare("INSERT INTO bench_bare (text) VALUES (?) RETURNING id");
  const bare = async (records, bytes) => {
    const record = "x".repeat(Math.round(bytes));
    const took = await seconds(() => {
      for (let i = 0; i < records; i++) insert.all(record);
    });
    return records / took;
  };
  const records = "bare inserts in SQLite";
  const of = { id: "sqlite", before: "SQLite: ", records, journal, bare, aims: [0.6, 0.6] };
  try {
    return await againstBare(rounds, of);
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inPostgres(rounds) {
  const { PGHOST = "127.0.0.1", PGUSER = "root", PGDATABASE = "test" } = process.env;
  const pool = new pg.Pool({ host: PGHOST, user: PGUSER, database: PGDATABASE, max: 4 });
  pool.on("error", () => {});
  const schema = `reckoner_bench_${process.pid}`;
  try {
    await pool.query(`CREATE SCHEMA ${schema}`);
  } catch (thrown) {
    process.stderr.write(`No Postgres answers (${thrown.message}): its figures are left out.\n`);
    await pool.end();
    return [];
  }
  await pool.query(
    `CREATE TABLE ${schema}.${TABLE.replace("{}", "bigint GENERATED ALWAYS AS IDENTITY")}`,
  );
  const appends = [];
  let made = 0;
  const { journal } = postgresJournals({ client: pool, schema });
  /** A journal whose appends are timed. */
  const timed = () => {
    const port = journal(`run-${made++}`);
    const open = async (mode) => {
      const writer = await port.open(mode);
      const append = async (...given) => {
        appends.push(await seconds(() => writer.append(...given)));
      };
      return { append, close: () => writer.close() };
    };
    return { ...port, open };
  };
  const ours = async (size) => {
    appends.length = 0;
    const port = timed();
    await turns(size, port);
    return { middle: median(appends), each: (appends.length - 1) / size, port };
  };
  const bare = async (count, bytes) => {
    const took = [];
    const text = `INSERT INTO ${schema}.bench_bare (text) VALUES ($1) RETURNING id`;
    const record = "x".repeat(Math.round(bytes));
    for (let i = 0; i < count; i++) took.push(await seconds(() => pool.query(text, [record])));
    return median(took);
  };
  try {
    const { port, each } = await ours(300);
    const text = await textIn(port);
    const bytes = Buffer.byteLength(text) / (text.split("\n").length - 1);
    await bare(300, bytes);
    const [turn, bareTurn] = await inTurns(rounds, [
      async () => (await ours(200)).middle,
      () => bare(400, bytes),
    ]);
    return [
      figure(
        "postgres.bare",
        "a bare insert, Postgres, ms",
        bareTurn.map((s) => s * 1000),
      ),
      figure(
        "postgres.turn",
        "Postgres: a turn's transactions against as many bare inserts, p50",
        ratios(turn, bareTurn),
        { aim: { atMost: 1.5 }, kept: true },
      ),
      figure("postgres.transactions", "Postgres: transactions of a turn with a tool", [each], {
        aim: { atMost: 4 },
        kept: true,
      }),
    ];
  } finally {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
  }
}
