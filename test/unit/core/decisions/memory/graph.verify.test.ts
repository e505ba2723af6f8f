// The graph as a value: nothing changes it, its past can be asked, and no size or shape ends a walk.
import { DecisionGraph, type Operation } from "reckoner/decisions";
import { describe, expect, test } from "vitest";

const add = (id: string, at = 0, more: object = {}): Operation => ({
  type: "addNode",
  at,
  node: { id, type: "decision", label: id, ...more },
});
const link = (fromId: string, toId: string, at = 0): Operation => ({
  type: "addEdge",
  at,
  edge: { id: `${fromId}:${toId}`, fromId, toId, edgeType: "leads_to" },
});
const idsOf = (graph: DecisionGraph) => graph.query({ type: "nodes", select: "ids" }).ids;

describe("immutability", () => {
  test("a graph stays as it was, whatever is made of it", () => {
    const { graph: one } = DecisionGraph.empty.apply([add("a"), add("b", 1), link("a", "b", 1)]);
    const { graph: two } = one.apply([{ type: "deleteNode", at: 2, id: "b" }]);
    const { graph: three } = two.apply([add("b", 3, { label: "again" })]);
    const { graph: other } = one.apply([add("c", 4)]);
    expect(idsOf(DecisionGraph.empty)).toEqual([]);
    expect(idsOf(one)).toEqual(["a", "b"]);
    expect(one.query({ type: "descendants", nodeId: "a", select: "ids" }).ids).toEqual(["b"]);
    expect(idsOf(two)).toEqual(["a"]);
    expect(three.query({ type: "descendants", nodeId: "a" }).nodes).toEqual([]);
    expect(three.node("b")?.label).toBe("again");
    expect(one.node("b")?.label).toBe("b");
    expect(idsOf(other)).toEqual(["a", "b", "c"]);
    expect([one.seq, two.seq, three.seq, other.seq]).toEqual([1, 2, 3, 2]);
    expect(three.changes.map((change) => change.seq)).toEqual([1, 2, 3]);
  });

  test("what it gives out cannot change it", () => {
    const metadata = { list: [1] };
    const operation = add("a", 0, { metadata });
    const { graph, change } = DecisionGraph.empty.apply([operation]);
    metadata.list.push(2);
    expect(graph.node("a")?.metadata).toEqual({ list: [1] });
    const node = graph.node("a") as object as { label: string; metadata: { list: number[] } };
    expect(() => {
      node.label = "b";
    }).toThrow(TypeError);
    expect(() => node.metadata.list.push(3)).toThrow(TypeError);
    expect(() => (change.operations as unknown[]).push(1)).toThrow(TypeError);
    (graph.changes as unknown[]).length = 0;
    expect(graph.changes).toHaveLength(1);
    const found = graph.query({ type: "nodes" }).nodes as unknown[];
    found.length = 0;
    expect(idsOf(graph)).toEqual(["a"]);
  });

  test("a refused transaction leaves no trace", () => {
    const { graph } = DecisionGraph.empty.apply([add("a")]);
    expect(() => graph.apply([add("b"), link("a", "b"), add("a")])).toThrow(
      "operations[2].node.id",
    );
    expect(graph.stats).toEqual({ seq: 1, at: 0, nodes: 1, edges: 0 });
    const { graph: next } = graph.apply([add("b"), link("a", "b")]);
    expect(next.query({ type: "edges" }).edges).toHaveLength(1);
  });

  test("a key is remembered by the graphs after it, and by no other", () => {
    const { graph: one } = DecisionGraph.empty.apply([add("a")]);
    const { graph: two, change } = one.apply([add("b")], "once");
    expect(two.apply([add("b")], "once")).toEqual({ graph: two, change });
    expect(() => two.apply([add("c")], "once")).toThrow(
      expect.objectContaining({ code: "store.key" }),
    );
    expect(idsOf(one.apply([add("c")], "once").graph)).toEqual(["a", "c"]);
  });
});

