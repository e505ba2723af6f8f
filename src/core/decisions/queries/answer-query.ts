/**
 * Answers queries: which rows each requests, the order of the results, and the limit. Every backend
 * uses it, so that all give the same answers.
 */
import { idOfPrefix, MOST_CANDIDATES } from "../ids/name-node.js";
import type { DecisionNode } from "../vocabulary/node.js";
import type { CheckedQuery } from "../vocabulary/query.js";
import type {
  AnyResult,
  FoundEdges,
  FoundHistory,
  FoundIds,
  FoundNodes,
  HistoryEntry,
} from "../vocabulary/query-result.js";
import { nodesInOrder } from "./nodes-in-order.js";
import { rationalesOf } from "./rationales.js";
import { type Asking, ask, type Walk } from "./rows.js";
import { answerSummary } from "./summary.js";
import { answerWhy } from "./why.js";

/**
 * The answer to a query that has been checked.
 * @throws ReckonerError `decisions.ambiguous` where a prefix fits several nodes
 */
export function* answerQuery(query: CheckedQuery): Asking<AnyResult> {
  const { limit } = query;
  switch (query.type) {
    case "activeGoals": {
      const where = { types: ["goal"], statuses: ["active"] } as const;
      const nodes = yield* ask({ want: "filtered", where, order: "oldest", limit: limit + 1 });
      return limited(nodes, query);
    }
    case "recentDecisions": {
      const where = { types: ["decision"], statuses: query.statuses ?? [] } as const;
      const nodes = yield* ask({ want: "filtered", where, order: "newest", limit: limit + 1 });
      return limited(nodes, query);
    }
    case "nodes": {
      const { where = {}, order = "oldest" } = query;
      return limited(yield* ask({ want: "filtered", where, order, limit: limit + 1 }), query);
    }
    case "node": {
      const id = yield* idOf(query.nodeId, "nodeId");
      return limited(id === undefined ? [] : yield* ask({ want: "nodes", ids: [id] }), query);
    }
    case "pathBetween": {
      const from = yield* idOf(query.fromId, "fromId");
      const to = yield* idOf(query.toId, "toId");
      if (from === undefined || to === undefined) return limited([], query);
      return yield* walked({ kind: "path", from, to, ...following(query) }, query);
    }
    case "descendants":
    case "ancestors": {
      const from = yield* idOf(query.nodeId, "nodeId");
      if (from === undefined) return limited([], query);
      const direction = query.type === "descendants" ? "outgoing" : "incoming";
      return yield* walked({ kind: "reach", from, direction, ...following(query) }, query);
    }
    case "edges":
      return yield* answerEdges(query);
    case "history":
      return yield* answerHistory(query);
    case "why": {
      const id = yield* idOf(query.nodeId, "nodeId");
      return id === undefined ? { steps: [], truncated: false } : yield* answerWhy(id, limit);
    }
    case "summary":
      return yield* answerSummary(limit, query.decisionLimit ?? 5);
    case "changes": {
      const { after = 0 } = query;
      const changes = yield* ask({ want: "changes", after, limit: limit + 1 });
      return { changes: changes.slice(0, limit), truncated: changes.length > limit };
    }
    case "change":
      return { changes: yield* ask({ want: "changeOf", key: query.key }), truncated: false };
    case "stats":
      return yield* ask({ want: "stats" });
  }
}

type Of<T extends CheckedQuery["type"]> = Extract<CheckedQuery, { type: T }>;
type OfNodes = Extract<CheckedQuery, { select?: unknown }>;

function* walked(walk: Walk, query: OfNodes): Asking<FoundNodes | FoundIds> {
  const { limit } = query;
  const ids = yield* ask({ want: "walk", walk, limit });
  const shown = ids.slice(0, limit);
  const truncated = ids.length > limit;
  if (query.select === "ids") return { ids: shown, truncated };
  return { nodes: yield* nodesInOrder(shown), truncated };
}

function* answerEdges(query: Of<"edges">): Asking<FoundEdges> {
  const { limit, nodeId, direction = "outgoing" } = query;
  const id = nodeId === undefined ? undefined : yield* idOf(nodeId, "nodeId");
  if (nodeId !== undefined && id === undefined) return { edges: [], truncated: false };
  const edges = yield* ask({
    want: "edges",
    ...(id !== undefined && { of: [id] }),
    direction,
    ...following(query),
    limit: limit + 1,
  });
  return { edges: edges.slice(0, limit), truncated: edges.length > limit };
}

function* answerHistory({ nodeId, limit }: Of<"history">): Asking<FoundHistory> {
  const of = yield* idOf(nodeId, "nodeId");
  if (of === undefined) return { entries: [], truncated: false };
  const ids = yield* ask({ want: "walk", walk: { kind: "supersessions", of }, limit });
  const shown = ids.slice(0, limit);
  const nodes = yield* nodesInOrder(shown);
  const edges = yield* ask({
    want: "edges",
    of: shown,
    direction: "incoming",
    edgeTypes: ["supersedes"],
  });
  const by = new Map(edges.map((edge) => [edge.toId, edge]));
  const rationales = rationalesOf(yield* ask({ want: "changesOf", ids: shown }), new Set(shown));
  const entries = nodes.map((node): HistoryEntry => {
    const edge = by.get(node.id);
    const why = edge?.metadata.rationale;
    return {
      node,
      rationales: rationales.get(node.id) ?? [],
      supersededBy:
        edge === undefined
          ? null
          : {
              id: edge.fromId,
              at: edge.createdAt,
              rationale: typeof why === "string" ? why : null,
            },
    };
  });
  return { entries, truncated: ids.length > limit };
}

function limited(nodes: readonly DecisionNode[], query: OfNodes): FoundNodes | FoundIds {
  const shown = nodes.slice(0, query.limit);
  const truncated = nodes.length > query.limit;
  if (query.select === "ids") return { ids: shown.map((node) => node.id), truncated };
  return { nodes: shown, truncated };
}

function following(query: Of<"pathBetween" | "descendants" | "ancestors" | "edges">) {
  return query.edgeTypes === undefined ? {} : { edgeTypes: query.edgeTypes };
}

/** The id that a query means; undefined where there is no such node. */
function* idOf(given: string, field: string): Asking<string | undefined> {
  const exact = yield* ask({ want: "nodes", ids: [given] });
  if (exact.length > 0) return given;
  const limit = MOST_CANDIDATES + 1;
  const [candidates = []] = yield* ask({ want: "startingWith", prefixes: [given], limit });
  return candidates.length === 0 ? undefined : idOfPrefix(given, candidates, `query.${field}`);
}
