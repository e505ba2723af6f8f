// The facade: what it brings along, what it gives back, and that a store that fails is an error.
import {
  Decisions,
  type DecisionsOptions,
  memoryDecisions,
  type StorePort,
} from "reckoner/decisions";
import { describe, expect, test, vi } from "vitest";

// Before the sources are loaded, which keep the clock that they find.
vi.hoisted(() => vi.spyOn(Date, "now").mockReturnValue(1_234));

function fixed(options: DecisionsOptions = {}, store: StorePort = memoryDecisions()) {
  let count = 0;
  return new Decisions(store, {
    now: () => 1_000 + count,
    newId: () => {
      count += 1;
      return `id-${count}`;
    },
    ...options,
  });
}

describe("what it brings along", () => {
  test("ids and times where they are left out, and only there", async () => {
    const graph = fixed();
    const goal = await graph.addNode({ type: "goal", label: "x" });
    expect(goal).toMatchObject({ id: "id-1", createdAt: 1_000, updatedAt: 1_000 });
    const given = { id: "own", type: "option", label: "y", createdAt: 5, updatedAt: 6 } as const;
    expect(await graph.addNode(given)).toMatchObject({ id: "own", createdAt: 5, updatedAt: 6 });
    const edge = await graph.addEdge({ fromId: "id-1", toId: "own", edgeType: "chosen" });
    expect(edge).toMatchObject({ fromId: "id-1", toId: "own" });
    expect((await graph.getEdges("id-1")).edges).toEqual([edge]);
  });

  test("without any options: random ids, the time of the machine", async () => {
    const graph = new Decisions(memoryDecisions());
    const [one, other] = await Promise.all([
      graph.addNode({ type: "goal", label: "x" }),
      graph.addNode({ type: "goal", label: "x" }),
    ]);
    expect(one.id).toMatch(/^[0-9a-f]{32}$/);
    expect(other.id).not.toBe(one.id);
    expect(one.createdAt).toBe(1_234);
  });

  test("the scope, in every read and every write", async () => {
    const store = memoryDecisions({ scoped: true });
    const [one, two] = [fixed({ scope: "one" }, store), fixed({ scope: "two" }, store)];
    await one.addNode({ id: "a", type: "goal", label: "of one" });
    await two.addNode({ id: "a", type: "goal", label: "of two" });
    await two.addNode({ id: "b", type: "decision", label: "b" });
    await two.supersede("a", "b");
    expect((await one.activeGoals()).nodes.map((node) => node.label)).toEqual(["of one"]);
    expect((await two.activeGoals()).nodes).toEqual([]);
    expect((await one.query({ type: "history" })).changes).toHaveLength(1);
    await expect(new Decisions(store).stats()).rejects.toMatchObject({ code: "decisions.scope" });
    await expect(new Decisions(store).addNode({ type: "goal", label: "x" })).rejects.toMatchObject({
      code: "decisions.scope",
    });
  });

  test("a key for each write; a key of one's own makes a repetition harmless", async () => {
    const graph = fixed();
    const node = { id: "a", type: "goal", label: "x", createdAt: 1 } as const;
    const again = new Decisions(graph.store, { now: () => 7 });
    const options = { idempotencyKey: "once" };
    await again.addNode(node, options);
    await again.addNode(node, options);
    expect((await graph.stats()).seq).toBe(1);
    const other = again.addNode({ ...node, label: "y" }, options);
    await expect(other).rejects.toMatchObject({ code: "store.key" });
  });

  test("one time for all operations of a write: one moment of the history", async () => {
    const graph = fixed();
    const result = await graph.write([
      { type: "addNode", node: { type: "goal", label: "g" } },
      { type: "addNode", node: { id: "d", type: "decision", label: "d" }, at: 2_000 },
      { type: "addEdge", edge: { fromId: "id-1", toId: "d", edgeType: "leads_to" } },
      { type: "updateNode", id: "d", patch: { confidence: 0.5 } },
      { type: "addNode", node: { id: "e", type: "decision", label: "e" } },
      { type: "supersede", oldId: "d", newId: "e" },
      { type: "deleteNode", id: "id-1" },
    ]);
    expect(result).toMatchObject({ seq: 1, at: 2_000 });
    expect(result.nodes.map(({ id, updatedAt }) => [id, updatedAt])).toEqual([
      ["d", 2_000],
      ["e", 1_000],
    ]);
    expect(result.edges.map(({ createdAt }) => createdAt)).toEqual([1_000]);
  });
});

