// Hosts in processes of their own on one Postgres, each killed with SIGKILL, stopped for longer than its lease, or
// drained, again and again, as a seed draws it: every run ends, and no effect that may not be repeated begins twice.
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { postgresHostStore } from "reckoner/postgres";
import { expect, it, onTestFinished } from "vitest";
import { dropAfterwards, freshSchema, server, sharedDatabases } from "../../support/postgres.js";
import { seeded } from "../../support/serve.js";

const shared = sharedDatabases();
const RUNS = 12;
const EFFECTS = 6;
const KILLS = 6;

interface Child {
  readonly process: ChildProcess;
  readonly ready: Promise<void>;
}

it("a run of a process that was killed goes on in another, and repeats no effect", async (context) => {
  if (shared.postgres.kind !== "server") context.skip();
  const schema = freshSchema();
  dropAfterwards(shared.postgres.client, schema);
  const effects: string[] = [];
  const start = (): Child => {
    const task = JSON.stringify({ server, schema, leaseMs: 2_000 });
    const script = join(import.meta.dirname, "../../support/serve-child.mjs");
    const process = spawn("node", [script, task], { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void process.kill("SIGKILL"));
    const ready = new Promise<void>((resolve, reject) => {
      process.on("exit", () => reject(new Error("A host ended before it was ready.")));
      createInterface({ input: process.stdout }).on("line", (line) => {
        if (line === "ready") resolve();
        if (line.startsWith("effect ")) effects.push(line);
      });
    });
    return { process, ready };
  };
  const { client } = shared.postgres;
  const store = postgresHostStore({ client, schema });
  const children = [start(), start()];
  await Promise.all(children.map(({ ready }) => ready));
  for (let n = 0; n < RUNS; n++) {
    const word = { type: "start", run: { input: { prompt: String(EFFECTS) } } };
    const place = { tenant: "", id: `r${n}` };
    await store.post(place, { key: "start", word, mark: "" }, true);
  }
  const open = async () => {
    // Five owners in a row were gone before anything came of it: somebody looks after such a run.
    const parked = await client.query(`SELECT name FROM "${schema}".hosted WHERE parked = 1`);
    for (const { name } of parked.rows) await store.unpark({ tenant: "", id: String(name) });
    const { rows } = await client.query(
      `SELECT count(*) AS n FROM "${schema}".journals WHERE status NOT IN ('done', 'failed')`,
    );
    return Number(rows[0]?.n);
  };
  const seed = randomInt(1_000_000);
  const random = seeded(seed);
  /** Resolves when each run that goes on is owned by somebody whose time is not over. */
  const ownedByOthers = async () => {
    const now = "(extract(epoch FROM clock_timestamp()) * 1000)";
    const stale = `SELECT count(*) AS n FROM "${schema}".hosted WHERE owner <> '' AND lease < ${now}`;
    const seen = `SELECT sum(epoch) AS n FROM "${schema}".hosted`;
    const before = Number((await client.query(seen)).rows[0]?.n);
    for (let left = await open(); left > 0; left = await open()) {
      const [late, epoch] = [await client.query(stale), await client.query(seen)];
      if (Number(late.rows[0]?.n) === 0 && Number(epoch.rows[0]?.n) > before) return;
    }
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const before = effects.length;
    let left = await open();
    while (effects.length < before + 3 && left > 0) left = await open();
    const at = Math.floor(random.fraction() * children.length);
    const old = children[at]?.process;
    const drawn = random.fraction();
    if (drawn < 0.5) old?.kill("SIGKILL");
    else if (drawn < 0.75) old?.stdin?.end();
    else {
      // Cut off: it wakes up when others own what it had, and must not go on with that.
      const stopped = old?.pid;
      old?.kill("SIGSTOP");
      await ownedByOthers();
      old?.kill("SIGCONT");
      expect(stopped).toBeDefined();
      continue;
    }
    children[at] = start();
    await children[at]?.ready;
  }
  for (let left = await open(); left > 0; ) left = await open();
  const { rows } = await client.query(`SELECT status FROM "${schema}".journals`);
  const why = `seed ${seed}`;
  expect(
    rows.map(({ status }) => status),
    why,
  ).toEqual(Array(RUNS).fill("done"));
  expect(new Set(effects).size, why).toBe(effects.length);
  // A call that was cut off is unknown, and the model goes on.
  expect(effects.length).toBeGreaterThan(RUNS * EFFECTS - 4 * RUNS);
});
