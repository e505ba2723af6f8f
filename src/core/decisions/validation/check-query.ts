/**
 * Validates queries of a caller, a model or another process, field by field. Every backend uses it,
 * so that all refuse alike.
 */
import { ReckonerError, toJson } from "../../kernel/index.js";
import { nodeStatuses, nodeTypes } from "../vocabulary/node.js";
import {
  type CheckedQuery,
  DEFAULT_LIMIT,
  DEFAULT_RECENT,
  type DecisionQuery,
  type NodeFilter,
  queryTypes,
} from "../vocabulary/query.js";
import { Fields } from "./fields.js";
import { ScopeCheck } from "./scope.js";

/** A query and the scope it is meant for; the empty text where the store has none. */
export interface CheckedRead {
  readonly scope: string;
  readonly query: CheckedQuery;
}

const MAX_LIMIT = 2_147_483_647;

/**
 * Checks a query.
 * @param options `scoped`: whether it has to name a scope (true) or must not (false)
 * @throws ReckonerError `decisions.query`, `decisions.scope`, `json.refused`, with the path of the
 * field (`query.limit`) as `place`
 */
export function checkQuery(query: unknown, options: { readonly scoped: boolean }): CheckedRead {
  const fields = new Fields("decisions.query", toJson(query, "query"), "query");
  const type: DecisionQuery["type"] = fields.oneOf("type", queryTypes);
  const scope = new ScopeCheck(options.scoped);
  scope.take(fields);
  return { scope: scope.scope, query: queryOf(type, fields) };
}

const directions = ["outgoing", "incoming", "both"] as const;
const orders = ["oldest", "newest"] as const;
/** Queries that have no limit unless one is given. */
const whole: ReadonlySet<string> = new Set(["pathBetween", "descendants", "ancestors", "why"]);

function queryOf(type: DecisionQuery["type"], fields: Fields): CheckedQuery {
  const otherwise = whole.has(type) ? MAX_LIMIT : DEFAULT_LIMIT;
  const limit = limitOf(fields, "limit", type === "recentDecisions" ? DEFAULT_RECENT : otherwise);
  const only = (...more: readonly string[]) => fields.only(["type", "scope", "limit", ...more]);
  const prefix = fields.has("prefix") ? { prefix: fields.flag("prefix") } : {};
  switch (type) {
    case "activeGoals":
    case "stats":
      only();
      return { type, limit };
    case "recentDecisions": {
      only("statuses");
      const statuses = fields.has("statuses")
        ? { statuses: fields.someOf("statuses", nodeStatuses) }
        : {};
      return { type, limit, ...statuses };
    }
    case "pathBetween":
      only("fromId", "toId", "prefix");
      return { type, limit, fromId: fields.id("fromId"), toId: fields.id("toId"), ...prefix };
    case "descendants":
    case "ancestors":
    case "node":
    case "why":
      only("nodeId", "prefix");
      return { type, limit, nodeId: fields.id("nodeId"), ...prefix };
    case "nodes": {
      only("where", "order");
      const where = fields.has("where") ? { where: filterOf(fields.within("where")) } : {};
      const order = fields.optional("order", (name) => fields.oneOf(name, orders), orders[0]);
      return { type, limit, ...where, order };
    }
    case "edges":
      only("nodeId", "direction");
      return { type, limit, ...endOf(fields) };
    case "history":
      only("nodeId");
      return { type, limit, ...(fields.has("nodeId") && { nodeId: fields.id("nodeId") }) };
    case "summary":
      only("decisionLimit");
      return { type, limit, decisionLimit: limitOf(fields, "decisionLimit", 5) };
  }
}

function limitOf(fields: Fields, name: string, otherwise: number): number {
  return fields.optional(name, () => fields.count(name, 1, MAX_LIMIT), otherwise);
}

/** The node whose edges are asked for, and their direction. */
function endOf(fields: Fields) {
  if (!fields.has("nodeId")) {
    if (!fields.has("direction")) return {};
    throw new ReckonerError(
      "decisions.query",
      "query.direction is given without query.nodeId; say of which node.",
      { place: "query.direction" },
    );
  }
  const nodeId = fields.id("nodeId");
  const direction = fields.optional(
    "direction",
    (name) => fields.oneOf(name, directions),
    directions[0],
  );
  return { nodeId, direction };
}

function filterOf(fields: Fields): NodeFilter {
  fields.only(["types", "statuses"]);
  return {
    ...(fields.has("types") && { types: fields.someOf("types", nodeTypes) }),
    ...(fields.has("statuses") && { statuses: fields.someOf("statuses", nodeStatuses) }),
  };
}
