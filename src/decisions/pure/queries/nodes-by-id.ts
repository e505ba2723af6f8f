/** Requests nodes by their ids. */
import type { DecisionNode } from "../vocabulary/node.js";
import { type Asking, ask } from "./rows.js";

/** The nodes of these ids, as far as they exist. */
export function* nodesById(ids: Iterable<string>): Asking<Map<string, DecisionNode>> {
  const each = [...new Set(ids)];
  const rows = each.length === 0 ? [] : yield* ask({ want: "nodes", ids: each });
  return new Map(rows.map(({ node }) => [node.id, node]));
}