describe("the past", () => {
  const { graph } = DecisionGraph.empty.apply(
    [add("a", 10), add("b", 20), link("a", "b", 30)],
    "k",
  );

  test("lies within a transaction, where its operations have several times", () => {
    const then = graph.asOf(25);
    expect(idsOf(then)).toEqual(["a", "b"]);
    expect(then.stats).toEqual({ seq: 1, at: 20, nodes: 2, edges: 0 });
    expect(then.changes).toMatchObject([{ seq: 1, at: 20, key: "k", result: { operations: 2 } }]);
    expect(DecisionGraph.fromChanges(then.changes).stats).toEqual(then.stats);
    // A prefix that was resolved later is not spoken of yet.
    const named = graph.apply([add("c", 40), { type: "deleteNode", at: 50, id: "a" }]).graph;
    const other = named.apply([add("xyz", 60), { type: "deleteNode", at: 70, id: "xy" }]).graph;
    expect(other.changes[2]?.result.resolved).toHaveLength(1);
    expect(other.asOf(65).changes[2]?.result.resolved).toEqual([]);
    expect(then.asOf(15).stats.nodes).toBe(1);
    expect(graph.asOf(9).changes).toEqual([]);
  });

  test("has the change of a key as far as it had come", () => {
    const { graph: two } = graph.apply([add("c", 40)], "later");
    const found = (of: DecisionGraph, key: string) => of.query({ type: "change", key }).changes;
    expect(found(two, "k")).toEqual(graph.changes);
    expect(found(two, "later")).toEqual(two.changes.slice(1));
    expect(found(two.asOf(25), "k")).toEqual(graph.asOf(25).changes);
    // The older graph shares its history with the newer one.
    for (const old of [graph, two.asOf(39)]) expect(found(old, "later")).toEqual([]);
  });

  test("can be gone on from, which is another graph", () => {
    const { graph: other } = graph.asOf(25).apply([add("c", 26)]);
    expect(idsOf(other)).toEqual(["a", "b", "c"]);
    expect(other.query({ type: "edges" }).edges).toEqual([]);
    expect(idsOf(graph)).toEqual(["a", "b"]);
  });

  test("is the present from its last moment on", () => {
    expect(graph.asOf(30)).toBe(graph);
    expect(graph.asOf(1e15)).toBe(graph);
  });
});

describe("size and shape", () => {
  test("a path of 100 000 hops is found, and all that is on it", () => {
    const name = (i: number) => `n${i}`;
    const length = 100_001;
    const nodes = Array.from({ length }, (_, i) => add(name(i), i));
    const links = nodes.slice(1).map((_, i) => link(name(i), name(i + 1)));
    const { graph } = DecisionGraph.empty.apply([...nodes, ...links]);
    const all = { select: "ids", limit: length } as const;
    const [first, last] = [name(0), name(length - 1)];
    const path = graph.query({ type: "pathBetween", fromId: first, toId: last, ...all });
    expect([path.ids.length, path.ids[1], path.truncated]).toEqual([length, "n1", false]);
    const below = graph.query({ type: "descendants", nodeId: first, ...all }).ids;
    expect([below.length, below.at(-1)]).toEqual([length - 1, last]);
    expect(graph.query({ type: "ancestors", nodeId: last, ...all }).ids).toHaveLength(length - 1);
  });

  test("diamonds upon diamonds are walked once each", () => {
    const operations: Operation[] = [add("0")];
    for (let i = 0; i < 200; i++) {
      operations.push(add(`${i}l`, i), add(`${i}r`, i), add(`${i + 1}`, i));
      for (const side of ["l", "r"]) {
        operations.push(link(`${i}`, `${i}${side}`), link(`${i}${side}`, `${i + 1}`));
      }
    }
    const { graph } = DecisionGraph.empty.apply(operations);
    const below = graph.query({ type: "descendants", nodeId: "0", select: "ids", limit: 1000 });
    expect(below.ids).toHaveLength(600);
    expect(below.ids.slice(0, 4)).toEqual(["0l", "0r", "1", "1l"]);
    const path = graph.query({ type: "pathBetween", fromId: "0", toId: "200", limit: 1000 });
    expect(path.nodes).toHaveLength(401);
  });

  test("a chain of 20 000 supersessions, and a cycle at its end", () => {
    const count = 20_000;
    const operations: Operation[] = [add("n0")];
    for (let i = 1; i < count; i++) {
      const ends = { oldId: `n${i - 1}`, newId: `n${i}`, edgeId: `e${i}` };
      operations.push(add(`n${i}`, i), { type: "supersede", at: i, ...ends });
    }
    const { graph } = DecisionGraph.empty.apply(operations);
    const { entries } = graph.query({ type: "history", nodeId: "n5", limit: count });
    expect(entries.map((entry) => entry.node.id)).toEqual(
      Array.from({ length: count }, (_, i) => `n${i}`),
    );
    const cycle = {
      type: "supersede",
      at: count,
      oldId: `n${count - 1}`,
      newId: "n0",
      edgeId: "x",
    };
    expect(() => graph.apply([cycle as Operation])).toThrow(
      expect.objectContaining({ code: "decisions.cycle" }),
    );
  });
});
