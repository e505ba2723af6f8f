// Why there is a node: which goal is its goal, and by which way.
import { type EdgeType, type NodeType, type Operation, storeRules } from "reckoner/decisions";
import { expect, test } from "vitest";

/** A graph from "goal:g goal:h decision:d" and "g>h h-chosen>d"; created in this order. */
function graphOf(nodes: string, edges: string): storeRules.DecisionGraph {
  const operations: Operation[] = nodes.split(" ").map((text, at) => {
    const [type = "", id = ""] = text.split(":");
    return { type: "addNode", at, node: { id, type: type as NodeType, label: id } };
  });
  for (const [i, text] of edges.split(" ").entries()) {
    const [, fromId = "", edgeType = "leads_to", toId = ""] =
      /^(\w+)(?:-(\w+))?>(\w+)$/.exec(text) ?? [];
    const edge = { id: `e${i}`, fromId, toId, edgeType: edgeType as EdgeType };
    operations.push({ type: "addEdge", at: 100, edge });
  }
  const graph = new storeRules.DecisionGraph();
  graph.write(operations);
  return graph;
}

const why = (graph: storeRules.DecisionGraph, nodeId: string, more: object = {}): string =>
  graph
    .read({ type: "why", nodeId, ...more })
    .steps.map(({ node, edgeType }) => (edgeType === null ? node.id : `${edgeType} ${node.id}`))
    .join(", ");

test.each([
  [
    "the nearest goal that serves no other",
    "goal:far goal:near decision:a decision:d",
    "far>a a>d near>d",
    "d",
    "near, leads_to d",
  ],
  ["of equals the first by its edge", "goal:h goal:g decision:d", "g>d h>d", "d", "g, leads_to d"],
  [
    "a goal below a goal is on the way, not its end",
    "goal:top goal:sub decision:d",
    "top>sub sub>d",
    "d",
    "top, leads_to sub, leads_to d",
  ],
  [
    "goals in a circle: the nearest",
    "goal:a goal:b decision:d",
    "a>b b>a b>d",
    "d",
    "b, leads_to d",
  ],
  [
    "a goal on a circle gives way to one that serves none",
    "goal:a goal:b goal:top decision:d",
    "a>b b>a b>d top>d",
    "d",
    "top, leads_to d",
  ],
  [
    "a way without rejections before a shorter one",
    "goal:g decision:a option:o",
    "g-rejected>o g>a a-chosen>o",
    "o",
    "g, leads_to a, chosen o",
  ],
  [
    "a way with rejections where there is no other",
    "goal:g option:o",
    "g-rejected>o",
    "o",
    "g, rejected o",
  ],
  [
    "what blocks is no reason, nor what supersedes",
    "goal:g decision:a decision:b",
    "g-blocks>a g-supersedes>b",
    "a",
    "",
  ],
  ["a goal's own is itself", "goal:g", "g>g", "g", "g"],
  [
    "of two edges the one that says why",
    "goal:g decision:d",
    "g-rejected>d g-requires>d",
    "d",
    "g, requires d",
  ],
  [
    "of two edges the one that is no supersession",
    "goal:g decision:d",
    "g-supersedes>d g>d",
    "d",
    "g, leads_to d",
  ],
  [
    "a circle below the goal",
    "goal:g decision:a decision:b",
    "g>a a>b b>a",
    "b",
    "g, leads_to a, leads_to b",
  ],
])("%s", (_, nodes, edges, id, expected) => {
  expect(why(graphOf(nodes, edges), id)).toBe(expected);
});

test("the options of each step, those chosen and those rejected, once each", () => {
  const graph = graphOf(
    "goal:g decision:d option:a option:b option:c action:x",
    "g>d d-chosen>a d-rejected>b d-rejected>c d>c d-chosen>b a>x",
  );
  const { steps } = graph.read({ type: "why", nodeId: "x" });
  expect(
    steps.map((step) => [step.chosen, step.rejected].map((nodes) => nodes.map(({ id }) => id))),
  ).toEqual([
    [[], []],
    [
      ["a", "b"],
      ["b", "c"],
    ],
    [[], []],
    [[], []],
  ]);
});

test("an option that is rejected by its status, unless it was chosen", () => {
  const graph = graphOf("goal:g option:a option:b", "g>a g-chosen>b");
  graph.write(
    ["a", "b"].map((id) => ({ type: "updateNode", at: 200, id, patch: { status: "rejected" } })),
  );
  const [step] = graph.read({ type: "why", nodeId: "g" }).steps;
  expect(step?.rejected.map(({ id }) => id)).toEqual(["a"]);
});

test("the limit cuts steps and options off, and says so", () => {
  const graph = graphOf(
    "goal:g option:a option:b option:c decision:d",
    "g-chosen>a g-chosen>b g>c c>d",
  );
  const cut = graph.read({ type: "why", nodeId: "d", limit: 1 });
  expect([cut.steps.length, cut.steps[0]?.chosen.length, cut.truncated]).toEqual([1, 1, true]);
  expect(graph.read({ type: "why", nodeId: "d", limit: 3 }).truncated).toBe(false);
});
