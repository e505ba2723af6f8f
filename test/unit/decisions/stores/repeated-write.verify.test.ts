// A call of the facade that is repeated under its key, as after a crash: no second effect, the first
// result, whatever was filled in the first time, and on every store.
import {
  Decisions,
  type DecisionsOptions,
  memoryDecisions,
  type OpenOperation,
  type StorePort,
} from "reckoner/decisions";
import { describe, expect, test } from "vitest";
import { duckdbStore } from "../../../support/duckdb.js";
import { postgresStore, sharedDatabases } from "../../../support/postgres.js";

const shared = sharedDatabases();
const key = { idempotencyKey: "once" };

type Open = (how?: { scoped?: boolean }) => StorePort;
const stores: readonly (readonly [string, Open])[] = [
  ["memory", memoryDecisions],
  ["DuckDB", duckdbStore],
  ["Postgres", (how) => postgresStore(shared.postgres.client, how)],
  ["PGlite", (how) => postgresStore(shared.pglite, how)],
];

/** A graph whose clock goes on with each write: no two calls are filled in alike. */
function ticking(store: StorePort = memoryDecisions(), options: DecisionsOptions = {}) {
  let now = 0;
  return new Decisions(store, { now: () => (now += 10), ...options });
}

async function withNodes(store?: StorePort, options?: DecisionsOptions): Promise<Decisions> {
  const graph = ticking(store, options);
  await graph.write(
    ["node-1", "node-2", "other"].map((id) => ({
      type: "addNode",
      node: { id, type: "decision", label: id },
    })),
  );
  return graph;
}

/** Every way to write. */
const ways: readonly (readonly [string, (graph: Decisions) => Promise<unknown>])[] = [
  [
    "addNode",
    (graph) => graph.addNode({ type: "goal", label: "x", metadata: { z: 1, a: 2 } }, key),
  ],
  [
    "addEdge",
    (graph) => graph.addEdge({ fromId: "other", toId: "node-1", edgeType: "leads_to" }, key),
  ],
  ["updateNode", (graph) => graph.updateNode("other", { label: "y" }, key)],
  ["deleteNode", (graph) => graph.deleteNode("other", key)],
  ["supersede", (graph) => graph.supersede("other", "node-1", "better", key)],
  [
    "write",
    (graph) =>
      graph.write(
        [
          { type: "addNode", node: { type: "goal", label: "new" } },
          { type: "addNode", at: 7, node: { id: "said", type: "option", label: "said" } },
          { type: "addEdge", edge: { fromId: "said", toId: "other", edgeType: "chosen" } },
          { type: "supersede", oldId: "other", newId: "node-1" },
          { type: "updateNode", id: "node-2", patch: { confidence: 0 } },
          { type: "deleteNode", id: "node-2" },
        ],
        key,
      ),
  ],
];

describe.each(stores)("in %s", (_name, open) => {
  test.each(ways)("%s has its first result, and no second effect", async (_way, act) => {
    const graph = await withNodes(open());
    const first = await act(graph);
    const { changes } = await graph.query({ type: "history" });
    expect(await act(graph)).toEqual(first);
    // Another process, which knows nothing of the first.
    expect(await act(new Decisions(graph.store))).toEqual(first);
    expect((await graph.query({ type: "history" })).changes).toEqual(changes);
    expect((await graph.stats()).seq).toBe(2);
  });

  test("of calls at the same time one has an effect, and all have its result", async () => {
    const graph = await withNodes(open());
    const add = () => graph.addNode({ type: "goal", label: "x" }, key);
    const added = await Promise.all(Array.from({ length: 4 }, add));
    for (const node of added) expect(node).toEqual(added[0]);
    expect((await graph.activeGoals()).nodes).toEqual([added[0]]);
  });

  test("within its scope: another one's key is another key", async () => {
    const store = open({ scoped: true });
    const [ours, theirs] = ["ours", "theirs"].map((scope) => ticking(store, { scope }));
    const add = (graph = ours) => graph?.addNode({ type: "goal", label: "x" }, key);
    const first = await add();
    expect((await add(theirs))?.id).not.toBe(first?.id);
    expect(await add()).toEqual(first);
    expect((await ours?.stats())?.seq).toBe(1);
  });

  test("is refused where what the caller said is another thing", async () => {
    const graph = await withNodes(open());
    await graph.addNode({ type: "goal", label: "x" }, key);
    const { seq } = await graph.stats();
    for (const other of [
      () => graph.addNode({ type: "goal", label: "y" }, key),
      () => graph.addNode({ id: "own", type: "goal", label: "x" }, key),
      () => graph.addNode({ type: "goal", label: "x", createdAt: 1 }, key),
      () => graph.addNode({ type: "goal", label: "x", updatedAt: 9_999 }, key),
      () => graph.addEdge({ fromId: "node-1", toId: "node-2", edgeType: "chosen" }, key),
      () => graph.deleteNode("node-1", key),
      () =>
        graph.write(
          [...Array(2)].map(() => ({ type: "addNode", node: { type: "goal", label: "x" } })),
          key,
        ),
    ]) {
      await expect(other()).rejects.toMatchObject({ code: "store.key", place: "idempotencyKey" });
    }
    expect((await graph.stats()).seq).toBe(seq);
  });
});

test("what is given back later is what the write left, whatever came since", async () => {
  const graph = await withNodes();
  const add = () => graph.addNode({ type: "goal", label: "x" }, { idempotencyKey: "node" });
  const added = await add();
  const update = () => graph.updateNode(added.id, { label: "y" }, { idempotencyKey: "update" });
  const updated = await update();
  expect(updated).toMatchObject({ label: "y", confidence: null });
  await graph.updateNode(added.id, { label: "z", confidence: 0.5 });
  await graph.deleteNode(added.id);
  expect(await add()).toEqual(added);
  expect(await update()).toEqual(updated);
});

test("an update answers from its own transaction, though the node is gone right after it", async () => {
  const store = memoryDecisions();
  const other = new Decisions(store);
  await other.addNode({ id: "a", type: "goal", label: "x" });
  const graph = new Decisions({
    ...store,
    async write(operations, call) {
      const result = await store.write(operations, call);
      await other.deleteNode("a");
      return result;
    },
  });
  expect(await graph.updateNode("a", { label: "y" })).toMatchObject({ id: "a", label: "y" });
});

test("on a lost connection the repetition says that the store failed, not that the key was used", async () => {
  const store = memoryDecisions();
  let isLost = false;
  const lost = async () => Promise.reject(new Error("the connection is gone"));
  const graph = ticking({
    name: "of a test",
    read: (query, call) => (isLost ? lost() : store.read(query, call)),
    write: (operations, call) => (isLost ? lost() : store.write(operations, call)),
  });
  const add = () => graph.addNode({ type: "goal", label: "x" }, key);
  const added = await add();
  isLost = true;
  await expect(add()).rejects.toMatchObject({ code: "port.failed", place: "of a test" });
  isLost = false;
  expect(await add()).toEqual(added);
});

test("a key that nobody gave is never repeated", async () => {
  const graph = ticking(memoryDecisions(), { newId: () => "same" });
  const open: OpenOperation = { type: "addNode", node: { type: "goal", label: "x" } };
  await graph.write([open]);
  await expect(graph.write([{ ...open, at: 3 }, open])).rejects.toMatchObject({
    code: "store.key",
  });
});
