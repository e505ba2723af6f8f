// Net rows: what a transaction comes to for a store that keeps only the present.
import {
  checkOperations,
  DecisionGraph,
  netRows,
  type Operation,
  transact,
} from "reckoner/decisions";
import { expect, test } from "vitest";

const add = (id: string, label = id): Operation => ({
  type: "addNode",
  at: 1,
  node: { id, type: "goal", label },
});
const link = (id: string, fromId: string, toId: string): Operation => ({
  type: "addEdge",
  at: 1,
  edge: { id, fromId, toId, edgeType: "leads_to" },
});
const drop = (id: string): Operation => ({ type: "deleteNode", at: 1, id });
const rename = (id: string, label: string): Operation => ({
  type: "updateNode",
  at: 1,
  id,
  patch: { label },
});

const { graph } = DecisionGraph.empty.apply([add("a"), add("b"), link("e", "a", "b")]);
const rowsAfter = (operations: readonly Operation[]) => {
  const checked = checkOperations(operations, { scoped: false }).operations;
  const { edges } = graph.query({ type: "edges" });
  const base = {
    hasNode: (id: string) => graph.node(id) !== undefined,
    node: (id: string) => graph.node(id),
    startingWith: () => [],
    hasEdge: (id: string) => id === "e",
    edgesOf: (id: string) => edges.filter((edge) => edge.fromId === id || edge.toId === id),
    supersededBy: () => undefined,
  };
  const { effects } = transact(base, checked, { seq: 1, at: 0 }, null);
  const rows = netRows(effects);
  const named = (nodes: readonly { id: string; label?: string }[]) =>
    nodes.map(({ id, label }) => (label === undefined ? id : `${id}=${label}`)).join(" ");
  return {
    addedNodes: named(rows.addedNodes),
    changedNodes: named(rows.changedNodes),
    deletedNodes: rows.deletedNodes.join(" "),
    addedEdges: named(rows.addedEdges),
    deletedEdges: rows.deletedEdges.join(" "),
  };
};
const none = {
  addedNodes: "",
  changedNodes: "",
  deletedNodes: "",
  addedEdges: "",
  deletedEdges: "",
};

test.each([
  ["a new node, changed", [add("c"), rename("c", "x")], { addedNodes: "c=x" }],
  ["an old node, changed twice", [rename("a", "x"), rename("a", "y")], { changedNodes: "a=y" }],
  ["a new node, deleted", [add("c"), link("f", "a", "c"), drop("c")], {}],
  ["an old node, deleted", [rename("a", "x"), drop("a")], { deletedNodes: "a", deletedEdges: "e" }],
  [
    "an old node, deleted and added again",
    [drop("a"), add("a", "new"), rename("a", "newer"), link("e", "b", "a")],
    { deletedNodes: "a", addedNodes: "a=newer", deletedEdges: "e", addedEdges: "e" },
  ],
  [
    "deleted, added and deleted again",
    [drop("a"), add("a"), drop("a")],
    { deletedNodes: "a", deletedEdges: "e" },
  ],
] as const)("%s", (_, operations, expected) => {
  expect(rowsAfter(operations)).toEqual({ ...none, ...expected });
});
