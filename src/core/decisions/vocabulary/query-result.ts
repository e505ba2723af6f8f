/** The results of queries, as plain data. `truncated` means that the limit cut a result off. */
import type { GraphChange } from "./change.js";
import type { DecisionEdge, EdgeType } from "./edge.js";
import type { DecisionNode } from "./node.js";
import type { DecisionQuery } from "./query.js";

/** Nodes, in the order that the query specifies. */
export interface FoundNodes {
  readonly nodes: readonly DecisionNode[];
  readonly truncated: boolean;
}

/** The same as ids alone, where the query selects `ids`. */
export interface FoundIds {
  readonly ids: readonly string[];
  readonly truncated: boolean;
}

/** Edges, by creation and then id. */
export interface FoundEdges {
  readonly edges: readonly DecisionEdge[];
  readonly truncated: boolean;
}

/** A rationale that a node had, and since when. */
export interface RationaleAt {
  readonly seq: number;
  readonly at: number;
  readonly rationale: string | null;
}

/** A node in the chain of supersessions. */
export interface HistoryEntry {
  readonly node: DecisionNode;
  /** Every rationale that it has had, the present one last. */
  readonly rationales: readonly RationaleAt[];
  /** The edge that superseded it: by what, when, and why. */
  readonly supersededBy: {
    readonly id: string;
    readonly at: number;
    readonly rationale: string | null;
  } | null;
}

/** What superseded what, along one chain. */
export interface FoundHistory {
  readonly entries: readonly HistoryEntry[];
  readonly truncated: boolean;
}

/** A step on the way from the goal. */
export interface WhyStep {
  readonly node: DecisionNode;
  /** Type of the edge from the step before; null for the goal. */
  readonly edgeType: EdgeType | null;
  /** Options below this step that were chosen: by the edge `chosen`. */
  readonly chosen: readonly DecisionNode[];
  /** Options below this step that were rejected: by the edge `rejected`, or by their status. */
  readonly rejected: readonly DecisionNode[];
}

/** The way from the goal, with what was chosen and rejected at each step. */
export interface FoundWhy {
  readonly steps: readonly WhyStep[];
  readonly truncated: boolean;
}

/** A goal and what hangs directly below it, by creation and then id of the edges. */
export interface GoalSummary {
  readonly node: DecisionNode;
  readonly children: readonly { readonly edgeType: EdgeType; readonly node: DecisionNode }[];
  /** How many children there are, also those that the limit left out: the oldest. */
  readonly childCount: number;
}

/** What the context builder shows. */
export interface FoundSummary {
  /** Active goals by creation and then id; where the limit cuts off, the newest are kept. */
  readonly goals: readonly GoalSummary[];
  readonly goalCount: number;
  /** Newest first. */
  readonly decisions: readonly DecisionNode[];
  /** For each node above its shortest prefix of eight characters or more that only it has. */
  readonly shortIds: readonly { readonly id: string; readonly short: string }[];
  /** The limit left goals or children out. */
  readonly truncated: boolean;
}

/** Transactions, in the order in which they were committed. */
export interface FoundChanges {
  readonly changes: readonly GraphChange[];
  readonly truncated: boolean;
}

/** How much a scope holds, and its version. */
export interface FoundStats {
  /** The version: `seq` of the last change; 0 where there is none. */
  readonly seq: number;
  /** Time of the last change; null where there is none. */
  readonly at: number | null;
  readonly nodes: number;
  readonly edges: number;
}

/** What each query that is not for nodes answers. */
interface OtherResults {
  readonly edges: FoundEdges;
  readonly history: FoundHistory;
  readonly why: FoundWhy;
  readonly summary: FoundSummary;
  readonly changes: FoundChanges;
  readonly change: FoundChanges;
  readonly stats: FoundStats;
}

/** What any query may answer. */
export type AnyResult = FoundNodes | FoundIds | OtherResults[keyof OtherResults];

/** What each query answers. */
export type QueryResult<Q extends DecisionQuery = DecisionQuery> = Q extends {
  type: keyof OtherResults;
}
  ? OtherResults[Q["type"]]
  : Q extends { select: "ids" }
    ? FoundIds
    : Q extends { select: "nodes" | undefined }
      ? FoundNodes
      : "select" extends keyof Q
        ? FoundNodes | FoundIds
        : FoundNodes;
