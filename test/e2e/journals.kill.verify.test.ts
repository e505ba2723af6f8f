// A run in a database whose processes are killed in the middle of appends, or of which several go on with
// it at once: no effect happens twice, each had begun in the journal, and the run comes to its end.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { postgresJournals } from "../../src/adapters/postgres/index.js";
import { sqliteJournals } from "../../src/adapters/sqlite/index.js";
import { type JournalPort, summaryOf } from "../../src/index.js";
import { databaseFile, openSqlite } from "../support/journal-databases.js";
import { textIn } from "../support/journal-text.js";
import {
  dropAfterwards,
  freshSchema,
  server,
  type TestPostgres,
  testPostgres,
} from "../support/postgres.js";

const EFFECTS = 40;
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await testPostgres();
});
afterAll(() => postgres.close());

interface Place {
  readonly task: object;
  journal(): JournalPort;
}

/** Runs a process. @param killAt SIGKILL after so many effects @returns its effects, and how it ended */
function processOf(place: Place, more: object = {}, killAt?: number) {
  const task = JSON.stringify({ ...place.task, effects: EFFECTS, ...more });
  const script = join(import.meta.dirname, "../support/journal-database-child.mjs");
  const child = spawn(process.execPath, [script, task]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const effects: string[] = [];
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    effects.push(line);
    if (effects.length === killAt) child.kill("SIGKILL");
  });
  return new Promise<{ effects: string[]; ended: string }>((resolve) => {
    child.on("close", (_, signal) => resolve({ effects, ended: signal ?? said }));
  });
}

/** Nothing was done twice, and nothing that had not begun in the journal. */
async function holds(place: Place, effects: readonly string[]): Promise<void> {
  expect([...new Set(effects)]).toHaveLength(effects.length);
  const text = await textIn(place.journal());
  for (const n of effects) expect(text).toContain(`"n":${n}}`);
  expect(await summaryOf(place.journal())).toMatchObject({ status: "done" });
}

const places: Record<string, () => Promise<Place | undefined>> = {
  async SQLite() {
    const path = await databaseFile();
    const journal = () => sqliteJournals(openSqlite("libsql", path)).journal("run");
    return { task: { backend: "sqlite", path }, journal };
  },
  async Postgres() {
    if (postgres.kind !== "server") return undefined;
    const schema = freshSchema();
    dropAfterwards(postgres.client, schema);
    const journal = () => postgresJournals({ client: postgres.client, schema }).journal("run");
    return { task: { backend: "postgres", server, schema }, journal };
  },
};

describe.each(Object.entries(places))("a run in %s", (_name, made) => {
  it("is killed in the middle of appends, again and again", async ({ skip }) => {
    const place = await made();
    if (place === undefined) return skip("PGlite has one process only: this needs a server");
    const effects: string[] = [];
    const ends: string[] = [];
    for (const dieAt of [0, 1, 2, 3, 5, 4, 7]) {
      const one = await processOf(place, { dieAt });
      effects.push(...one.effects);
      ends.push(one.ended);
    }
    expect(new Set(ends)).toEqual(new Set(["SIGKILL"]));
    for (const killAt of [1, 2]) effects.push(...(await processOf(place, {}, killAt)).effects);
    const last = await processOf(place);
    expect(last.ended).toBe("done");
    await holds(place, [...effects, ...last.effects]);
  });

  it("is gone on with by several processes at once", async ({ skip }) => {
    const place = await made();
    if (place === undefined) return skip("PGlite has one process only: this needs a server");
    const begun = await processOf(place, {}, 2);
    const effects = [...begun.effects];
    const others = await Promise.all([1, 2, 3].map(() => processOf(place)));
    for (const { ended } of others) expect(ended).toMatch(/^(?:done|journal\.conflict)$/);
    const last = await processOf(place);
    expect(last.ended).toBe("done");
    await holds(place, [...effects, ...others.flatMap((each) => each.effects), ...last.effects]);
  });
});
