/**
 * Operations: all changes of a decision graph, as data. A list of them is one transaction. The caller
 * provides ids and times, since the core makes neither. Ids are whole.
 */
import type { DecisionEdge, EdgeType, NewEdge } from "./edge.js";
import type { DecisionNode, NewNode, NodePatch, NodeStatus, NodeType } from "./node.js";

/** The fields that every operation has. */
interface Stamped {
  /** Time of the operation, in milliseconds since 1970. */
  readonly at: number;
  /** The scope, if the store was opened with scopes; the same in a whole transaction. */
  readonly scope?: string;
}

/** Adds a node that is not `superseded`. */
export interface AddNode extends Stamped {
  readonly type: "addNode";
  readonly node: NewNode;
}

/** Adds an edge. One of type `supersedes` is a supersession, and marks its target as superseded. */
export interface AddEdge extends Stamped {
  readonly type: "addEdge";
  readonly edge: NewEdge;
}

/** Changes a node. `updatedAt` becomes the operation's time, if that is later. */
export interface UpdateNode extends Stamped {
  readonly type: "updateNode";
  readonly id: string;
  readonly patch: NodePatch;
  /** Refuses a node of another type. */
  readonly nodeType?: NodeType;
}

/** Deletes a node with all its edges; not one that supersedes another. */
export interface DeleteNode extends Stamped {
  readonly type: "deleteNode";
  readonly id: string;
}

/** Marks the old node as superseded and adds an edge `supersedes` from the new one to it. */
export interface Supersede extends Stamped {
  readonly type: "supersede";
  readonly oldId: string;
  readonly newId: string;
  /** Id of the edge. */
  readonly edgeId: string;
  /** The reason; it becomes the old node's rationale too. The one before stays in its history. */
  readonly rationale?: string | null;
  /** Refuses nodes of another type. */
  readonly nodeType?: NodeType;
}

/** The outcome of an option. */
export type OptionOutcome = "open" | "chosen" | "rejected";

/** The outcomes of an option: the status that each gives it, and the type of the edges to it. */
export const optionOutcomes: Readonly<
  Record<OptionOutcome, { readonly status: NodeStatus; readonly edgeType: EdgeType }>
> = {
  open: { status: "active", edgeType: "leads_to" },
  chosen: { status: "completed", edgeType: "chosen" },
  rejected: { status: "rejected", edgeType: "rejected" },
};

/** Returns true for the types of edges that say what became of the option at their end. */
export function tellsOutcome(type: string): boolean {
  return Object.values(optionOutcomes).some(({ edgeType }) => edgeType === type);
}

/** Gives an option its outcome: its status, and the type of those edges to it that tell one. */
export interface DecideOption extends Stamped {
  readonly type: "decideOption";
  readonly id: string;
  readonly outcome: OptionOutcome;
  /** The reason; it becomes the option's rationale. */
  readonly rationale?: string | null;
}

/** Everything that changes a graph. */
export type Operation = AddNode | AddEdge | UpdateNode | DeleteNode | Supersede | DecideOption;

type Checked<T> = T extends unknown ? Omit<T, "scope"> : never;

/** An operation that has been checked: its defaults are filled in, its scope is kept apart. */
export type CheckedOperation =
  | { readonly type: "addNode"; readonly at: number; readonly node: DecisionNode }
  | { readonly type: "addEdge"; readonly at: number; readonly edge: DecisionEdge }
  | Checked<UpdateNode | DeleteNode | Supersede | DecideOption>;
