// The same agent of 100 turns on each engine, with the same kills: milliseconds a turn (p50, p99), effects that were
// repeated, and the time until the next one after a kill. A turn is a model call that costs nothing and a tool that
// asks a server on this machine. And for Restate what a model, a tool, a model costs: its invocations and entries,
// beside the same ones bare.
//
//   npm run bench:engines                                    a table; Postgres as PGHOST … say
//   npm run -s bench:engines -- --json --turns 100 --kills 3 --engines file,sqlite,postgres,restate,durable-object
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "../scripts/ensure-built.mjs";
import { randomFrom } from "../scripts/random.mjs";
import { countOf, flagsOf, namesOf } from "./flags.mjs";

const SCRIPT = import.meta.filename;
const flags = flagsOf(SCRIPT, {
  json: { type: "boolean", default: false },
  turns: { type: "string", default: "100" },
  kills: { type: "string", default: "3" },
  engines: { type: "string", default: "file,sqlite,postgres,restate,durable-object" },
});
const turns = countOf(SCRIPT, "--turns", flags.turns);
const kills = countOf(SCRIPT, "--kills", flags.kills);
ensureBuilt();
// The SDK of Restate reads it once, and tells of each invocation otherwise.
process.env.RESTATE_LOGGING ??= "ERROR";
const { restateRuns } = await import("../dist/engines/restate/index.js");
const { RestateServer, freePorts } = await import("../test/engines/restate-server.mjs");
const { Workerd } = await import("../test/engines/workerd.mjs");
const { bareRestate } = await import("./engines/bare-restate.mjs");

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Counts executions, and notes when each began. */
async function outside() {
  const counted = new Map();
  const times = [];
  const server = createServer((request, response) => {
    times.push(performance.now());
    counted.set(request.url, (counted.get(request.url) ?? 0) + 1);
    response.end("found it");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${server.address().port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { counted, times, url, close };
}

function childOf(options) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "engines/child.mjs"), JSON.stringify(options)],
    {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env, RESTATE_LOGGING: "ERROR" },
    },
  );
  const said = new Promise((resolve) => child.once("message", resolve));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return { said, ended, kill };
}

/** An engine whose runs live in a process: another one goes on. */
const inProcess = (how) => async (world, folder) => {
  const schema = `reckoner_bench_${process.pid}`;
  const options = { how, outside: world.url, turns, place: join(folder, "run.jsonl"), schema };
  let child = childOf(options);
  return {
    kill: () => child.kill(),
    again() {
      child = childOf(options);
    },
    over: async () => (await child.ended) === 0,
    async end() {
      await child.kill();
      if (how !== "postgres") return;
      const { default: pg } = await import("pg");
      const { PGHOST = "127.0.0.1", PGUSER = "root", PGDATABASE = "test" } = process.env;
      const pool = new pg.Pool({ host: PGHOST, user: PGUSER, database: PGDATABASE });
      await pool.query(`drop schema if exists ${schema} cascade`);
      await pool.end();
    },
  };
};

const isOver = async (verbs) => {
  for (;;) {
    const { status } = await verbs.row();
    if (/done|failed|cancelled/.test(status)) return status === "done";
    await pause(20);
  }
};

const ENGINES = {
  file: inProcess("file"),
  sqlite: inProcess("sqlite"),
  postgres: inProcess("postgres"),
  async restate(world, folder) {
    const server = await RestateServer.start(folder);
    const [port] = await freePorts(1);
    const options = { how: "restate", outside: world.url, turns, place: port };
    let worker = childOf(options);
    await server.register(await worker.said);
    const verbs = restateRuns({ ingress: server.ingress }).run("run");
    await verbs.start({ input: "Look." });
    return {
      kill: () => worker.kill(),
      again() {
        worker = childOf(options);
      },
      over: () => isOver(verbs),
      async end() {
        await worker.kill();
        await server.kill();
      },
    };
  },
  async "durable-object"(world, folder) {
    const workerd = await Workerd.start(folder, { OUTSIDE: world.url, TURNS: turns });
    const verbs = () => workerd.runs.run("run");
    await verbs().start({ reasoner: "searching", input: "Look." });
    return {
      kill: () => workerd.kill(),
      async again() {
        await workerd.start();
        await verbs().row();
      },
      over: () => isOver(verbs()),
      end: () => workerd.stop(),
    };
  },
};

const names = namesOf(SCRIPT, "--engines", flags.engines, Object.keys(ENGINES));
const at = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const round = (ms) => (ms === undefined ? undefined : Math.round(ms * 10) / 10);

/** One run, killed so often. */
async function measure(name, kill) {
  const random = randomFrom(7);
  const folder = mkdtempSync(join(tmpdir(), "bench-engines-"));
  const world = await outside();
  const engine = await ENGINES[name](world, folder);
  const recoverMs = [];
  try {
    for (let n = 1; n <= kill; n++) {
      const until = Math.floor((turns * (n - 0.5)) / kill);
      while (world.times.length < until) await pause(1);
      await pause(random() * 10);
      await engine.kill();
      const before = world.times.length;
      const killed = performance.now();
      await engine.again();
      while (world.times.length === before) await pause(1);
      recoverMs.push(round(world.times[before] - killed));
    }
    if (!(await engine.over())) throw new Error(`${name}: the run did not end`);
    const repeated = [...world.counted.values()].filter((times) => times > 1).length;
    const between = world.times.slice(1).map((time, i) => time - world.times[i]);
    return { between: between.sort((a, b) => a - b), repeated, recoverMs };
  } finally {
    await engine.end();
    world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const rows = [];
for (const engine of names) {
  const { between } = await measure(engine, 0);
  const { repeated, recoverMs } = await measure(engine, kills);
  const row = {
    engine,
    p50: round(at(between, 0.5)),
    p99: round(at(between, 0.99)),
    repeated,
    recoverMs,
  };
  rows.push(row);
  if (!flags.json) console.error(JSON.stringify(row));
}
const bare = names.includes("restate") ? await bareRestate() : undefined;
if (flags.json) console.log(JSON.stringify({ turns, kills, rows, ...(bare && { bare }) }, null, 2));
else {
  console.table(
    rows.map(({ recoverMs, ...row }) => ({ ...row, "recovered after ms": recoverMs.join(", ") })),
  );
  if (bare !== undefined) console.log("Restate, for a model, a tool, a model:", bare);
}
