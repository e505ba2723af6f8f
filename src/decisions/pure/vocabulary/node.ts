/**
 * Nodes of a decision graph: goals, decisions, options, actions, outcomes and observations, as plain data.
 */
import type { JsonObject } from "../../../core/kernel/values/index.js";

/** Every type of node. */
export const nodeTypes = [
  "goal",
  "decision",
  "option",
  "action",
  "outcome",
  "observation",
  "revisit",
] as const;

/** The type of a node. It never changes. */
export type NodeType = (typeof nodeTypes)[number];

/** Every status of a node. */
export const nodeStatuses = ["active", "completed", "superseded", "rejected"] as const;

/** The status of a node. Only a supersession makes a node `superseded`, and it stays so. */
export type NodeStatus = (typeof nodeStatuses)[number];

/** A node of the graph. Frozen. */
export interface DecisionNode {
  /** Of the characters `A-Z a-z 0-9 _ . : / -`, one to 160 of them; unique among the scope's nodes. */
  readonly id: string;
  readonly type: NodeType;
  /** A few words; never blank. */
  readonly label: string;
  readonly status: NodeStatus;
  /** From 0 to 1. */
  readonly confidence: number | null;
  readonly rationale: string | null;
  /** Any JSON object; its keys keep their order. */
  readonly metadata: JsonObject;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970; never before `createdAt`. */
  readonly updatedAt: number;
}

/** A node to be added. Defaults: `active`, null, an empty object, and the operation's time. */
export type NewNode = Pick<DecisionNode, "id" | "type" | "label"> &
  Partial<Omit<DecisionNode, "id" | "type" | "label">>;

/** The fields of a node that may be changed. `metadata` is replaced as a whole. */
export type NodePatch = Partial<
  Pick<DecisionNode, "label" | "status" | "confidence" | "rationale" | "metadata">
>;
