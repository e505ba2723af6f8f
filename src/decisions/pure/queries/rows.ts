/**
 * The interface between the rules of decision graphs and a backend that keeps a graph's rows. Queries and
 * writes are generators that yield row requests and receive rows, so that they run on synchronous and
 * asynchronous backends. It must not know any backend.
 */
import type { NodeChange } from "../vocabulary/change.js";
import type { DecisionEdge, EdgeType } from "../vocabulary/edge.js";
import type { DecisionNode } from "../vocabulary/node.js";
import type { NodeFilter } from "../vocabulary/query.js";

/** A node as a backend keeps it. */
export interface NodeRow {
  /** Its place in the order in which nodes and edges were committed. */
  readonly key: number;
  /** The transaction that added it. */
  readonly seq: number;
  readonly node: DecisionNode;
  /** Its changes; empty as long as it was only added: `historyOf` gives that change then too. */
  readonly history: readonly NodeChange[];
}

/** An edge as a backend keeps it. */
export interface EdgeRow {
  readonly key: number;
  readonly edge: DecisionEdge;
}

/** As much of an edge as a traversal needs. */
export type Link = Pick<DecisionEdge, "fromId" | "toId"> & { readonly edgeType: EdgeType };

/** The direction in which edges are followed. */
export type Direction = "outgoing" | "incoming";

/** The version of a graph, and its counters. */
export interface Version {
  readonly seq: number;
  readonly at: number;
  readonly nodes: number;
  readonly edges: number;
  /** The number of keys that rows were given. */
  readonly keys: number;
}

/** The version of an empty graph. */
export const NO_VERSION: Version = { seq: 0, at: 0, nodes: 0, edges: 0, keys: 0 };

/** Requests for rows; {@link RowAnswers} has the answer of each. */
export type RowRequest =
  /** The nodes of these ids, in any order. */
  | { readonly want: "nodes"; readonly ids: readonly string[] }
  /** The first `limit` nodes that the filter lets through, by `createdAt` and then `key`. */
  | {
      readonly want: "filtered";
      readonly where: NodeFilter;
      readonly order: "oldest" | "newest";
      readonly limit: number;
    }
  /** The first `limit` edges of these nodes (of all, if none are given), each once, by `key`. */
  | {
      readonly want: "edges";
      readonly of?: readonly string[];
      readonly direction: Direction | "both";
      readonly limit?: number;
    }
  /** The edges of these ids, in any order. */
  | { readonly want: "edgesById"; readonly ids: readonly string[] }
  /** All edges that can be reached from a node; the edges of each node by `key`. */
  | { readonly want: "reachable"; readonly from: string; readonly direction: Direction }
  /** The first `limit` ids of nodes that begin so, by their bytes. */
  | { readonly want: "startingWith"; readonly prefix: string; readonly limit: number }
  | { readonly want: "version" };

/** The answer to each request. */
export interface RowAnswers {
  readonly nodes: readonly NodeRow[];
  readonly filtered: readonly NodeRow[];
  readonly edges: readonly EdgeRow[];
  readonly edgesById: readonly EdgeRow[];
  readonly reachable: readonly Link[];
  readonly startingWith: readonly string[];
  readonly version: Version;
}

/** The answer to any request. */
export type RowAnswer = RowAnswers[keyof RowAnswers];

/** A computation that asks for rows. */
export type Asking<T> = Generator<RowRequest, T, RowAnswer>;

/** Asks for rows, within an {@link Asking}. */
export function* ask<R extends RowRequest>(request: R): Asking<RowAnswers[R["want"]]> {
  return (yield request) as RowAnswers[R["want"]];
}

/** The nodes of these ids, as far as they exist. */
export function* nodesById(ids: Iterable<string>): Asking<Map<string, DecisionNode>> {
  const each = [...new Set(ids)];
  const rows = each.length === 0 ? [] : yield* ask({ want: "nodes", ids: each });
  return new Map(rows.map(({ node }) => [node.id, node]));
}

/** Runs a computation on rows that are there at once. */
export function answerNow<T>(asking: Asking<T>, rows: (request: RowRequest) => RowAnswer): T {
  let next = asking.next();
  while (next.done !== true) next = asking.next(rows(next.value));
  return next.value;
}

/** Runs a computation on rows that take a while. */
export async function answerLater<T>(
  asking: Asking<T>,
  rows: (request: RowRequest) => Promise<RowAnswer>,
): Promise<T> {
  let next = asking.next();
  while (next.done !== true) next = asking.next(await rows(next.value));
  return next.value;
}

/** All changes of a node; the first is the one that added it. */
export function historyOf({ seq, node, history }: NodeRow): readonly NodeChange[] {
  if (history.length > 0) return history;
  const { id: _id, createdAt: _createdAt, updatedAt: at, ...set } = node;
  return [{ seq, at, set }];
}
