/**
 * The results of a decision graph's queries, as plain data. `truncated` means that the limit cut a result
 * off.
 */
import type { NodeChange } from "./change.js";
import type { DecisionEdge, EdgeType } from "./edge.js";
import type { DecisionNode } from "./node.js";
import type { DecisionQuery } from "./query.js";

/** Nodes, in the order that the query specifies. */
export interface FoundNodes {
  readonly nodes: readonly DecisionNode[];
  readonly truncated: boolean;
}

/** Edges, in the order in which they were committed. */
export interface FoundEdges {
  readonly edges: readonly DecisionEdge[];
  readonly truncated: boolean;
}

/** Changes of nodes: node by node, and those of a node in order. */
export interface FoundHistory {
  readonly changes: readonly (NodeChange & { readonly nodeId: string })[];
  readonly truncated: boolean;
}

/** A step on the way from the goal. */
export interface WhyStep {
  readonly node: DecisionNode;
  /** Type of the edge from the step before; null for the goal. */
  readonly edgeType: EdgeType | null;
  /** Nodes below this step that were chosen: by the edge `chosen`. */
  readonly chosen: readonly DecisionNode[];
  /** Nodes below this step that were rejected: by the edge `rejected`, or by their status. */
  readonly rejected: readonly DecisionNode[];
}

/** The way from the goal, with what was chosen and rejected at each step. */
export interface FoundWhy {
  readonly steps: readonly WhyStep[];
  readonly truncated: boolean;
}

/** A goal and the nodes directly below it, in the order in which their edges were committed. */
export interface GoalSummary {
  readonly node: DecisionNode;
  readonly children: readonly { readonly edgeType: EdgeType; readonly node: DecisionNode }[];
  /** The number of children, with those that the limit left out: the oldest. */
  readonly childCount: number;
}

/** The goals and decisions that the context builder shows. */
export interface FoundSummary {
  /** Active goals by creation; the limit keeps the newest. */
  readonly goals: readonly GoalSummary[];
  readonly goalCount: number;
  /** Newest first. */
  readonly decisions: readonly DecisionNode[];
  /** The limit left goals or children out. */
  readonly truncated: boolean;
}

/** The version of a scope, and how much it holds. */
export interface FoundStats {
  /** The number of transactions that were committed. */
  readonly seq: number;
  /** Time of the last one; null if there is none. */
  readonly at: number | null;
  readonly nodes: number;
  readonly edges: number;
}

/** The results of the queries that are not for nodes. */
interface OtherResults {
  readonly edges: FoundEdges;
  readonly history: FoundHistory;
  readonly why: FoundWhy;
  readonly summary: FoundSummary;
  readonly stats: FoundStats;
}

/** The result of any query. */
export type AnyResult = FoundNodes | OtherResults[keyof OtherResults];

/** The result of a query. */
export type QueryResult<Q extends DecisionQuery = DecisionQuery> = Q extends {
  type: keyof OtherResults;
}
  ? OtherResults[Q["type"]]
  : FoundNodes;
