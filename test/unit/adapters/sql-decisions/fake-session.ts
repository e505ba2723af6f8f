// A database in a few lines, for tests of what is kept between calls: a history, of which a session
// sees the beginning.

import { ScopeRows } from "../../../../src/adapters/sql-decisions/rows.js";
import { Schema } from "../../../../src/adapters/sql-decisions/schema.js";
import type { SqlSession } from "../../../../src/adapters/sql-decisions/session.js";
import {
  DecisionGraph,
  edgeTypes,
  type GraphChange,
  nodeTypes,
} from "../../../../src/core/decisions/index.js";

const never = () => Promise.reject(new Error("not asked for here"));

/** A history that grows, and sessions that each see it up to a version. */
export class FakeHistory {
  readonly changes: GraphChange[] = [];
  scans = 0;
  /** Pages of changes that were read. */
  pages = 0;
  graph: DecisionGraph = DecisionGraph.empty;

  write(...operations: Parameters<DecisionGraph["apply"]>[0]): this {
    const { graph, change } = this.graph.apply(operations);
    this.graph = graph;
    this.changes.push(change);
    return this;
  }

  /** The rows that a transaction sees which began at a version. */
  rows(seq: number = this.changes.length): ScopeRows {
    const graph = DecisionGraph.fromChanges(this.changes.slice(0, seq));
    const session: SqlSession = {
      query: async (text, parameters = []) => {
        if (!text.includes("decision_changes")) throw new Error(`Not asked for here: ${text}`);
        this.pages += 1;
        const [, after = 0, limit = 0] = parameters;
        return this.changes
          .slice(0, seq)
          .filter((change) => change.seq > Number(after))
          .slice(0, Number(limit))
          .map((change) => ({
            ...change,
            operations: JSON.stringify(change.operations),
            result: JSON.stringify(change.result),
          }));
      },
      scan: async (_scope, takeNodes, takeEdges) => {
        this.scans += 1;
        const { nodes } = graph.query({ type: "nodes", limit: 10_000 });
        takeNodes({
          ids: nodes.map((node) => node.id),
          // Keys have gaps where nodes were deleted.
          keys: nodes.map((_, i) => 3 * i + 1000),
          createdAt: nodes.map((node) => node.createdAt),
          types: nodes.map((node) => nodeTypes.indexOf(node.type)),
        });
        const keys = new Map(nodes.map((node, i) => [node.id, 3 * i + 1000]));
        const { edges } = graph.query({ type: "edges", limit: 10_000 });
        takeEdges({
          from: edges.map((edge) => keys.get(edge.fromId) as number),
          to: edges.map((edge) => keys.get(edge.toId) as number),
          types: edges.map((edge) => edgeTypes.indexOf(edge.edgeType)),
        });
      },
      insert: never,
      updateNodes: never,
      neighbours: never,
    };
    return new ScopeRows(new Schema("main"), session, "");
  }
}
