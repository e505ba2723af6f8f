/** Requests nodes by their ids, in the order of the ids. */
import type { DecisionNode } from "../vocabulary/node.js";
import { type Asking, ask } from "./rows.js";

/** Nodes in the order of these ids; those that there are not are left out. */
export function* nodesInOrder(ids: readonly string[]): Asking<DecisionNode[]> {
  if (ids.length === 0) return [];
  const found = new Map<string, DecisionNode>();
  for (const node of yield* ask({ want: "nodes", ids })) found.set(node.id, node);
  return ids.flatMap((id) => found.get(id) ?? []);
}
