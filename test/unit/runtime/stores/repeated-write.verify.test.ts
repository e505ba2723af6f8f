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
import { ReckonerError } from "../../../../src/core/kernel/index.js";
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

/** Every way to write, with prefixes where a node is named. */
const ways: readonly (readonly [string, (graph: Decisions) => Promise<unknown>])[] = [
  [
    "addNode",
    (graph) => graph.addNode({ type: "goal", label: "x", metadata: { z: 1, a: 2 } }, key),
  ],
  [
    "addEdge",
    (graph) => graph.addEdge({ fromId: "oth", toId: "node-1", edgeType: "leads_to" }, key),
  ],
  ["updateNode", (graph) => graph.updateNode("oth", { label: "y" }, key)],
  ["deleteNode", (graph) => graph.deleteNode("oth", key)],
  ["supersede", (graph) => graph.supersede("oth", "node-1", "better", key)],
  [
    "write",
    (graph) =>
      graph.write(
        [
          { type: "addNode", node: { type: "goal", label: "new" } },
          { type: "addNode", at: 7, node: { id: "said", type: "option", label: "said" } },
          { type: "addEdge", edge: { fromId: "sai", toId: "oth", edgeType: "chosen" } },
          { type: "supersede", oldId: "oth", newId: "node-1" },
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
    const { changes } = await graph.query({ type: "changes" });
    expect(await act(graph)).toEqual(first);
    // Another process, which knows nothing of the first.
    expect(await act(new Decisions(graph.store))).toEqual(first);
    expect((await graph.query({ type: "changes" })).changes).toEqual(changes);
    expect(changes).toHaveLength(2);
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
    const early = new Decisions(graph.store, { now: () => 0 });
    const { seq } = await graph.stats();
    for (const other of [
      () => graph.addNode({ type: "goal", label: "y" }, key),
      () => graph.addNode({ id: "own", type: "goal", label: "x" }, key),
      () => graph.addNode({ type: "goal", label: "x", createdAt: 1 }, key),
      // With the first time this would not even be valid.
      () => early.addNode({ type: "goal", label: "x", updatedAt: 1 }, key),
      () => graph.addEdge({ fromId: "node-1", toId: "node-2", edgeType: "chosen" }, key),
      () => graph.deleteNode("node-1", key),
      () => graph.write([{ type: "addNode", at: 1, node: { type: "goal", label: "x" } }], key),
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

describe("what is given back later", () => {
  test("is a node or an edge as it was added, and of an update the node as it is now", async () => {
    const graph = await withNodes();
    const add = () => graph.addNode({ type: "goal", label: "x" }, { idempotencyKey: "node" });
    const added = await add();
    const update = () => graph.updateNode(added.id, { label: "y" }, { idempotencyKey: "update" });
    expect(await update()).toMatchObject({ label: "y", confidence: null });
    const link = () =>
      graph.addEdge(
        { fromId: added.id, toId: "oth", edgeType: "leads_to" },
        { idempotencyKey: "edge" },
      );
    const edge = await link();
    await graph.updateNode(added.id, { label: "z", confidence: 0.5 });
    expect(await add()).toEqual(added);
    expect(Object.isFrozen(await add())).toBe(true);
    expect(await update()).toMatchObject({ label: "z", confidence: 0.5 });

    // What the prefix meant, although it now is the name of another node.
    await graph.addNode({ id: "oth", type: "goal", label: "another" });
    await graph.deleteNode(added.id);
    expect(await add()).toEqual(added);
    expect(await link()).toEqual(edge);
    expect(edge.toId).toBe("other");
    await expect(update()).rejects.toMatchObject({ code: "decisions.missing" });
  });

  test("also where the first call said more than the repetition, or a later one was refused", async () => {
    const graph = ticking();
    const said = { id: "a", type: "goal", label: "x" } as const;
    await graph.write([{ type: "addNode", at: 5, node: said }], key);
    expect(await graph.addNode(said, key)).toMatchObject({ id: "a", createdAt: 5 });
    const { id: _id, ...open } = said;
    await expect(graph.addNode({ ...open, label: "y" }, key)).rejects.toMatchObject({
      code: "store.key",
    });
    expect(await graph.addNode(open, key)).toMatchObject({ id: "a", createdAt: 5 });
  });
});

describe("a store is asked for the first time", () => {
  /** A store that notes what is asked of it, some of which is answered otherwise. */
  function noting(read?: (query: { type?: string }) => unknown) {
    const store = memoryDecisions();
    const asked: string[] = [];
    const noted: StorePort = {
      name: "of a test",
      async read(query, call) {
        asked.push((query as { type: string }).type);
        const answer = await read?.(query as object);
        return answer === undefined ? store.read(query, call) : (answer as never);
      },
      write(operations, call) {
        asked.push("write");
        return store.write(operations, call);
      },
    };
    return { asked, noted };
  }
  const open: OpenOperation = { type: "addNode", node: { type: "goal", label: "x" } };
  const said: OpenOperation = { type: "addNode", at: 1, node: { ...open.node, id: "a" } };

  test("only where it refuses what was filled in, and once", async () => {
    const { asked, noted } = noting();
    const graph = ticking(noted);
    await graph.write([open], key);
    expect(asked.splice(0)).toEqual(["write"]);
    await graph.write([open], key);
    expect(asked.splice(0)).toEqual(["write", "change"]);
    await expect(graph.write([said], key)).rejects.toMatchObject({ code: "store.key" });
    expect(asked.splice(0)).toEqual(["write"]);
    await expect(graph.write([{ ...open, at: -1 }], key)).rejects.toMatchObject({
      code: "decisions.invalid",
    });
    expect(asked.splice(0)).toEqual(["write"]);
  });

  test("never for a key that nobody gave", async () => {
    const { asked, noted } = noting();
    const graph = ticking(noted, { newId: () => "same" });
    await graph.write([open]);
    await expect(graph.write([open])).rejects.toMatchObject({ code: "store.key" });
    expect(asked).toEqual(["write", "write"]);
  });

  test.each<[string, () => unknown]>([
    [
      "does not know the query",
      () => {
        throw new ReckonerError("decisions.query", "query.type is unknown.");
      },
    ],
    [
      "fails",
      () => {
        throw new Error("the connection is gone");
      },
    ],
    ["answers something else", () => ({ nodes: [], truncated: false })],
    ["has forgotten it", () => ({ changes: [], truncated: false })],
  ])("and its refusal stays where it %s", async (_why, answer) => {
    const { noted } = noting(({ type }) => (type === "change" ? answer() : undefined));
    const graph = ticking(noted);
    await graph.write([open], key);
    await expect(graph.write([open], key)).rejects.toMatchObject({
      code: "store.key",
      message: expect.stringContaining('"once" was used before'),
      place: "idempotencyKey",
    });
  });

  test("and what is aborted meanwhile says why it was", async () => {
    const [controller, reason] = [new AbortController(), new Error("enough")];
    const { noted } = noting(() => {
      controller.abort(reason);
    });
    const graph = ticking(noted, { signal: controller.signal });
    await graph.write([open], key);
    await expect(graph.write([open], key)).rejects.toBe(reason);
  });
});
