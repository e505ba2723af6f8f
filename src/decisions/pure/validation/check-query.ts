/**
 * Validates queries of a decision graph, from a caller, a model or another process, field by field. Every
 * backend uses it, so that all refuse alike.
 */
import * as shapes from "../../../core/kernel/shapes.js";
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
import { checkShape, count, ID } from "./fields.js";
import { checkScope } from "./scope.js";

/** A query and the scope it is meant for; the empty text where the store has none. */
export interface CheckedRead {
  readonly scope: string;
  readonly query: CheckedQuery;
}

const MAX_LIMIT = 2_147_483_647;
const COUNT = /* @__PURE__ */ count(1, MAX_LIMIT);

const ABOUT = { nodeId: ID };
const PREFIX = { prefix: shapes.FLAG };
const STATUSES = { statuses: /* @__PURE__ */ shapes.listOf(shapes.oneOf(...nodeStatuses)) };
const filterParts: shapes.Shapes<NodeFilter> = {
  types: /* @__PURE__ */ shapes.listOf(shapes.oneOf(...nodeTypes)),
  ...STATUSES,
};
const FILTER = /* @__PURE__ */ shapes.optionsOf(filterParts);
const ORDER = /* @__PURE__ */ shapes.oneOf("oldest", "newest");
const DIRECTION = /* @__PURE__ */ shapes.oneOf("outgoing", "incoming", "both");

/* @__NO_SIDE_EFFECTS__ */
function asking(required: shapes.Shapes<object> = {}, optional: shapes.Shapes<object> = {}) {
  const parts = { type: shapes.TEXT, scope: ID, limit: COUNT, ...required, ...optional };
  return shapes.optionsOf(parts, "type", ...Object.keys(required));
}

const queries: { readonly [Type in DecisionQuery["type"]]: shapes.Shape } = {
  activeGoals: asking(),
  recentDecisions: asking({}, STATUSES),
  pathBetween: asking({ fromId: ID, toId: ID }, PREFIX),
  descendants: asking(ABOUT, PREFIX),
  ancestors: asking(ABOUT, PREFIX),
  node: asking(ABOUT, PREFIX),
  nodes: asking({}, { where: FILTER, order: ORDER }),
  edges: asking({}, { ...ABOUT, direction: DIRECTION }),
  history: asking({}, ABOUT),
  why: asking(ABOUT, PREFIX),
  summary: asking({}, { decisionLimit: COUNT }),
  stats: asking(),
};
const QUERY = /* @__PURE__ */ shapes.tagged("type", queries);

/** The parts that queries have by default. A path and a traversal are whole, unless a limit is given. */
const WHOLE = { limit: MAX_LIMIT };
const DEFAULTS: { readonly [type: string]: object } = {
  recentDecisions: { limit: DEFAULT_RECENT },
  pathBetween: WHOLE,
  descendants: WHOLE,
  ancestors: WHOLE,
  why: WHOLE,
  nodes: { limit: DEFAULT_LIMIT, order: "oldest" },
  summary: { limit: DEFAULT_LIMIT, decisionLimit: DEFAULT_SHOWN },
};

/**
 * Checks a query.
 * @param options `scoped`: the query has to name a scope (true) or must not (false)
 * @throws ReckonerError `decisions.query`, `decisions.scope`, `json.refused`, with the path of the
 * field (`query.limit`) as `place`
 */
export function checkQuery(query: unknown, { scoped }: { readonly scoped: boolean }): CheckedRead {
  const value = toJson(query, "query");
  checkShape(value, QUERY, "query", "decisions.query");
  const { scope, ...own } = value as object as DecisionQuery;
  const checked = { limit: DEFAULT_LIMIT, ...DEFAULTS[own.type], ...own };
  if (checked.type === "edges" && checked.direction !== undefined && checked.nodeId === undefined) {
    throw new ReckonerError(
      "decisions.query",
      "query.direction is given without query.nodeId; say of which node.",
      { place: "query.direction" },
    );
  }
  return { scope: checkScope(scope, "query", scoped), query: checked as CheckedQuery };
}
