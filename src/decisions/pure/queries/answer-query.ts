/**
 * Answers queries of a decision graph: the rows that each requests, the order of the results, and the limit.
 * Every backend uses it, so that all give the same answers.
 */
import { ReckonerError } from "../../../core/kernel/values/index.js";
import type { DecisionNode } from "../vocabulary/node.js";
import { type CheckedQuery, DEFAULT_SHOWN } from "../vocabulary/query.js";
import type {
  AnyResult,
  FoundEdges,
  FoundHistory,
  FoundNodes,
} from "../vocabulary/query-result.js";
import { answerSummary } from "./answer-summary.js";
import { answerWhy } from "./answer-why.js";
import { type Asking, ask, type Direction, historyOf, type NodeRow, nodesById } from "./rows.js";
import { breadthFirst, neighboursOf, wayBack } from "./walk.js";

/** Candidates that the error for an ambiguous prefix lists at most. */
const MOST_CANDIDATES = 10;

/**
 * Answers a query that has been checked.
 * @throws ReckonerError `decisions.ambiguous` if several ids begin with a prefix
 */
export function* answerQuery(query: CheckedQuery): Asking<AnyResult> {
  const { limit } = query;
  const most = limit + 1;
  switch (query.type) {
    case "activeGoals": {
      const where = { types: ["goal"], statuses: ["active"] } as const;
      const rows = yield* ask({ want: "filtered", where, order: "newest", limit: most });
      const { nodes, truncated } = limited(nodesOf(rows), limit);
      return { nodes: [...nodes].reverse(), truncated };
    }
    case "recentDecisions": {
      const { statuses = ["active", "completed"] } = query;
      const where = { types: ["decision"], statuses } as const;
      const rows = yield* ask({ want: "filtered", where, order: "newest", limit: most });
      return limited(nodesOf(rows), limit);
    }
    case "nodes": {
      const { where = {}, order = "oldest" } = query;
      return limited(nodesOf(yield* ask({ want: "filtered", where, order, limit: most })), limit);
    }
    case "node": {
      const id = yield* idOf(query.nodeId, "nodeId", query.prefix);
      const rows = id === undefined ? [] : yield* ask({ want: "nodes", ids: [id] });
      return limited(nodesOf(rows), limit);
    }
    case "pathBetween":
      return yield* answerPath(query);
    case "descendants":
      return yield* answerReach(query, "outgoing");
    case "ancestors":
      return yield* answerReach(query, "incoming");
    case "edges":
      return yield* answerEdges(query);
    case "history":
      return yield* answerHistory(query);
    case "why": {
      const id = yield* idOf(query.nodeId, "nodeId", query.prefix);
      return id === undefined ? { steps: [], truncated: false } : yield* answerWhy(id, limit);
    }
    case "summary":
      return yield* answerSummary(limit, query.decisionLimit ?? DEFAULT_SHOWN);
    case "stats": {
      const { seq, at, nodes, edges } = yield* ask({ want: "version" });
      return { seq, at: seq === 0 ? null : at, nodes, edges };
    }
  }
}

type Of<T extends CheckedQuery["type"]> = Extract<CheckedQuery, { type: T }>;

function* answerPath({ fromId, toId, prefix, limit }: Of<"pathBetween">): Asking<FoundNodes> {
  const from = yield* idOf(fromId, "fromId", prefix);
  const to = yield* idOf(toId, "toId", prefix);
  if (from === undefined || to === undefined) return limited([], limit);
  const links = yield* ask({ want: "reachable", from, direction: "outgoing" });
  const found = breadthFirst([from], neighboursOf(links, "outgoing"));
  return yield* nodesInOrder([...wayBack(found, to)].reverse(), limit);
}

function* answerReach(
  { nodeId, prefix, limit }: Of<"descendants" | "ancestors">,
  direction: Direction,
): Asking<FoundNodes> {
  const from = yield* idOf(nodeId, "nodeId", prefix);
  if (from === undefined) return limited([], limit);
  const links = yield* ask({ want: "reachable", from, direction });
  const found = breadthFirst([from], neighboursOf(links, direction));
  return yield* nodesInOrder([...found.keys()].slice(1), limit);
}

function* answerEdges({ limit, nodeId, direction = "outgoing" }: Of<"edges">): Asking<FoundEdges> {
  const of = nodeId === undefined ? {} : { of: [nodeId] };
  const rows = yield* ask({ want: "edges", ...of, direction, limit: limit + 1 });
  const edges = rows.slice(0, limit).map(({ edge }) => edge);
  return { edges, truncated: rows.length > limit };
}

function* answerHistory({ nodeId, limit }: Of<"history">): Asking<FoundHistory> {
  const rows =
    nodeId === undefined
      ? yield* ask({ want: "filtered", where: {}, order: "oldest", limit: limit + 1 })
      : yield* ask({ want: "nodes", ids: [nodeId] });
  const changes = rows.flatMap((row) =>
    historyOf(row).map((change) => ({ nodeId: row.node.id, ...change })),
  );
  return { changes: changes.slice(0, limit), truncated: changes.length > limit };
}

function* nodesInOrder(ids: readonly string[], limit: number): Asking<FoundNodes> {
  const shown = ids.slice(0, limit);
  const found = yield* nodesById(shown);
  return { nodes: shown.flatMap((id) => found.get(id) ?? []), truncated: ids.length > limit };
}

function nodesOf(rows: readonly NodeRow[]): readonly DecisionNode[] {
  return rows.map(({ node }) => node);
}

function limited(nodes: readonly DecisionNode[], limit: number): FoundNodes {
  return { nodes: nodes.slice(0, limit), truncated: nodes.length > limit };
}

/** The id that a query means; undefined if there is no such node. */
function* idOf(
  idOrPrefix: string,
  field: string,
  isPrefix: boolean | undefined,
): Asking<string | undefined> {
  const exact = yield* ask({ want: "nodes", ids: [idOrPrefix] });
  if (exact.length > 0) return idOrPrefix;
  if (isPrefix !== true) return undefined;
  const limit = MOST_CANDIDATES + 1;
  const candidates = yield* ask({ want: "startingWith", prefix: idOrPrefix, limit });
  if (candidates.length < 2) return candidates[0];
  const listed = candidates.slice(0, MOST_CANDIDATES).join(", ");
  const more = candidates.length > MOST_CANDIDATES ? " and more" : "";
  const place = `query.${field}`;
  throw new ReckonerError(
    "decisions.ambiguous",
    `${place} is "${idOrPrefix}", with which several ids begin: ${listed}${more}; give more of it.`,
    { place },
  );
}
