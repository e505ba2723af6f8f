/**
 * The queries of a decision graph, as plain data, and their default limits. Every result has a specified
 * order, and says whether a limit cut it off. Nothing found is an empty list.
 */
import type { NodeStatus, NodeType } from "./node.js";

/** The default limit of lists. Traversals have none. */
export const DEFAULT_LIMIT = 100;

/** The default limit of `recentDecisions`. */
export const DEFAULT_RECENT = 10;

/** The decisions of a summary, and of the text that an agent is shown, by default. */
export const DEFAULT_SHOWN = 5;

/** The fields that every query may have. */
interface Asked {
  /** The scope, if the store was opened with scopes. */
  readonly scope?: string | undefined;
  /** The greatest number of results; by default {@link DEFAULT_LIMIT}, for traversals none. */
  readonly limit?: number | undefined;
}

/** A query about a node. */
interface AskedOfNode extends Asked {
  readonly nodeId: string;
  /** Takes `nodeId` for the beginning of an id, if no node has it and only one id begins so. */
  readonly prefix?: boolean | undefined;
}

/** Goals that are active, by creation; the limit keeps the newest. */
export interface ActiveGoals extends Asked {
  readonly type: "activeGoals";
}

/** Decisions, newest first; `limit` is {@link DEFAULT_RECENT} by default. */
export interface RecentDecisions extends Asked {
  readonly type: "recentDecisions";
  /** Default: `active` and `completed`. */
  readonly statuses?: readonly NodeStatus[] | undefined;
}

/**
 * The nodes of a shortest path, both ends included; of several the one that a breadth-first search
 * finds first that follows the edges of a node in the order in which they were committed. The path
 * from a node to itself is that node.
 */
export interface PathBetween extends Asked {
  readonly type: "pathBetween";
  readonly fromId: string;
  readonly toId: string;
  /** As in `descendants`, for both ends. */
  readonly prefix?: boolean | undefined;
}

/** The nodes that can be reached from a node, breadth first, without itself. */
export interface Descendants extends AskedOfNode {
  readonly type: "descendants";
}

/** The nodes that can reach a node, breadth first, without itself. */
export interface Ancestors extends AskedOfNode {
  readonly type: "ancestors";
}

/** One node: a list of one, or of none. */
export interface OneNode extends AskedOfNode {
  readonly type: "node";
}

/** A filter of nodes; a field that is left out lets all through. */
export interface NodeFilter {
  readonly types?: readonly NodeType[] | undefined;
  readonly statuses?: readonly NodeStatus[] | undefined;
}

/** Nodes that a filter lets through, by creation. */
export interface Nodes extends Asked {
  readonly type: "nodes";
  readonly where?: NodeFilter | undefined;
  /** Default `oldest` first. */
  readonly order?: "oldest" | "newest" | undefined;
}

/** Edges of a node, or all, in the order in which they were committed. */
export interface Edges extends Asked {
  readonly type: "edges";
  readonly nodeId?: string | undefined;
  /** Default `outgoing`; only with `nodeId`. */
  readonly direction?: "outgoing" | "incoming" | "both" | undefined;
}

/** The committed changes of a node, or of all nodes, node by node. */
export interface History extends Asked {
  readonly type: "history";
  readonly nodeId?: string | undefined;
}

/**
 * The reason for a node: the path from its goal, and at each step the options that were chosen and
 * rejected there. The goal is the nearest one that serves no other goal.
 */
export interface Why extends AskedOfNode {
  readonly type: "why";
}

/** Active goals with their children, and recent decisions: what the context builder shows. */
export interface Summary extends Asked {
  readonly type: "summary";
  /** The number of decisions; default 5. `limit` is that of the goals, and of each goal's children. */
  readonly decisionLimit?: number | undefined;
}

/** The version, and the numbers of nodes and edges. */
export interface Stats extends Asked {
  readonly type: "stats";
}

/** Everything that can be asked of a graph. */
export type DecisionQuery =
  | ActiveGoals
  | RecentDecisions
  | PathBetween
  | Descendants
  | Ancestors
  | OneNode
  | Nodes
  | Edges
  | History
  | Why
  | Summary
  | Stats;

/** Every type of query. */
export const queryTypes: readonly DecisionQuery["type"][] = [
  "activeGoals",
  "recentDecisions",
  "pathBetween",
  "descendants",
  "ancestors",
  "node",
  "nodes",
  "edges",
  "history",
  "why",
  "summary",
  "stats",
];

/** A query that has been checked: its limit is filled in, its scope is kept apart. */
export type CheckedQuery = DecisionQuery & { readonly limit: number };
