// What each query answers is inferred from the query.
import {
  type DecisionQuery,
  Decisions,
  type FoundEdges,
  type FoundHistory,
  type FoundNodes,
  type FoundStats,
  memoryDecisions,
  storeRules,
} from "reckoner/decisions";
import { type PostgresClient, postgresDecisions } from "reckoner/decisions/postgres";
import { expectTypeOf, test } from "vitest";

test("an answer has the type of its query", () => {
  const graph = new storeRules.DecisionGraph();
  expectTypeOf(graph.read({ type: "activeGoals" })).toEqualTypeOf<FoundNodes>();
  expectTypeOf(graph.read({ type: "edges" })).toEqualTypeOf<FoundEdges>();
  expectTypeOf(graph.read({ type: "history", nodeId: "a" })).toEqualTypeOf<FoundHistory>();
  expectTypeOf(new Decisions(memoryDecisions()).stats()).resolves.toEqualTypeOf<FoundStats>();
});

test("what is no query, no operation and no type of node does not compile", () => {
  const graph = new Decisions(memoryDecisions());
  // @ts-expect-error there is no such query
  void ({ type: "everything" } satisfies DecisionQuery);
  // @ts-expect-error a walk needs a node
  void graph.query({ type: "descendants" });
  // @ts-expect-error there is no such type of node
  void graph.addNode({ type: "wish", label: "x" });
  // @ts-expect-error a label is required
  void graph.addNode({ type: "goal" });
  // @ts-expect-error an id cannot be changed
  void graph.updateNode("a", { id: "b" });
  // @ts-expect-error the graph in memory makes no times
  new storeRules.DecisionGraph().write([{ type: "deleteNode", id: "a" }]);
});

test("a store in Postgres is given a client or a folder, and not both", () => {
  const client: PostgresClient = { query: async () => ({ rows: [] }) };
  void (() => postgresDecisions({ client, folder: undefined }));
  void (() => postgresDecisions({ folder: "decisions", schema: undefined }));
  // @ts-expect-error neither
  void (() => postgresDecisions({}));
  // @ts-expect-error both
  void (() => postgresDecisions({ client, folder: "decisions" }));
});
