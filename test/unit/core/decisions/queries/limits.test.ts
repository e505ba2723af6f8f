// What a query that is limited gives: the first of what it would have given, and whether that was cut.
import { DecisionGraph, type Operation } from "reckoner/decisions";
import { describe, expect, it } from "vitest";

const node = (id: string, at: number, rationale?: string): Operation => ({
  type: "addNode",
  at,
  node: {
    id,
    type: "decision",
    label: id,
    ...(rationale === undefined ? {} : { rationale }),
  },
});
const edge = (id: string, fromId: string, toId: string, edgeType = "leads_to"): Operation =>
  ({ type: "addEdge", at: 50, edge: { id, fromId, toId, edgeType } }) as Operation;

/** a → b → c → d, and b requires x. */
const chain = DecisionGraph.empty.apply([
  ...["a", "b", "c", "d", "x"].map((id, at) => node(id, at)),
  edge("ab", "a", "b"),
  edge("bc", "b", "c"),
  edge("cd", "c", "d"),
  edge("bx", "b", "x", "requires"),
]).graph;

/** first ← second ← third: each supersedes the one before. */
const replaced = DecisionGraph.empty
  .apply([node("first", 1, "one"), node("second", 2, "two"), node("third", 3, "three")])
  .graph.apply([
    {
      type: "supersede",
      at: 10,
      edgeId: "s1",
      oldId: "first",
      newId: "second",
      rationale: "because",
    },
  ] as Operation[])
  .graph.apply([
    { type: "supersede", at: 20, edgeId: "s2", oldId: "second", newId: "third", rationale: null },
  ] as Operation[]).graph;

describe("a limit", () => {
  it("cuts what was walked, as nodes and as ids", () => {
    const query = { type: "descendants", nodeId: "a", edgeTypes: ["leads_to"] } as const;
    const { nodes } = chain.query({ ...query, limit: 2 }) as { nodes: readonly { id: string }[] };
    expect(nodes.map(({ id }) => id)).toEqual(["b", "c"]);
    expect(chain.query({ ...query, limit: 2, select: "ids" })).toEqual({
      ids: ["b", "c"],
      truncated: true,
    });
    expect(chain.query({ ...query, limit: 3, select: "ids" })).toEqual({
      ids: ["b", "c", "d"],
      truncated: false,
    });
    expect(chain.query({ type: "descendants", nodeId: "a", select: "ids" })).toEqual({
      ids: ["b", "c", "x", "d"],
      truncated: false,
    });
  });

  it("cuts the edges, all of them or of one type", () => {
    const ids = (more: object) => {
      const { edges, truncated } = chain.query({ type: "edges", ...more } as never) as never as {
        edges: { id: string }[];
        truncated: boolean;
      };
      return [edges.map(({ id }) => id).join(" "), truncated];
    };
    expect(ids({ nodeId: "b" })).toEqual(["bc bx", false]);
    expect(ids({ nodeId: "b", limit: 1 })).toEqual(["bc", true]);
    expect(ids({ nodeId: "b", edgeTypes: ["requires"] })).toEqual(["bx", false]);
    expect(ids({ edgeTypes: ["leads_to"], limit: 2 })).toEqual(["ab bc", true]);
  });

  it("cuts the history, of which the oldest comes first", () => {
    const history = (limit?: number) => {
      const { entries, truncated } = replaced.query({
        type: "history",
        nodeId: "second",
        ...(limit === undefined ? {} : { limit }),
      });
      return [entries.map((each) => each.node.id).join(" "), truncated];
    };
    expect(history()).toEqual(["first second third", false]);
    expect(history(3)).toEqual(["first second third", false]);
    expect(history(2)).toEqual(["first second", true]);
    expect(history(1)).toEqual(["first", true]);
  });

  it("cuts the changes", () => {
    const changes = (limit: number) => {
      const found = replaced.query({ type: "changes", limit });
      return [found.changes.length, found.truncated];
    };
    expect(changes(2)).toEqual([2, true]);
    expect(changes(3)).toEqual([3, false]);
  });

  it("cuts the way from the goal", () => {
    const goal: Operation = { type: "addNode", at: 0, node: { id: "g", type: "goal", label: "g" } };
    const { graph } = chain.apply([goal, edge("ga", "g", "a")]);
    const why = (limit: number) => {
      const { steps, truncated } = graph.query({ type: "why", nodeId: "d", limit });
      return [steps.map((step) => step.node.id).join(" "), truncated];
    };
    expect(why(2)).toEqual(["g a", true]);
    expect(why(5)).toEqual(["g a b c d", false]);
  });
});

describe("what is not there", () => {
  it.each([
    [
      { type: "why", nodeId: "none" },
      { steps: [], truncated: false },
    ],
    [
      { type: "history", nodeId: "none" },
      { entries: [], truncated: false },
    ],
    [
      { type: "edges", nodeId: "none" },
      { edges: [], truncated: false },
    ],
    [
      { type: "ancestors", nodeId: "none", select: "ids" },
      { ids: [], truncated: false },
    ],
  ])("is found empty: %o", (query, found) => {
    expect(chain.query(query as never)).toEqual(found);
  });
});

describe("rationales", () => {
  const rationales = (graph: DecisionGraph, nodeId: string) =>
    graph
      .query({ type: "history", nodeId })
      .entries.find((each) => each.node.id === nodeId)
      ?.rationales.map(({ rationale, at }) => `${rationale}@${at}`);

  it("stand in the order in which they were given, each once", () => {
    const graph = DecisionGraph.empty.apply([
      node("n", 1),
      { type: "updateNode", at: 2, id: "n", patch: { rationale: "a" } },
      { type: "updateNode", at: 3, id: "n", patch: { rationale: "a" } },
      { type: "updateNode", at: 4, id: "n", patch: { rationale: "b" } },
      { type: "updateNode", at: 5, id: "n", patch: { label: "N" } },
    ] as Operation[]).graph;
    expect(rationales(graph, "n")).toEqual(["null@1", "a@2", "b@4"]);
  });

  it("are those of the node that is there, not of one of that id that was deleted", () => {
    const graph = DecisionGraph.empty
      .apply([node("n", 1, "old"), node("m", 1)])
      .graph.apply([{ type: "deleteNode", at: 2, id: "n" }] as Operation[])
      .graph.apply([node("n", 3, "new")]).graph;
    expect(rationales(graph, "n")).toEqual(["new@3"]);
  });

  it("of an edge that supersedes count as those of a supersession", () => {
    const graph = DecisionGraph.empty.apply([
      node("old", 1, "once"),
      node("young", 2),
      {
        type: "addEdge",
        at: 9,
        edge: {
          id: "e",
          fromId: "young",
          toId: "old",
          edgeType: "supersedes",
          metadata: { rationale: "since then" },
        },
      },
    ] as Operation[]).graph;
    expect(rationales(graph, "old")).toEqual(["once@1", "since then@9"]);
    expect(graph.node("old")?.rationale).toBe("since then");
  });
});
