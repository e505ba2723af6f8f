/** Edges of a decision graph: the relations between nodes, as plain data. */
import type { JsonObject } from "../../../core/kernel/values/index.js";

/** Every type of edge. */
export const edgeTypes = [
  "leads_to",
  "chosen",
  "rejected",
  "requires",
  "blocks",
  "enables",
  "supersedes",
] as const;

/** The relation between an edge's ends. `supersedes` leads from the new node to the old one. */
export type EdgeType = (typeof edgeTypes)[number];

/**
 * An edge of the graph. Frozen. It goes when one of its nodes goes; only the outcome of an option
 * changes its type.
 */
export interface DecisionEdge {
  /** As a node's id; unique among the scope's edges. */
  readonly id: string;
  readonly fromId: string;
  readonly toId: string;
  readonly edgeType: EdgeType;
  readonly metadata: JsonObject;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** An edge to be added. */
export type NewEdge = Pick<DecisionEdge, "id" | "fromId" | "toId" | "edgeType"> &
  Partial<Pick<DecisionEdge, "metadata" | "createdAt">>;
