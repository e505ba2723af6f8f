// Hosts in processes of their own on one Postgres, each killed with SIGKILL again and again: every run ends, and
// no effect that may not be repeated begins twice.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { postgresHostStore } from "reckoner/postgres";
import { expect, it, onTestFinished } from "vitest";
import { dropAfterwards, freshSchema, server, sharedDatabases } from "../../support/postgres.js";

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
    const task = JSON.stringify({ server, schema, leaseMs: 500 });
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
    await store.post(place, { key: "start", word }, true);
  }
  const open = async () => {
    const { rows } = await client.query(
      `SELECT count(*) AS n FROM "${schema}".journals WHERE status NOT IN ('done', 'failed')`,
    );
    return Number(rows[0]?.n);
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const before = effects.length;
    let left = await open();
    while (effects.length < before + 3 && left > 0) left = await open();
    const at = kill % 2;
    children[at]?.process.kill("SIGKILL");
    children[at] = start();
    await children[at]?.ready;
  }
  for (let left = await open(); left > 0; ) left = await open();
  const { rows } = await client.query(`SELECT status FROM "${schema}".journals`);
  expect(rows.map(({ status }) => status)).toEqual(Array(RUNS).fill("done"));
  expect(new Set(effects).size).toBe(effects.length);
  // A call that was cut off is unknown, and the model goes on.
  expect(effects.length).toBeGreaterThan(RUNS * EFFECTS - 4 * RUNS);
});
