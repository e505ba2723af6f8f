// What a write leaves in the tables, no more and no less, and what is found there of the past.
import { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { memoryDecisions, type Operation } from "reckoner/decisions";
import { expect, it, onTestFinished, vi } from "vitest";
import type { DecisionQuery } from "../../../../src/core/decisions/index.js";
import { asJson } from "../../../../src/core/kernel/index.js";
import { Decisions, type StorePort } from "../../../../src/runtime/index.js";
import { duckdbStore } from "../../../support/duckdb.js";

const { signal } = new AbortController();
const node = (id: string, at: number): Operation => ({
  type: "addNode",
  at,
  node: { id, type: "decision", label: id, rationale: `why ${id}` },
});
const supersedes = (id: string, fromId: string, toId: string, at: number): Operation => ({
  type: "addEdge",
  at,
  edge: { id, fromId, toId, edgeType: "supersedes" },
});

let keys = 0;
const write = (store: StorePort, ...operations: Operation[]) =>
  store.write(asJson(operations) as never, { signal, idempotencyKey: `k${++keys}` });
const read = (store: StorePort, query: DecisionQuery) => store.read(asJson(query), { signal });

it("whatever changed a node is in its history", async () => {
  const [store, memory] = [duckdbStore(), memoryDecisions()];
  for (const each of [store, memory]) {
    await write(each, node("a", 1), node("b", 1), node("c", 1), node("d", 1));
    await write(each, { type: "updateNode", at: 2, id: "a", patch: { rationale: "again" } });
    await write(each, { type: "supersede", at: 3, oldId: "a", newId: "b", edgeId: "ab" });
    await write(each, supersedes("bc", "c", "b", 4));
    await write(each, { type: "deleteNode", at: 5, id: "d" });
    await write(each, node("d", 6));
  }
  for (const nodeId of ["a", "b", "c", "d"]) {
    const query = { type: "history", nodeId } as const;
    expect(await read(store, query)).toEqual(await read(memory, query));
  }
});

it("of the past is asked what was there then", async () => {
  const store = duckdbStore();
  await write(store, node("a", 1));
  await write(store, { type: "updateNode", at: 5, id: "a", patch: { label: "later" } });
  const labels = async (asOf?: number) => {
    const query = { type: "nodes", ...(asOf !== undefined && { asOf }) } as const;
    const { nodes } = (await read(store, query)) as unknown as { nodes: { label: string }[] };
    return nodes.map(({ label }) => label);
  };
  expect([await labels(0), await labels(1), await labels(4), await labels(5)]).toEqual([
    [],
    ["a"],
    ["a"],
    ["later"],
  ]);
  expect(await labels()).toEqual(["later"]);
});

it("a scope is asked for where there are scopes, and refused where there is one graph", async () => {
  const scoped = duckdbStore({ scoped: true });
  expect(await scoped.read({ type: "stats", scope: "s" }, { signal })).toMatchObject({ seq: 0 });
  await expect(read(scoped, { type: "stats" })).rejects.toMatchObject({ code: "decisions.scope" });
  await expect(duckdbStore().read({ type: "stats", scope: "s" }, { signal })).rejects.toMatchObject(
    { code: "decisions.scope" },
  );
});

it("edges are found whose nodes' keys are far behind those before them", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  onTestFinished(() => instance.closeSync());
  const graph = new Decisions(duckdbStore({ instance }), { now: () => 1 });
  await graph.addNode({ id: "first", type: "goal", label: "first" });
  const connection = await instance.connect();
  await connection.run("UPDATE decision_versions SET node_keys = 5000");
  connection.closeSync();
  for (const id of ["a", "b"]) await graph.addNode({ id, type: "goal", label: id });
  await graph.addEdge({ id: "e", fromId: "a", toId: "b", edgeType: "leads_to" });
  const again = new Decisions(duckdbStore({ instance }));
  expect((await again.descendants("a")).nodes.map(({ id }) => id)).toEqual(["b"]);
});

it("a write touches only the tables in which it changes something", async () => {
  const store = duckdbStore();
  await write(store, node("a", 1), node("b", 1), supersedes("e", "a", "b", 1));
  const seen: string[] = [];
  const { runAndReadAll } = DuckDBConnection.prototype;
  const spy = vi.spyOn(DuckDBConnection.prototype, "runAndReadAll").mockImplementation(function (
    this: DuckDBConnection,
    ...given
  ) {
    const touched = /^(INSERT INTO|UPDATE|DELETE FROM) \S+?\.(?:decision_)?(\w+)/.exec(given[0]);
    if (touched !== null) seen.push(`${touched[1]?.split(" ")[0]} ${touched[2]}`);
    return runAndReadAll.apply(this, given);
  });
  onTestFinished(() => spy.mockRestore());
  const touches = async (...operations: Operation[]) => {
    seen.length = 0;
    await write(store, ...operations);
    return seen.slice(1, -1);
  };
  expect(await touches(node("c", 2))).toEqual(["INSERT nodes", "INSERT changes"]);
  expect(seen.at(0)).toBe("INSERT versions");
  expect(seen.at(-1)).toBe("UPDATE versions");
  expect(await touches({ type: "updateNode", at: 3, id: "c", patch: { label: "C" } })).toEqual([
    "UPDATE nodes",
    "INSERT changes",
    "INSERT revisions",
  ]);
  expect(await touches({ type: "deleteNode", at: 4, id: "c" })).toEqual([
    "DELETE nodes",
    "INSERT changes",
    "INSERT revisions",
  ]);
});
