/**
 * Validates queries of a caller, a model or another process, field by field. Every backend uses it,
 * so that all refuse alike.
 */
import { ReckonerError, toJson } from "../../../core/kernel/values/index.js";
import { nodeStatuses, nodeTypes } from "../vocabulary/node.js";
import {
  type CheckedQuery,
  DEFAULT_LIMIT,
  DEFAULT_RECENT,
  DEFAULT_SHOWN,
  type DecisionQuery,
  type NodeFilter,
} from "../vocabulary/query.js";
import { count, FLAG, ID, oneOf, optional, record, someOf, variant } from "./fields.js";
import { checkScope } from "./scope.js";

/** A query and the scope it is meant for; the empty text where the store has none. */
export interface CheckedRead {
  readonly scope: string;
  readonly query: CheckedQuery;
}

const MAX_LIMIT = 2_147_483_647;
const COUNT = /* @__PURE__ */ count(1, MAX_LIMIT);

/** The fields of a query with this limit by default. */
const asked = (limit: number) => ({ scope: optional(ID), limit: optional(COUNT, limit) });
const LIST = /* @__PURE__ */ asked(DEFAULT_LIMIT);
/** A path and a traversal are whole, unless a limit is given. */
const WHOLE = /* @__PURE__ */ asked(MAX_LIMIT);
const PREFIX = { prefix: /* @__PURE__ */ optional(FLAG) };
const ABOUT = { nodeId: ID, ...PREFIX };
const STATUSES = { statuses: /* @__PURE__ */ optional(someOf(nodeStatuses)) };
const MAYBE_OF = { nodeId: /* @__PURE__ */ optional(ID) };

const FILTER = /* @__PURE__ */ record<NodeFilter>({
  types: optional(someOf(nodeTypes)),
  ...STATUSES,
});

const QUERY = /* @__PURE__ */ variant<DecisionQuery>({
  activeGoals: LIST,
  recentDecisions: { ...asked(DEFAULT_RECENT), ...STATUSES },
  pathBetween: { ...WHOLE, fromId: ID, toId: ID, ...PREFIX },
  descendants: { ...WHOLE, ...ABOUT },
  ancestors: { ...WHOLE, ...ABOUT },
  node: { ...LIST, ...ABOUT },
  nodes: {
    ...LIST,
    where: optional(FILTER),
    order: optional(oneOf(["oldest", "newest"]), "oldest"),
  },
  edges: {
    ...LIST,
    ...MAYBE_OF,
    direction: optional(oneOf(["outgoing", "incoming", "both"])),
  },
  history: { ...LIST, ...MAYBE_OF },
  why: { ...WHOLE, ...ABOUT },
  summary: { ...LIST, decisionLimit: optional(COUNT, DEFAULT_SHOWN) },
  stats: LIST,
});

/**
 * Checks a query.
 * @param options `scoped`: the query has to name a scope (true) or must not (false)
 * @throws ReckonerError `decisions.query`, `decisions.scope`, `json.refused`, with the path of the
 * field (`query.limit`) as `place`
 */
export function checkQuery(query: unknown, { scoped }: { readonly scoped: boolean }): CheckedRead {
  const value = toJson(query, "query");
  const { scope, ...checked } = QUERY({ value, path: "query", code: "decisions.query" });
  if (checked.type === "edges" && checked.direction !== undefined && checked.nodeId === undefined) {
    throw new ReckonerError(
      "decisions.query",
      "query.direction is given without query.nodeId; say of which node.",
      { place: "query.direction" },
    );
  }
  return { scope: checkScope(scope, "query", scoped), query: checked as CheckedQuery };
}
