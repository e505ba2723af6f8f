/**
 * The types of a node's history in a decision graph, one entry for each committed change, and of the answer
 * to a write.
 */
import type { DecisionEdge } from "./edge.js";
import type { DecisionNode } from "./node.js";

/** One committed change of a node. The list of them is kept with the node, and goes with it. */
export interface NodeChange {
  /** The transaction: its `seq`. */
  readonly seq: number;
  /** Milliseconds since 1970: the node's `updatedAt` from then on. */
  readonly at: number;
  /** The fields that it set: for the first change, which added the node, all but its id and times. */
  readonly set: Partial<Omit<DecisionNode, "id" | "createdAt" | "updatedAt">>;
}

/** The answer to a write. */
export interface WriteResult {
  /** The graph's version after it: how many transactions were committed so far, this one included. */
  readonly seq: number;
  /** The latest time of its operations, and never before that of the transaction before it. */
  readonly at: number;
  /** The nodes that it added or changed, as it left them, in the order in which it touched them. */
  readonly nodes: readonly DecisionNode[];
  /** The edges that it added or changed, likewise. */
  readonly edges: readonly DecisionEdge[];
}
