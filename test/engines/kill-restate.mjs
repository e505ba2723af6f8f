// Kills a Restate server and its two workers, at random, while runs go on; puts newer code under those that wait;
// and counts outside how often each tool was executed.
//
//   node test/engines/kill-restate.mjs --runs 40 --kills 12 --seed 7
//   node test/engines/kill-restate.mjs --runs 1000 --kills 0 --turns 0     a deploy under a thousand runs that wait
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect, createServer as createTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { restateRuns } from "reckoner/restate";
import { randomFrom } from "../../scripts/random.mjs";
import { RestateServer } from "./restate-server.mjs";
import { until } from "./until.mjs";

const UNDER_WAY = "select id from sys_invocation where status not in ('completed', 'scheduled')";

/** A moment at random: of a kill, or of an answer of the world outside. */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Counts executions by what they are of. */
async function outside(random) {
  const counted = new Map();
  const server = createServer((request, response) => {
    counted.set(request.url, (counted.get(request.url) ?? 0) + 1);
    void pause(random() * 80).then(() => response.end("done"));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { counted, url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Workers of one version behind one address: a connection goes to one that lives. */
class Workers {
  #options;
  #children = [];
  #sockets = new Set();
  #next = 0;
  #tcp = createTcp((socket) => this.#connect(socket));
  url = "";

  constructor(options) {
    this.#options = options;
  }

  async start(count) {
    await new Promise((done) => this.#tcp.listen(0, "127.0.0.1", done));
    this.url = `http://127.0.0.1:${this.#tcp.address().port}`;
    for (let n = 0; n < count; n++) this.#children.push(await this.#spawn());
  }

  #connect(socket) {
    const alive = this.#children.filter((child) => child !== undefined);
    this.#next += 1;
    const chosen = alive[this.#next % alive.length];
    socket.on("error", () => {});
    if (chosen === undefined) return socket.destroy();
    const other = connect(chosen.port, "127.0.0.1");
    other.on("error", () => socket.destroy());
    for (const each of [socket, other]) this.#sockets.add(each);
    socket.on("close", () => other.destroy());
    other.on("close", () => socket.destroy());
    socket.pipe(other).pipe(socket);
  }

  async #spawn() {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, "restate-worker.mjs"), JSON.stringify(this.#options)],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    const port = await new Promise((resolve, reject) => {
      child.stdout.once("data", (data) => resolve(Number(new URL(String(data).trim()).port)));
      child.once("exit", (status) => reject(new Error(`a worker ended: ${status}`)));
    });
    return { child, port };
  }

  /** Kills one, and has another in its place. */
  async kill(at) {
    const { child } = this.#children[at];
    this.#children[at] = undefined;
    child.kill("SIGKILL");
    this.#children[at] = await this.#spawn();
  }

  stop() {
    for (const each of this.#children) each?.child.kill("SIGKILL");
    for (const socket of this.#sockets) socket.destroy();
    this.#tcp.close();
  }
}

/** @returns what was done, and what of it was wrong */
export async function killRestate({ runs = 20, kills = 6, seed = 1, planted = false, turns = 8 }) {
  const random = randomFrom(seed);
  const folder = mkdtempSync(join(tmpdir(), "restate-kill-"));
  const world = await outside(random);
  const server = await RestateServer.start(folder);
  let workers = new Workers({ outside: world.url, version: 1, planted, turns });
  const done = { runs, server: 0, worker: 0, both: 0, recoverMs: [] };
  try {
    await workers.start(2);
    await server.register(workers.url);
    const all = restateRuns({ ingress: server.ingress, answerMs: 60_000 });
    const ids = Array.from({ length: runs }, (_, n) => `run-${n}`);
    const statuses = new Map();
    const look = async (isThere) => {
      for (const id of ids) {
        if (isThere(statuses.get(id))) continue;
        statuses.set(
          id,
          await all
            .run(id)
            .row()
            .catch(() => statuses.get(id)),
        );
      }
      return ids.filter((id) => isThere(statuses.get(id))).length;
    };
    const waits = (row) => row !== undefined && (row.approvals.length > 0 || row.status === "done");
    const starts = Promise.all(
      ids.map((id) => taken(() => all.run(id).start({ input: "Act." }, { key: "start" }))),
    );
    starts.catch(() => {});
    for (let n = 0; n < kills && (n % 3 > 0 || (await look(waits)) < runs); n++) {
      await pause(random() * 200);
      const which = random();
      const what = which < 0.4 ? "worker" : which < 0.8 ? "server" : "both";
      done[what] += 1;
      const killing = performance.now();
      if (what !== "server") await workers.kill(Math.floor(random() * 2));
      if (what !== "worker") await server.kill().then(() => server.start());
      const before = world.counted.size;
      let looks = 0;
      await until(async () => {
        looks += 1;
        if (looks % 50 === 0 && (await look(waits)) === runs) return true;
        return world.counted.size > before;
      });
      done.recoverMs.push(Math.round(performance.now() - killing));
    }
    await starts;
    await until(async () => (await look(waits)) === runs);
    // Newer code under runs that wait, and nothing of the older is left, once its invocations are done.
    await until(async () => (await server.query(UNDER_WAY)).length === 0);
    workers.stop();
    workers = new Workers({ outside: world.url, version: 2, planted, turns });
    await workers.start(2);
    await server.register(workers.url);
    const decided = (id) => {
      const [approval] = statuses.get(id).approvals;
      return all.run(id).decide(approval.id, { approve: true }, { key: "decision" });
    };
    for (const id of ids) await taken(() => decided(id));
    statuses.clear();
    await until(async () => (await look((row) => /done|failed/.test(row?.status))) === runs);
    const failed = [...statuses.values()].find(({ status }) => status !== "done");
    if (failed !== undefined) throw new Error(JSON.stringify(failed));
    const unknown = await unknownOf(all, ids);
    const once = [...world.counted].filter(([url]) => !url.startsWith("/note/"));
    const repeated = once.filter(([, times]) => times > 1).length;
    const executed = once.length;
    const wanted = runs * (2 * turns + 1);
    const missing = wanted - executed - unknown;
    return { ...done, executed, unknown, repeated, lost: Math.max(0, missing) };
  } finally {
    workers.stop();
    await server.kill();
    world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Says something until it is taken: a busy server may answer later than it is waited for. */
async function taken(say) {
  for (;;) {
    const answer = await say();
    if (answer.outcome === "taken") return;
    if (answer.outcome !== "accepted") throw new Error(JSON.stringify(answer));
  }
}

/** The tools of which the runs do not know what they did. */
async function unknownOf(all, ids) {
  let unknown = 0;
  for (const id of ids) {
    for (let from = 0; ; ) {
      const { lines, ended } = await all.run(id).lines(from);
      for (const line of lines) {
        const { event } = JSON.parse(line);
        if (event?.type === "tool.failed" && event.error?.code === "tool.unknown") unknown += 1;
      }
      from += lines.length;
      if (ended || lines.length === 0) break;
    }
  }
  return unknown;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "40" },
      kills: { type: "string", default: "12" },
      seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
      turns: { type: "string", default: "8" },
      planted: { type: "boolean", default: false },
    },
  });
  const { runs, kills, turns, seed, planted } = values;
  const done = await killRestate({
    ...{ runs: +runs, kills: +kills, turns: +turns, seed: +seed, planted },
  });
  console.log(JSON.stringify({ seed: +seed, ...done }));
  process.exitCode = done.repeated === 0 && done.lost === 0 ? 0 : 1;
}
