/** The rationales that nodes have had, in order, from the changes that name them. */
import type { GraphChange } from "../vocabulary/change.js";
import type { RationaleAt } from "../vocabulary/query-result.js";

/**
 * Every rationale of some nodes, in the order in which they were committed.
 * @param changes in order; at least all that name one of the nodes
 */
export function rationalesOf(
  changes: readonly GraphChange[],
  ids: ReadonlySet<string>,
): Map<string, RationaleAt[]> {
  const found = new Map<string, RationaleAt[]>();
  const updated = new Map<string, number>();
  const note = (seq: number, id: string, at: number, rationale: string | null) => {
    const known = found.get(id);
    if (known === undefined) found.set(id, [{ seq, at, rationale }]);
    else if (known.at(-1)?.rationale !== rationale) known.push({ seq, at, rationale });
  };
  /** The node's time of update, after it was changed at a time. */
  const touch = (id: string, at: number): number => {
    const later = Math.max(updated.get(id) ?? 0, at);
    updated.set(id, later);
    return later;
  };
  for (const { seq, operations } of changes) {
    for (const operation of operations) {
      switch (operation.type) {
        case "addNode": {
          const { id, rationale, updatedAt } = operation.node;
          if (!ids.has(id)) break;
          // One of that id may have been deleted before: this is another.
          found.delete(id);
          updated.set(id, updatedAt);
          note(seq, id, updatedAt, rationale);
          break;
        }
        case "updateNode": {
          const { id, at, patch } = operation;
          if (!ids.has(id)) break;
          const later = touch(id, at);
          if (patch.rationale !== undefined) note(seq, id, later, patch.rationale);
          break;
        }
        case "addEdge": {
          const { edge, at } = operation;
          if (edge.edgeType !== "supersedes" || !ids.has(edge.toId)) break;
          const later = touch(edge.toId, at);
          const { rationale } = edge.metadata;
          if (typeof rationale === "string") note(seq, edge.toId, later, rationale);
          break;
        }
        case "supersede": {
          const { oldId, at, rationale } = operation;
          if (!ids.has(oldId)) break;
          const later = touch(oldId, at);
          if (rationale !== null) note(seq, oldId, later, rationale);
          break;
        }
        case "deleteNode":
          break;
      }
    }
  }
  return found;
}
