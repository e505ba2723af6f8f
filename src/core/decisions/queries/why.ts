/**
 * The query `why`: the path from a node's goal to it, with the options chosen and rejected at each
 * step.
 */
import type { DecisionEdge, EdgeType } from "../vocabulary/edge.js";
import type { DecisionNode } from "../vocabulary/node.js";
import type { FoundWhy, WhyStep } from "../vocabulary/query-result.js";
import { nodesInOrder } from "./nodes-in-order.js";
import { type Asking, ask } from "./rows.js";

/**
 * The steps from the goal to a node.
 * @param limit of the steps, and of the options of each
 */
export function* answerWhy(to: string, limit: number): Asking<FoundWhy> {
  const ids = yield* ask({ want: "walk", walk: { kind: "why", to }, limit });
  const shown = ids.slice(0, limit);
  if (shown.length === 0) return { steps: [], truncated: false };
  const below = new Map<string, DecisionEdge[]>(shown.map((id) => [id, []]));
  for (const edge of yield* ask({ want: "edges", of: shown, direction: "outgoing" })) {
    if (edge.edgeType !== "supersedes") below.get(edge.fromId)?.push(edge);
  }
  const nodes = new Map<string, DecisionNode>();
  const named = [...below.values()].flatMap((edges) => edges.map((edge) => edge.toId));
  for (const node of yield* nodesInOrder([...new Set([...shown, ...named])])) {
    nodes.set(node.id, node);
  }
  let truncated = ids.length > limit;
  const few = (options: ReadonlySet<DecisionNode>): DecisionNode[] => {
    truncated ||= options.size > limit;
    return [...options].slice(0, limit);
  };
  const steps = shown.map((id, i): WhyStep => {
    const edges = below.get(id) ?? [];
    const chosen = new Set<DecisionNode>();
    const rejected = new Set<DecisionNode>();
    for (const edge of edges) {
      const node = nodes.get(edge.toId);
      if (node === undefined) continue;
      if (edge.edgeType === "chosen") chosen.add(node);
      if (edge.edgeType === "rejected") rejected.add(node);
    }
    for (const edge of edges) {
      const node = nodes.get(edge.toId);
      if (node?.status === "rejected" && !chosen.has(node)) rejected.add(node);
    }
    const before = i === 0 ? [] : (below.get(shown[i - 1] as string) ?? []);
    return {
      node: nodes.get(id) as DecisionNode,
      edgeType: i === 0 ? null : typeBetween(before, id),
      chosen: few(chosen),
      rejected: few(rejected),
    };
  });
  return { steps, truncated };
}

/** The type of the edge to a node: the oldest that says why, or else that it was rejected. */
function typeBetween(edges: readonly DecisionEdge[], to: string): EdgeType | null {
  const types = edges.filter((edge) => edge.toId === to).map((edge) => edge.edgeType);
  return types.find((type) => type !== "rejected" && type !== "blocks") ?? types[0] ?? null;
}
