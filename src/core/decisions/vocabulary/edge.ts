/** Edges: how one node relates to another, as plain data. */
import type { JsonObject } from "../../kernel/index.js";

/** Every type of edge; its place here is its number where a store keeps numbers. */
export const edgeTypes = [
  "leads_to",
  "chosen",
  "rejected",
  "requires",
  "blocks",
  "enables",
  "supersedes",
] as const;

/** What an edge says of its ends. `supersedes` leads from the new node to the old one. */
export type EdgeType = (typeof edgeTypes)[number];

/** An edge of the graph. Frozen; edges are never changed, and go when one of their nodes goes. */
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

/** An edge to be added. Each end is an id or a prefix that only one node has. */
export type NewEdge = Pick<DecisionEdge, "id" | "fromId" | "toId" | "edgeType"> &
  Partial<Pick<DecisionEdge, "metadata" | "createdAt">>;
