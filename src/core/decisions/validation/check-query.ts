/**
 * Validates queries of a caller, a model or another process, field by field. Every backend uses it,
 * so that all refuse alike.
 */
import { ReckonerError, toJson } from "../../kernel/index.js";
import { edgeTypes } from "../vocabulary/edge.js";
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

const common = ["type", "scope", "limit"];
const ofTime = [...common, "asOf"];
const ofNodes = [...ofTime, "select"];

function queryOf(type: DecisionQuery["type"], fields: Fields): CheckedQuery {
  const limit = limitOf(fields, "limit", type === "recentDecisions" ? DEFAULT_RECENT : undefined);
  const asOf = fields.has("asOf") ? { asOf: fields.time("asOf") } : {};
  const select = fields.has("select") ? { select: fields.oneOf("select", ["nodes", "ids"]) } : {};
  const following = fields.has("edgeTypes")
    ? { edgeTypes: fields.someOf("edgeTypes", edgeTypes) }
    : {};
  switch (type) {
    case "activeGoals":
      fields.only(ofNodes);
      return { type, limit, ...asOf, ...select };
    case "recentDecisions": {
      fields.only([...ofNodes, "statuses"]);
      const statuses = fields.optional("statuses", (name) => fields.someOf(name, nodeStatuses), [
        "active",
        "completed",
      ] as const);
      return { type, limit, ...asOf, ...select, statuses };
    }
    case "pathBetween": {
      fields.only([...ofNodes, "fromId", "toId", "edgeTypes"]);
      const ends = { fromId: fields.id("fromId"), toId: fields.id("toId") };
      return { type, limit, ...asOf, ...select, ...ends, ...following };
    }
    case "descendants":
    case "ancestors":
      fields.only([...ofNodes, "nodeId", "edgeTypes"]);
      return { type, limit, ...asOf, ...select, nodeId: fields.id("nodeId"), ...following };
    case "node":
      fields.only([...ofNodes, "nodeId"]);
      return { type, limit, ...asOf, ...select, nodeId: fields.id("nodeId") };
    case "nodes": {
      fields.only([...ofNodes, "where", "order"]);
      const where = fields.has("where") ? { where: filterOf(fields.within("where")) } : {};
      const order = fields.optional("order", (name) => fields.oneOf(name, orders), orders[0]);
      return { type, limit, ...asOf, ...select, ...where, order };
    }
    case "edges":
      fields.only([...ofTime, "nodeId", "direction", "edgeTypes"]);
      return { type, limit, ...asOf, ...endOf(fields), ...following };
    case "history":
    case "why":
      fields.only([...ofTime, "nodeId"]);
      return { type, limit, ...asOf, nodeId: fields.id("nodeId") };
    case "summary":
      fields.only([...ofTime, "decisionLimit"]);
      return { type, limit, ...asOf, decisionLimit: limitOf(fields, "decisionLimit", 5) };
    case "changes":
      fields.only([...common, "after"]);
      return {
        type,
        limit,
        after: fields.optional("after", (name) => fields.count(name, 0, MAX_LIMIT), 0),
      };
    case "change":
      fields.only([...common, "key"]);
      return { type, limit, key: fields.key("key") };
    case "stats":
      fields.only(ofTime);
      return { type, limit, ...asOf };
  }
}

function limitOf(fields: Fields, name: string, otherwise: number = DEFAULT_LIMIT): number {
  return fields.optional(name, () => fields.count(name, 1, MAX_LIMIT), otherwise);
}

/** Whose edges are asked for, and in which direction. */
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
  fields.only(["ids", "types", "statuses", "text", "createdFrom", "createdBefore"]);
  return {
    ...(fields.has("ids") && { ids: fields.ids("ids") }),
    ...(fields.has("types") && { types: fields.someOf("types", nodeTypes) }),
    ...(fields.has("statuses") && { statuses: fields.someOf("statuses", nodeStatuses) }),
    ...(fields.has("text") && { text: fields.text("text") }),
    ...(fields.has("createdFrom") && { createdFrom: fields.time("createdFrom") }),
    ...(fields.has("createdBefore") && { createdBefore: fields.time("createdBefore") }),
  };
}
