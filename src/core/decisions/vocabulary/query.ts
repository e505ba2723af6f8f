/**
 * Queries, as data. Every result has a specified order and a limit, and tells whether the limit cut
 * it off. Nothing found is an empty list.
 */
import type { EdgeType } from "./edge.js";
import type { NodeStatus, NodeType } from "./node.js";

/** How many results a query gives where it does not say. */
export const DEFAULT_LIMIT = 100;

/** How many decisions `recentDecisions` gives where it does not say. */
export const DEFAULT_RECENT = 10;

/** What every query may say. */
interface Asked {
  /** Whose graph is meant, where the store was opened with scopes. */
  readonly scope?: string | undefined;
  /** At most so many results; default {@link DEFAULT_LIMIT}. */
  readonly limit?: number | undefined;
}

/** A query that can be asked of the past: the graph as it was believed at a time. */
interface AskedOfTime extends Asked {
  /** Milliseconds since 1970; default: now. */
  readonly asOf?: number | undefined;
}

/** A query whose answer may be ids alone: for large results. */
interface AskedOfNodes extends AskedOfTime {
  /** Default `nodes`. */
  readonly select?: "nodes" | "ids" | undefined;
}

/** Goals that are active, in order of creation. */
export interface ActiveGoals extends AskedOfNodes {
  readonly type: "activeGoals";
}

/** Decisions, newest first; `limit` is {@link DEFAULT_RECENT} by default. */
export interface RecentDecisions extends AskedOfNodes {
  readonly type: "recentDecisions";
  /** Default: `active` and `completed`; what was superseded or rejected has to be asked for. */
  readonly statuses?: readonly NodeStatus[] | undefined;
}

/**
 * The nodes of a shortest path, both ends included; of several the one whose nodes come first, in
 * order of creation and then of ids, at the first depth where they differ. From a node to itself it
 * is that node.
 */
export interface PathBetween extends AskedOfNodes {
  readonly type: "pathBetween";
  readonly fromId: string;
  readonly toId: string;
  /** Which edges are followed; default: all. */
  readonly edgeTypes?: readonly EdgeType[] | undefined;
}

/** What can be reached from a node, itself left out: by depth, then creation, then id. */
export interface Descendants extends AskedOfNodes {
  readonly type: "descendants";
  readonly nodeId: string;
  readonly edgeTypes?: readonly EdgeType[] | undefined;
}

/** What can reach a node, itself left out: by depth, then creation, then id. */
export interface Ancestors extends AskedOfNodes {
  readonly type: "ancestors";
  readonly nodeId: string;
  readonly edgeTypes?: readonly EdgeType[] | undefined;
}

/** One node: a list of one, or of none. */
export interface OneNode extends AskedOfNodes {
  readonly type: "node";
  readonly nodeId: string;
}

/** Which nodes; what is left out does not matter. All that is said has to hold. */
export interface NodeFilter {
  /** Full ids. */
  readonly ids?: readonly string[] | undefined;
  readonly types?: readonly NodeType[] | undefined;
  readonly statuses?: readonly NodeStatus[] | undefined;
  /** Stands in the label or in the rationale, exactly as it is written. */
  readonly text?: string | undefined;
  /** Created at this time or later. */
  readonly createdFrom?: number | undefined;
  /** Created before this time. */
  readonly createdBefore?: number | undefined;
}

/** Nodes that a filter lets through, by creation and then id. */
export interface Nodes extends AskedOfNodes {
  readonly type: "nodes";
  readonly where?: NodeFilter | undefined;
  /** Default `oldest` first. */
  readonly order?: "oldest" | "newest" | undefined;
}

/** Edges of a node, or all, by creation and then id. */
export interface Edges extends AskedOfTime {
  readonly type: "edges";
  readonly nodeId?: string | undefined;
  /** Default `outgoing`; only with `nodeId`. */
  readonly direction?: "outgoing" | "incoming" | "both" | undefined;
  readonly edgeTypes?: readonly EdgeType[] | undefined;
}

/**
 * What a node superseded, directly and indirectly, the node itself, and what superseded it in turn.
 * What was superseded comes before what superseded it; those that are as far from the node in order
 * of creation and then id.
 */
export interface History extends AskedOfTime {
  readonly type: "history";
  readonly nodeId: string;
}

/**
 * Why there is a node: the path from its goal, and at each step the options that were chosen and
 * rejected there. The goal is the nearest one that serves no other goal.
 */
export interface Why extends AskedOfTime {
  readonly type: "why";
  readonly nodeId: string;
}

/** Active goals with their children, and recent decisions: what the context builder shows. */
export interface Summary extends AskedOfTime {
  readonly type: "summary";
  /** How many decisions; default 5. `limit` is that of the goals, and of each goal's children. */
  readonly decisionLimit?: number | undefined;
}

/** The history, in the order in which transactions were committed. */
export interface Changes extends Asked {
  readonly type: "changes";
  /** Those with a greater `seq`; default 0, which is all. */
  readonly after?: number | undefined;
}

/** The transaction that was written under an idempotency key: a list of one, or of none. */
export interface OneChange extends Asked {
  readonly type: "change";
  readonly key: string;
}

/** How much there is. */
export interface Stats extends AskedOfTime {
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
  | Changes
  | OneChange
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
  "changes",
  "change",
  "stats",
];

/** A query that has been checked: its limit is filled in, its scope is told apart. */
export type CheckedQuery = DecisionQuery & { readonly limit: number };
