// What the plan of a write asks for: of nodes that only have to be there the ids, and no more.
import { expect, it } from "vitest";
import {
  answerNow,
  checkOperations,
  DecisionGraph,
  type Operation,
  planWrite,
  type RowRequest,
} from "../../../../../src/core/decisions/index.js";

const { graph } = DecisionGraph.empty.apply([
  { type: "addNode", at: 1, node: { id: "a", type: "goal", label: "A" } },
  { type: "addNode", at: 1, node: { id: "b", type: "decision", label: "B" } },
]);

function asked(...operations: readonly Operation[]): readonly string[] {
  const wanted: string[] = [];
  const rows = (request: RowRequest) => {
    wanted.push("ids" in request ? `${request.want} ${request.ids}` : request.want);
    return graph.rows(request);
  };
  const checked = checkOperations(operations, { scoped: false }).operations;
  answerNow(planWrite(checked, { seq: 1, at: 1 }, "key"), rows);
  return wanted;
}

it("of the ends of an edge, and of new nodes, the ids", () => {
  expect(
    asked(
      { type: "addNode", at: 2, node: { id: "c", type: "option", label: "C" } },
      { type: "addEdge", at: 2, edge: { id: "e", fromId: "a", toId: "c", edgeType: "leads_to" } },
    ),
  ).toEqual(["nodeIds a,c", "edgeIds e"]);
});

it("of a few, the rows at once where one is needed whole", () => {
  const change = { type: "updateNode", at: 2, id: "a", patch: { label: "X" } } as const;
  const adding = (count: number) =>
    Array.from({ length: count }, (_, i) => {
      const node = { id: `n${i}`, type: "option", label: "N" } as const;
      return { type: "addNode", at: 2, node } as const;
    });
  expect(asked(change, ...adding(2))).toEqual(["nodes a,n0,n1"]);
  expect(asked(change, ...adding(100)).map((each) => each.split(" ")[0])).toEqual([
    "nodes",
    "nodeIds",
  ]);
});

it("of what is changed, deleted or superseded, the rows", () => {
  expect(asked({ type: "updateNode", at: 2, id: "a", patch: { label: "X" } })).toEqual(["nodes a"]);
  expect(asked({ type: "deleteNode", at: 2, id: "a" })).toEqual([
    "nodes a",
    "startingWith",
    "edges",
  ]);
  expect(asked({ type: "supersede", at: 2, oldId: "a", newId: "b", edgeId: "e" })).toEqual([
    "nodes a,b",
    "edgeIds e",
  ]);
});
