/**
 * The type of a law that every decision store must keep, and shorthands for the writes and queries of such
 * laws.
 */

import type { StorePort } from "../../runtime/index.js";
import type { AddEdge, AddNode, EdgeType, NewNode, NodeType } from "../pure/index.js";
import type { Pair } from "./pair.js";

/** One law. */
export interface StoreLaw {
  /** The law, as a sentence. */
  readonly name: string;
  /** Rejects with an Error that says what does not hold. */
  check(): Promise<void>;
}

/** Makes a store of decisions that holds nothing yet; `scoped`: one that is opened with scopes. */
export type MakeStore = (how: { readonly scoped: boolean }) => StorePort | Promise<StorePort>;

/** A law, before it has a store. */
export interface OpenStoreLaw {
  readonly name: string;
  /** Default: a store without scopes. */
  readonly scoped?: boolean;
  /** Gets the store, and the store beside the graph in memory. */
  readonly holds: (pair: Pair, store: StorePort) => Promise<void>;
}

/** An operation that adds a node; `at` is also when the node was created. */
export function node(
  id: string,
  at = 0,
  more: Partial<NewNode> = {},
  type: NodeType = "decision",
): AddNode {
  return { type: "addNode", at, node: { id, type, label: `the label of ${id}`, ...more } };
}

/** An operation that adds an edge, with an id made of its ends and its type. */
export function edge(
  fromId: string,
  toId: string,
  edgeType: EdgeType = "leads_to",
  at = 0,
): AddEdge {
  const id = `${fromId}:${toId}:${edgeType}`;
  return { type: "addEdge", at, edge: { id, fromId, toId, edgeType } };
}
