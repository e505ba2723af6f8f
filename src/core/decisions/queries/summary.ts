/** The query `summary`: active goals with the nodes below them, and recent decisions. */
import type { EdgeType } from "../vocabulary/edge.js";
import type { DecisionNode } from "../vocabulary/node.js";
import type { FoundSummary, GoalSummary } from "../vocabulary/query-result.js";
import { nodesInOrder } from "./nodes-in-order.js";
import { type Asking, ask } from "./rows.js";

/** How many characters a short id has at least. */
const SHORT = 8;

/**
 * What the context builder shows.
 * @param limit of the goals, and of each goal's children: the newest are kept
 */
export function* answerSummary(limit: number, decisionLimit: number): Asking<FoundSummary> {
  const active = { types: ["goal"], statuses: ["active"] } as const;
  const newest = yield* ask({ want: "filtered", where: active, order: "newest", limit });
  const goalCount =
    newest.length < limit ? newest.length : yield* ask({ want: "count", where: active });
  const goals = [...newest].reverse();

  /** For each goal its children, each once, with the edge that says most of it. */
  const below = new Map<string, Map<string, EdgeType>>(goals.map(({ id }) => [id, new Map()]));
  const of = goals.map((goal) => goal.id);
  const edges = of.length === 0 ? [] : yield* ask({ want: "edges", of, direction: "outgoing" });
  for (const { fromId, toId, edgeType } of edges) {
    const children = below.get(fromId);
    const says = edgeType === "chosen" || edgeType === "rejected";
    if (children !== undefined && (says || !children.has(toId))) children.set(toId, edgeType);
  }
  const kept = [...below.values()].flatMap((children) => [...children.keys()].slice(-limit));
  const nodes = new Map<string, DecisionNode>();
  for (const node of yield* nodesInOrder([...new Set(kept)])) nodes.set(node.id, node);

  const settled = { types: ["decision"], statuses: ["active", "completed"] } as const;
  const decisions = yield* ask({
    want: "filtered",
    where: settled,
    order: "newest",
    limit: decisionLimit,
  });
  const summaries = goals.map((node): GoalSummary => {
    const all = [...(below.get(node.id) ?? [])];
    const children = all.slice(-limit).flatMap(([id, edgeType]) => {
      const child = nodes.get(id);
      return child === undefined ? [] : [{ edgeType, node: child }];
    });
    return { node, children, childCount: all.length };
  });
  const named = [...new Set([...of, ...nodes.keys(), ...decisions.map(({ id }) => id)])];
  const short =
    named.length === 0 ? [] : yield* ask({ want: "shortIds", ids: named, least: SHORT });
  return {
    goals: summaries,
    goalCount,
    decisions,
    shortIds: named.map((id, i) => ({ id, short: short[i] ?? id })),
    truncated:
      goalCount > goals.length || summaries.some((goal) => goal.childCount > goal.children.length),
  };
}
