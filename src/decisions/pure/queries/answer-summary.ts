/**
 * Answers the query `summary` of a decision graph from a backend's rows: active goals with the nodes below
 * them, and recent decisions. `summary-text.ts` makes a text of its result for an agent.
 */
import type { EdgeType } from "../vocabulary/edge.js";
import type { FoundSummary, GoalSummary } from "../vocabulary/query-result.js";
import { type Asking, ask, nodesById } from "./rows.js";

/**
 * Answers the query.
 * @param limit of the goals, and of each goal's children: the newest are kept
 */
export function* answerSummary(limit: number, decisionLimit: number): Asking<FoundSummary> {
  const active = { types: ["goal"], statuses: ["active"] } as const;
  const order = "oldest";
  const everyGoal = yield* ask({ want: "filtered", where: active, order, limit: Infinity });
  const goals = everyGoal.slice(-limit).map(({ node }) => node);

  /** For each goal its children, each once, with the edge that says most of it. */
  const below = new Map<string, Map<string, EdgeType>>(goals.map(({ id }) => [id, new Map()]));
  const of = goals.map((goal) => goal.id);
  const edges = of.length === 0 ? [] : yield* ask({ want: "edges", of, direction: "outgoing" });
  for (const { edge } of edges) {
    const children = below.get(edge.fromId);
    const says = edge.edgeType === "chosen" || edge.edgeType === "rejected";
    if (says || children?.has(edge.toId) === false) children?.set(edge.toId, edge.edgeType);
  }
  const kept = [...below.values()].flatMap((children) => [...children.keys()].slice(-limit));
  const nodes = yield* nodesById(kept);
  const summaries = goals.map((node): GoalSummary => {
    const all = [...(below.get(node.id) ?? [])];
    const children = all.slice(-limit).flatMap(([id, edgeType]) => {
      const child = nodes.get(id);
      return child === undefined ? [] : [{ edgeType, node: child }];
    });
    return { node, children, childCount: all.length };
  });

  const where = { types: ["decision"], statuses: ["active", "completed"] } as const;
  const recent = yield* ask({ want: "filtered", where, order: "newest", limit: decisionLimit });
  return {
    goals: summaries,
    goalCount: everyGoal.length,
    decisions: recent.map(({ node }) => node),
    truncated:
      everyGoal.length > goals.length ||
      summaries.some((goal) => goal.childCount > goal.children.length),
  };
}
