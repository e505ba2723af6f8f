// An agent that keeps track of its decisions in a database is killed with SIGKILL before writes of its
// store and of its journal, each in its turn, and goes on. Then there is no superseded node without its
// edge, no write twice, and the graph is that of a run which nobody killed.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { postgresDecisions, type SqlStore } from "../../src/decisions/stores/postgres/index.js";
import { type DecisionEdge, type DecisionNode, Decisions } from "../../src/decisions.js";
import { duckdbStore, temporaryFolder } from "../support/duckdb.js";
import { dropAfterwards, freshSchema, server, testPostgres } from "../support/postgres.js";

/** So many processes at once: each waits for its disk most of the time. */
const SIDE_BY_SIDE = 3;
/** One of so many points is taken, beginning somewhere; `KILLS=all` takes each. */
const every = (stride: number) => (process.env.KILLS === "all" ? 1 : stride);

/** Where one run's graph and journal are. */
interface Place {
  readonly task: { readonly folder: string; readonly backend: string; readonly schema?: string };
  /** The store, for a look from outside. */
  open(): SqlStore;
}

interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly told: unknown;
  readonly errors: string;
}

function plan({ task }: Place, points?: number): Promise<Ended> {
  const path = join(import.meta.dirname, "../support/decision-child.mjs");
  const child = spawn(process.execPath, [path, JSON.stringify({ ...task, server, points })]);
  let told = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    told += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  return new Promise((resolve) => {
    child.on("close", (_code, signal) =>
      resolve({ signal, told: told === "" ? null : JSON.parse(told), errors }),
    );
  });
}

interface Graph {
  readonly nodes: readonly DecisionNode[];
  readonly edges: readonly DecisionEdge[];
  readonly seq: number;
}

/** What the store holds, but for times: those are of the process. */
async function graphIn(place: Place): Promise<Graph> {
  const store = place.open();
  const graph = new Decisions(store);
  const { nodes } = await graph.nodes();
  const { edges } = await graph.query({ type: "edges" });
  const { seq } = await graph.stats();
  await store.close();
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return {
    nodes: nodes.map((node) => ({ ...node, createdAt: 0, updatedAt: 0 })).sort(byId),
    edges: edges.map((edge) => ({ ...edge, createdAt: 0 })).sort(byId),
    seq,
  };
}

function checkWhole({ nodes, edges }: Graph): void {
  const superseded = nodes.filter(({ status }) => status === "superseded").map(({ id }) => id);
  const edged = edges.filter(({ edgeType }) => edgeType === "supersedes").map(({ toId }) => toId);
  expect(superseded).toEqual(edged);
}

/**
 * @param fresh makes a place whose tables are there, and empty
 * @param stride one of so many points is taken
 */
async function killEverywhere(
  fresh: (name: string) => Promise<Place>,
  stride: number,
): Promise<void> {
  const whole = await fresh("whole");
  const { told, errors } = await plan(whole);
  expect(errors).toBe("");
  const { taken, ...end } = told as { taken: number };
  expect(end).toMatchObject({ status: "done", output: "planned", replayed: "identical" });
  const expected = await graphIn(whole);
  expect(expected.nodes).toHaveLength(4);
  expect(expected.seq).toBe(5);
  checkWhole(expected);
  expect(taken).toBeGreaterThan(40);

  const killAt = async (points: number) => {
    const place = await fresh(`killed-${points}`);
    const { signal, errors } = await plan(place, points);
    expect({ signal, errors }, `at ${points}`).toEqual({ signal: "SIGKILL", errors: "" });
    checkWhole(await graphIn(place));
    const again = await plan(place);
    expect(again.errors).toBe("");
    expect(again.told, `at ${points}`).toMatchObject({
      status: "done",
      output: "planned",
      replayed: "identical",
    });
    // A write that was made twice would be a transaction more.
    expect(await graphIn(place)).toEqual(expected);
  };
  let next = Math.floor(Math.random() * stride);
  const worker = async () => {
    while (next < taken) {
      const points = next;
      next += stride;
      await killAt(points);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
}

/** Places that are copies of one, in which the tables are. */
async function copies(place: (folder: string) => Place): Promise<(name: string) => Promise<Place>> {
  const root = temporaryFolder();
  const empty = join(root, "empty");
  mkdirSync(empty);
  await graphIn(place(empty));
  return async (name) => {
    const folder = join(root, name);
    cpSync(empty, folder, { recursive: true });
    return place(folder);
  };
}

describe("killed between any two writes, it comes to the same graph", () => {
  it("in DuckDB", async () => {
    const fresh = await copies((folder) => ({
      task: { folder, backend: "duckdb" },
      open: () => duckdbStore({ path: join(folder, "graph.duckdb") }),
    }));
    await killEverywhere(fresh, every(5));
  });

  it("in Postgres", async ({ skip }) => {
    const postgres = await testPostgres();
    onTestFinished(() => postgres.close());
    if (postgres.kind !== "server") skip("PGlite has one process only: this needs a server");
    const root = temporaryFolder();
    const fresh = async (name: string): Promise<Place> => {
      const schema = freshSchema();
      dropAfterwards(postgres.client, schema);
      const folder = join(root, name);
      mkdirSync(folder);
      const open = () => postgresDecisions({ client: postgres.client, schema });
      const place = { task: { folder, backend: "postgres", schema }, open };
      await graphIn(place);
      return place;
    };
    await killEverywhere(fresh, every(5));
  });

  it("in a folder of PGlite", async () => {
    const fresh = await copies((folder) => ({
      task: { folder, backend: "pglite" },
      open: () => postgresDecisions({ folder: join(folder, "pg") }),
    }));
    await killEverywhere(fresh, every(20));
  });
});
