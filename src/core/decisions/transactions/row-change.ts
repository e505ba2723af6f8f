/** Row changes: what a transaction adds, changes and deletes, in order. */
import type { DecisionEdge } from "../vocabulary/edge.js";
import type { DecisionNode } from "../vocabulary/node.js";

/** One row that comes, changes or goes. `at` is the operation's time, and never goes back. */
export type RowChange =
  | { readonly type: "nodeAdded"; readonly at: number; readonly node: DecisionNode }
  | { readonly type: "nodeChanged"; readonly at: number; readonly node: DecisionNode }
  /** Its edges go with it: they are among the effects before this one. */
  | { readonly type: "nodeDeleted"; readonly at: number; readonly node: DecisionNode }
  | { readonly type: "edgeAdded"; readonly at: number; readonly edge: DecisionEdge }
  | { readonly type: "edgeDeleted"; readonly at: number; readonly edge: DecisionEdge };

/**
 * The net rows to write. A row that was deleted and added again is in both lists: a store deletes
 * first.
 */
export interface NetRows {
  /** Nodes that were not there before, in the order in which they came. */
  readonly addedNodes: readonly DecisionNode[];
  /** Nodes that were there, as they are now. */
  readonly changedNodes: readonly DecisionNode[];
  readonly deletedNodes: readonly string[];
  readonly addedEdges: readonly DecisionEdge[];
  readonly deletedEdges: readonly string[];
}

/** A row that a transaction touched. */
interface Touched<T> {
  /** There was such a row before the transaction. */
  readonly before: boolean;
  /** It went in between; what there is after is another one of the same id. */
  wentAway: boolean;
  after: T | undefined;
}

/** The rows that effects come to in the end: for a store that keeps only the present. */
export function netRows(effects: readonly RowChange[]): NetRows {
  const nodes = new Map<string, Touched<DecisionNode>>();
  const edges = new Map<string, Touched<DecisionEdge>>();
  for (const effect of effects) {
    switch (effect.type) {
      case "nodeAdded":
        touch(nodes, effect.node.id, false).after = effect.node;
        break;
      case "nodeChanged":
        touch(nodes, effect.node.id, true).after = effect.node;
        break;
      case "nodeDeleted":
        remove(touch(nodes, effect.node.id, true));
        break;
      case "edgeAdded":
        touch(edges, effect.edge.id, false).after = effect.edge;
        break;
      case "edgeDeleted":
        remove(touch(edges, effect.edge.id, true));
        break;
    }
  }
  const changedNodes: DecisionNode[] = [];
  for (const { before, wentAway, after } of nodes.values()) {
    if (before && !wentAway && after !== undefined) changedNodes.push(after);
  }
  return {
    addedNodes: added(nodes),
    changedNodes,
    deletedNodes: deleted(nodes),
    addedEdges: added(edges),
    deletedEdges: deleted(edges),
  };
}

function touch<T>(rows: Map<string, Touched<T>>, id: string, before: boolean): Touched<T> {
  const known = rows.get(id);
  if (known !== undefined) return known;
  const touched: Touched<T> = { before, wentAway: false, after: undefined };
  rows.set(id, touched);
  return touched;
}

function remove(row: Touched<unknown>): void {
  row.wentAway = true;
  row.after = undefined;
}

function added<T>(rows: Map<string, Touched<T>>): T[] {
  const found: T[] = [];
  for (const { before, wentAway, after } of rows.values()) {
    if (after !== undefined && (!before || wentAway)) found.push(after);
  }
  return found;
}

function deleted(rows: Map<string, Touched<unknown>>): string[] {
  const found: string[] = [];
  for (const [id, { before, wentAway }] of rows) if (before && wentAway) found.push(id);
  return found;
}
