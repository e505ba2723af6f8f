/** Thoughts and edges: the plain data of the graph. */

import type * as shapes from "../../kernel/shapes.js";
import type { JsonObject } from "../../kernel/values/index.js";

/** Where a thought comes from: the problem itself, a model, or a rule that merged thoughts. */
export type ThoughtKind = "root" | "thought" | "refinement" | "aggregation";

/**
 * A thought. The graph never changes one; it holds another one under the same id.
 * `State` is for a task's own functions, which know what their parsers make.
 */
export interface Thought<State extends object = JsonObject> {
  /** A path: `root`, or `thought/<operation>/<source>/<answer>`. */
  readonly id: string;
  readonly kind: ThoughtKind;
  /** The model's words; for the root, the prompt. */
  readonly content: string;
  /** The parser's reading, laid over the state that it came from. The paper's `state`. */
  readonly state: State;
  /** Longest way from the root over structural edges, as they were when the thought was added. */
  readonly depth: number;
  /** The operation that made it; `null` for the root. */
  readonly operation: string | null;
  /** The model calls from whose answers it was read; empty where no model was asked. */
  readonly calls: readonly string[];
  /** The score of the last operation that scored it; `null`: not scored. */
  readonly score: number | null;
  /** True when it is valid; `null`: not validated. */
  readonly valid: boolean | null;
  /** True when it is right, compared to the truth; `null`: not compared. */
  readonly solved: boolean | null;
  /** The operation that gave the score. */
  readonly scoredBy: string | null;
  /** The number of failures with it or with its offspring. */
  readonly failures: number;
}

/** The required parts of a new thought; the rest has defaults. */
export type NewThought<State extends object = JsonObject> = Pick<Thought, "id" | "content"> &
  shapes.Options<Partial<Omit<Thought<State>, "id" | "content">>>;

/** Edges that make thoughts of thoughts. */
export type StructuralEdge = "generates" | "refines" | "aggregates";

/**
 * The meaning of an edge. `generates` (a parent and its child), `refines` (a thought and its better
 * version) and `aggregates` (one of several and what they were merged to) are **structural**: they alone
 * define parents, children, depth, leaves and paths. `connects` says that two thoughts have to do with
 * each other, and nothing more.
 */
export type EdgeType = StructuralEdge | "connects";

/** An edge between two thoughts. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
  /** The connection of the two, in the model's words. */
  readonly description?: string;
}

/** All types, structural ones first. */
export const edgeTypes: readonly EdgeType[] = ["generates", "refines", "aggregates", "connects"];

/** Returns true when edges of a type define parents, depth, leaves and paths. */
export function isStructural(type: EdgeType): type is StructuralEdge {
  return type !== "connects";
}
