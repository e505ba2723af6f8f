// An agent that keeps track of its decisions in DuckDB is killed with SIGKILL before writes of its store
// and of its journal, each in its turn, and goes on. Then there is no superseded node without its edge, no
// write twice, and the graph is that of a run which nobody killed.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type DecisionEdge, type DecisionNode, Decisions } from "../../src/decisions.js";
import { duckdbStore, temporaryFolder } from "../support/duckdb.js";

/** So many processes at once: each waits for its disk most of the time. */
const SIDE_BY_SIDE = 3;
/** One of so many points is taken, beginning somewhere; `KILLS=all` takes each. */
const STRIDE = process.env.KILLS === "all" ? 1 : 5;

interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly told: unknown;
  readonly errors: string;
}

function plan(task: { readonly folder: string; readonly points?: number }): Promise<Ended> {
  const path = join(import.meta.dirname, "../support/decision-child.mjs");
  const child = spawn(process.execPath, [path, JSON.stringify(task)]);
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
  readonly keys: readonly (string | null)[];
}

/** What the file holds, but for times: those are of the process. */
async function graphIn(folder: string): Promise<Graph> {
  const store = duckdbStore({ path: join(folder, "graph.duckdb") });
  const graph = new Decisions(store);
  const { nodes } = await graph.nodes();
  const { edges } = await graph.query({ type: "edges" });
  const { changes } = await graph.query({ type: "changes" });
  await store.close();
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return {
    nodes: nodes.map((node) => ({ ...node, createdAt: 0, updatedAt: 0 })).sort(byId),
    edges: edges.map((edge) => ({ ...edge, createdAt: 0 })).sort(byId),
    keys: changes.map(({ key }) => key),
  };
}

function checkWhole({ nodes, edges, keys }: Graph): void {
  expect(new Set(keys).size).toBe(keys.length);
  const superseded = nodes.filter(({ status }) => status === "superseded").map(({ id }) => id);
  const edged = edges.filter(({ edgeType }) => edgeType === "supersedes").map(({ toId }) => toId);
  expect(superseded).toEqual(edged);
}

it("killed between any two writes, it comes to the same graph", async () => {
  const root = temporaryFolder();
  const empty = join(root, "empty");
  mkdirSync(empty);
  await graphIn(empty);
  const fresh = (name: string) => {
    const folder = join(root, name);
    cpSync(empty, folder, { recursive: true });
    return folder;
  };

  const whole = fresh("whole");
  const { told } = await plan({ folder: whole });
  const { taken, ...end } = told as { taken: number; keys: readonly string[] };
  expect(end).toMatchObject({ status: "done", output: "planned", replayed: "identical" });
  const expected = await graphIn(whole);
  expect(expected.nodes).toHaveLength(4);
  expect(expected.keys).toHaveLength(5);
  checkWhole(expected);
  expect(taken).toBeGreaterThan(40);

  const killAt = async (points: number) => {
    const folder = fresh(`killed-${points}`);
    const { signal, errors } = await plan({ folder, points });
    expect({ signal, errors }, `at ${points}`).toEqual({ signal: "SIGKILL", errors: "" });
    checkWhole(await graphIn(folder));
    const again = await plan({ folder });
    expect(again.errors).toBe("");
    const { keys, ...rest } = again.told as { keys: readonly string[] };
    expect(rest, `at ${points}`).toMatchObject({
      status: "done",
      output: "planned",
      replayed: "identical",
    });
    expect([...keys].sort()).toEqual([...end.keys].sort());
    const { nodes, edges } = await graphIn(folder);
    expect({ nodes, edges }).toEqual({ nodes: expected.nodes, edges: expected.edges });
  };
  let next = Math.floor(Math.random() * STRIDE);
  const worker = async () => {
    while (next < taken) {
      const points = next;
      next += STRIDE;
      await killAt(points);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
}, 600_000);
