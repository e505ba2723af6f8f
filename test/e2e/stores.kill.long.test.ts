// Processes that write to a store are killed with SIGKILL, before each statement of a write in turn
// and at random moments, and others go on where they were: by repeating the write that they do not
// know to have held. Then there is no superseded node without its edge, and no write twice.
import { describe, expect, it, onTestFinished } from "vitest";
import type { SqlStore } from "../../src/decisions/stores/duckdb/index.js";
import { Decisions } from "../../src/decisions/stores/index.js";
import { duckdbStore, temporaryFolder } from "../support/duckdb.js";
import {
  dropAfterwards,
  freshSchema,
  postgresStore,
  server,
  testPostgres,
} from "../support/postgres.js";
import { storeProcess } from "../support/store-process.js";

/** No write has so many, nor a repeated one and the next together. */
const MOST_STATEMENTS = 60;
const RANDOM_KILLS = 4;

interface Place {
  readonly task: object;
  open(): SqlStore;
}

/** What has to hold after each kill, and how many writes did. */
async function check(place: Place): Promise<number> {
  const store = place.open();
  const decisions = new Decisions(store);
  const { nodes } = await decisions.nodes({ types: ["decision"] }, { limit: 10_000 });
  const { edges } = await decisions.query({ type: "edges", limit: 10_000 });
  const stats = await decisions.stats();
  await store.close();
  expect(stats).toMatchObject({ seq: nodes.length, nodes: 2 * nodes.length, edges: edges.length });
  expect(nodes.map((node) => node.id)).toEqual(nodes.map((_, i) => `n${i}`));
  const superseded = nodes.filter((node) => node.status === "superseded");
  expect(superseded.map((node) => node.id)).toEqual(edges.map((edge) => edge.toId));
  expect(superseded).toHaveLength(Math.max(0, nodes.length - 1));
  return nodes.length;
}

async function killAndGoOn(place: Place): Promise<void> {
  let acknowledged = -1;
  let killed = 0;
  const goOn = async (how: { statements?: number; killAfter?: number }) => {
    const { killAfter, ...statements } = how;
    // The last one that is known to have held is repeated as well: it must have no second effect.
    const from = Math.max(0, acknowledged);
    const to = from + 1000;
    const ended = await storeProcess({ ...place.task, ...statements, from, to }, killAfter);
    expect(ended.errors).toBe("");
    expect(ended.signal).toBe("SIGKILL");
    killed += 1;
    acknowledged = Math.max(acknowledged, ended.lines.at(-1) ?? -1);
    const held = await check(place);
    // What was acknowledged held; of what was not, at most the one write that was under way.
    expect(held - 1).toBeGreaterThanOrEqual(acknowledged);
    expect(held - 1).toBeLessThanOrEqual(acknowledged + 1);
  };
  // Until a process has come through its second write.
  for (let statements = 0; acknowledged < 1; statements++) {
    expect(statements).toBeLessThan(MOST_STATEMENTS);
    await goOn({ statements });
  }
  const inTurn = killed;
  for (let i = 0; i < RANDOM_KILLS; i++) await goOn({ killAfter: Math.random() * 100 });
  expect(killed).toBe(inTurn + RANDOM_KILLS);
}

describe("killed at any moment, a store holds whole writes, each once", () => {
  it("in DuckDB", async () => {
    const path = `${temporaryFolder()}/graph.duckdb`;
    await killAndGoOn({ task: { backend: "duckdb", path }, open: () => duckdbStore({ path }) });
  });

  it("in Postgres", async ({ skip }) => {
    const postgres = await testPostgres();
    onTestFinished(() => postgres.close());
    if (postgres.kind !== "server") skip("PGlite has one process only: this needs a server");
    const schema = freshSchema();
    dropAfterwards(postgres.client, schema);
    await killAndGoOn({
      task: { backend: "postgres", server, schema },
      open: () => postgresStore(postgres.client, { schema }),
    });
  });
});
