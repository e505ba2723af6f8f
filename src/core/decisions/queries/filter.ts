/** Matches nodes against a filter, in memory; databases do it in SQL. */
import type { DecisionNode } from "../vocabulary/node.js";
import type { NodeFilter } from "../vocabulary/query.js";

/** A function that says whether a node passes. */
export function nodeFilter(where: NodeFilter): (node: DecisionNode) => boolean {
  const { types, statuses, text, createdFrom, createdBefore } = where;
  const ids = where.ids === undefined ? undefined : new Set(where.ids);
  return (node) =>
    (ids === undefined || ids.has(node.id)) &&
    (types === undefined || types.includes(node.type)) &&
    (statuses === undefined || statuses.includes(node.status)) &&
    (createdFrom === undefined || node.createdAt >= createdFrom) &&
    (createdBefore === undefined || node.createdAt < createdBefore) &&
    (text === undefined || node.label.includes(text) || (node.rationale?.includes(text) ?? false));
}