test("a context has as many recent decisions as are asked for, five where nobody says", async () => {
  const graph = fixed();
  const ids = ["a", "b", "c", "d", "e", "f"];
  for (const id of ids) await graph.addNode({ id, type: "decision", label: id });
  const shown = async (options: object) =>
    ((await graph.context(options)) ?? "").match(/^- \[/gm)?.length;
  expect(await shown({})).toBe(5);
  expect(await shown({ decisionLimit: 2 })).toBe(2);
  expect(await shown({ decisionLimit: 6 })).toBe(6);
});

describe("what it gives back", () => {
  test("every reading function", async () => {
    const graph = fixed();
    await graph.addNode({ id: "goal", type: "goal", label: "Ship it" });
    await graph.addNode({ id: "old", type: "decision", label: "Cookies", rationale: "known" });
    await graph.addEdge({ fromId: "goal", toId: "old", edgeType: "leads_to" });
    await graph.addNode({ id: "new", type: "decision", label: "JWT" });
    await graph.supersede("old", "new", "scales");
    const labels = async (found: Promise<{ nodes: readonly { label: string }[] }>) =>
      (await found).nodes.map(({ label }) => label);

    expect(await labels(graph.recentDecisions())).toEqual(["JWT"]);
    expect(await labels(graph.recentDecisions({ statuses: ["superseded"] }))).toEqual(["Cookies"]);
    expect(await labels(graph.nodes({ types: ["goal"] }))).toEqual(["Ship it"]);
    expect(await labels(graph.nodes({}, { order: "newest", limit: 1 }))).toEqual(["JWT"]);
    expect(await labels(graph.pathBetween("goal", "old"))).toEqual(["Ship it", "Cookies"]);
    expect(await labels(graph.descendants("new"))).toEqual(["Cookies"]);
    expect(await labels(graph.ancestors("old"))).toEqual(["Ship it", "JWT"]);
    expect((await graph.history("old")).changes.map(({ set }) => set.rationale)).toEqual([
      "known",
      "scales",
    ]);
    expect((await graph.why("old")).steps.map(({ node }) => node.id)).toEqual(["goal", "old"]);
    expect((await graph.summary({ decisionLimit: 1 })).decisions).toHaveLength(1);
    expect(await graph.context({ decisionLimit: 1, budget: 300 })).toContain("- [new] JWT");
    expect((await graph.stats()).seq).toBe(5);
  });

  test("a node by its whole id alone", async () => {
    const graph = fixed();
    await graph.addNode({ id: "abc1", type: "goal", label: "x" });
    expect(await graph.updateNode("abc1", { label: "z" })).toMatchObject({ label: "z" });
    const missing = { code: "decisions.missing" };
    await expect(graph.getNode("abc")).rejects.toMatchObject({ ...missing, place: "nodeId" });
    await expect(graph.updateNode("abc", { label: "z" })).rejects.toMatchObject(missing);
    await expect(graph.deleteNode("abc")).rejects.toMatchObject(missing);
  });
});

describe("a store that fails", () => {
  const store = (answer: () => Promise<never>): StorePort => ({
    name: "of a test",
    read: answer,
    write: answer,
  });

  test("is an error, never an empty list", async () => {
    const graph = fixed(
      {},
      store(async () => Promise.reject(new Error("the disk is full"))),
    );
    const failure = {
      code: "port.failed",
      message: "The store of a test failed: the disk is full. Mend it and try again.",
      place: "of a test",
    };
    await expect(graph.activeGoals()).rejects.toMatchObject(failure);
    await expect(graph.descendants("a")).rejects.toMatchObject(failure);
    await expect(graph.addNode({ type: "goal", label: "x" })).rejects.toMatchObject(failure);
  });

  test("that answers with nothing is one too", async () => {
    const graph = fixed(
      {},
      store(async () => undefined as never),
    );
    await expect(graph.recentDecisions()).rejects.toMatchObject({ code: "port.failed" });
    await expect(graph.deleteNode("a")).rejects.toMatchObject({ code: "port.failed" });
  });

  test("what is aborted says why it was", async () => {
    const reason = new Error("enough");
    const graph = fixed({ signal: AbortSignal.abort(reason) });
    await expect(graph.stats()).rejects.toBe(reason);
    await expect(graph.addNode({ type: "goal", label: "x" })).rejects.toBe(reason);
  });
});

test("a key that is none is refused", async () => {
  for (const idempotencyKey of ["", "a\0", "x".repeat(1_001), 5 as unknown as string]) {
    await expect(
      fixed().addNode({ type: "goal", label: "x" }, { idempotencyKey }),
    ).rejects.toMatchObject({ code: "decisions.invalid", place: "idempotencyKey" });
  }
});
