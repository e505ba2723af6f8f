/**
 * Answers the query `why` of a decision graph from a backend's rows: the path from a node's goal to the node,
 * with the options chosen and rejected at each step.
 */
import type { DecisionEdge, EdgeType } from "../vocabulary/edge.js";
import type { DecisionNode } from "../vocabulary/node.js";
import type { FoundWhy, WhyStep } from "../vocabulary/query-result.js";
import { type Asking, ask, type Link, nodesById } from "./rows.js";
import { breadthFirst, neighboursOf, wayBack } from "./walk.js";

/**
 * Answers the query.
 * @param limit of the steps, and of the options of each
 */
export function* answerWhy(to: string, limit: number): Asking<FoundWhy> {
  const path = yield* pathFromGoal(to);
  const shown = path.slice(0, limit);
  if (shown.length === 0) return { steps: [], truncated: false };
  const below = new Map<string, DecisionEdge[]>(shown.map((id) => [id, []]));
  for (const { edge } of yield* ask({ want: "edges", of: shown, direction: "outgoing" })) {
    if (edge.edgeType !== "supersedes") below.get(edge.fromId)?.push(edge);
  }
  const named = [...below.values()].flatMap((edges) => edges.map((edge) => edge.toId));
  const nodes = yield* nodesById([...shown, ...named]);
  let truncated = path.length > limit;
  const few = (options: ReadonlySet<DecisionNode>): DecisionNode[] => {
    truncated ||= options.size > limit;
    return [...options].slice(0, limit);
  };
  const steps = shown.map((id, i): WhyStep => {
    const children = (below.get(id) ?? []).flatMap(({ edgeType, toId }) => {
      const node = nodes.get(toId);
      return node === undefined ? [] : [{ edgeType, node }];
    });
    const by = (type: EdgeType) =>
      children.filter(({ edgeType }) => edgeType === type).map(({ node }) => node);
    const chosen = new Set(by("chosen"));
    const byStatus = children.filter(({ node }) => node.status === "rejected" && !chosen.has(node));
    const rejected = new Set([...by("rejected"), ...byStatus.map(({ node }) => node)]);
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

/**
 * The ids of the path from a node's goal to it. The goal is the nearest one to which no other goal
 * leads; if goals lead to each other in a circle, the nearest of all. A path without rejections is
 * preferred. Empty if no goal leads to the node.
 */
function* pathFromGoal(to: string): Asking<readonly string[]> {
  const links = yield* ask({ want: "reachable", from: to, direction: "incoming" });
  const nodes = yield* nodesById([to, ...links.map(({ fromId }) => fromId)]);
  const reasons = links.filter(
    ({ edgeType }) => edgeType !== "blocks" && edgeType !== "supersedes",
  );
  const isGoal = (id: string) => nodes.get(id)?.type === "goal";
  for (const along of [reasons.filter(({ edgeType }) => edgeType !== "rejected"), reasons]) {
    const path = wayFromGoal(along, to, isGoal);
    if (path.length > 0) return path;
  }
  return [];
}

function wayFromGoal(
  links: readonly Link[],
  to: string,
  isGoal: (id: string) => boolean,
): readonly string[] {
  const found = breadthFirst([to], neighboursOf(links, "incoming"));
  const goals = [...found.keys()].filter(isGoal);
  // Everything to which a goal leads, among what leads to the node.
  const below = neighboursOf(
    links.filter(({ fromId, toId }) => found.has(fromId) && found.has(toId)),
    "outgoing",
  );
  const led = new Set([...breadthFirst(goals, below).keys()].flatMap((id) => below(id)));
  const goal = goals.find((id) => !led.has(id)) ?? goals[0];
  return goal === undefined ? [] : wayBack(found, goal);
}

/** The type of the edge to a node: the oldest that says why, or else that it was rejected. */
function typeBetween(edges: readonly DecisionEdge[], to: string): EdgeType | null {
  const types = edges.filter((edge) => edge.toId === to).map((edge) => edge.edgeType);
  return types.find((type) => type !== "rejected" && type !== "blocks") ?? types[0] ?? null;
}
