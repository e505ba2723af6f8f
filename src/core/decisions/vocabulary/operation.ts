/**
 * Operations: all changes of a graph, as data. A list of them is one transaction. The core makes
 * neither ids nor times: the caller provides them.
 */
import type { DecisionEdge, NewEdge } from "./edge.js";
import type { DecisionNode, NewNode, NodePatch } from "./node.js";

/** What every operation says of itself. */
interface Stamped {
  /** Time of the operation, in milliseconds since 1970; `asOf` uses it. */
  readonly at: number;
  /** Whose graph is meant, where the store was opened with scopes; the same in a whole transaction. */
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

/** Changes a node. `updatedAt` becomes the operation's time, where that is later. */
export interface UpdateNode extends Stamped {
  readonly type: "updateNode";
  /** An id, or a prefix that only one node has. */
  readonly id: string;
  readonly patch: NodePatch;
}

/** Takes a node away with all its edges; not one that supersedes another. */
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
  /** Why; it becomes the old node's rationale too. The one before stays in the history. */
  readonly rationale?: string | null;
}

/** Everything that changes a graph. */
export type Operation = AddNode | AddEdge | UpdateNode | DeleteNode | Supersede;

/** Every type of operation. */
export const operationTypes: readonly Operation["type"][] = [
  "addNode",
  "addEdge",
  "updateNode",
  "deleteNode",
  "supersede",
];

/**
 * An operation that has been checked: its defaults are filled in, its scope is told apart. Where it
 * names nodes these are prefixes still, until it has been applied.
 */
export type CheckedOperation =
  | { readonly type: "addNode"; readonly at: number; readonly node: DecisionNode }
  | { readonly type: "addEdge"; readonly at: number; readonly edge: DecisionEdge }
  | {
      readonly type: "updateNode";
      readonly at: number;
      readonly id: string;
      readonly patch: NodePatch;
    }
  | { readonly type: "deleteNode"; readonly at: number; readonly id: string }
  | {
      readonly type: "supersede";
      readonly at: number;
      readonly oldId: string;
      readonly newId: string;
      readonly edgeId: string;
      readonly rationale: string | null;
    };
