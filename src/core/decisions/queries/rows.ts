/**
 * The interface between the core and whoever keeps a graph's rows. Queries and transactions are
 * generators that yield row requests and receive rows, so that their rules are written once and run
 * on synchronous and asynchronous backends. It must not know any backend.
 */

import type { Direction } from "../traversal/topology.js";
import type { GraphChange } from "../vocabulary/change.js";
import type { DecisionEdge, EdgeType } from "../vocabulary/edge.js";
import type { DecisionNode } from "../vocabulary/node.js";
import type { NodeFilter } from "../vocabulary/query.js";
import type { FoundStats } from "../vocabulary/query-result.js";

/** A walk over what is connected with what; see `walkRows` for how a topology answers it. */
export type Walk =
  | {
      readonly kind: "reach";
      readonly from: string;
      readonly direction: Direction;
      readonly edgeTypes?: readonly EdgeType[];
    }
  | {
      readonly kind: "path";
      readonly from: string;
      readonly to: string;
      readonly edgeTypes?: readonly EdgeType[];
    }
  | { readonly kind: "why"; readonly to: string }
  | { readonly kind: "supersessions"; readonly of: string };

/** What can be asked for. Each says what is sent for it. */
export type RowRequest =
  /** `DecisionNode[]`: those of these ids that there are, in any order. */
  | { readonly want: "nodes"; readonly ids: readonly string[] }
  /** `string[]`: those of these ids that nodes have, in any order. */
  | { readonly want: "nodeIds"; readonly ids: readonly string[] }
  /** `DecisionNode[]`: the first `limit` that the filter lets through, in the order that is asked. */
  | {
      readonly want: "filtered";
      readonly where: NodeFilter;
      readonly order: "oldest" | "newest";
      readonly limit: number;
    }
  /** `number`: how many nodes the filter lets through. */
  | { readonly want: "count"; readonly where: NodeFilter }
  /**
   * `DecisionEdge[]`: the first `limit` edges of these nodes (of all, where none are given), each
   * once, by creation and then id.
   */
  | {
      readonly want: "edges";
      readonly of?: readonly string[];
      readonly direction: Direction | "both";
      readonly edgeTypes?: readonly EdgeType[];
      readonly limit?: number;
    }
  /** `string[]`: those of these ids that edges have, in any order. */
  | { readonly want: "edgeIds"; readonly ids: readonly string[] }
  /** `string[][]`: for each prefix the first `limit` ids of nodes that begin with it, by bytes. */
  | { readonly want: "startingWith"; readonly prefixes: readonly string[]; readonly limit: number }
  /** `string[]`: for each id its shortest prefix of so many characters or more that only it has. */
  | { readonly want: "shortIds"; readonly ids: readonly string[]; readonly least: number }
  /** `string[]`: the nodes of a walk; it may stop when it has found more than `limit`. */
  | { readonly want: "walk"; readonly walk: Walk; readonly limit: number }
  /** `Change[]`: the first `limit` changes with a greater `seq`, in order. */
  | { readonly want: "changes"; readonly after: number; readonly limit: number }
  /** `Change[]`: the one that was written under this idempotency key, or none. */
  | { readonly want: "changeOf"; readonly key: string }
  /** `Change[]`: in order, at least those with an operation that names one of these nodes. */
  | { readonly want: "changesOf"; readonly ids: readonly string[] }
  /** `FoundStats` */
  | { readonly want: "stats" };

/** What is sent for each. */
export interface RowAnswers {
  readonly nodes: readonly DecisionNode[];
  readonly nodeIds: readonly string[];
  readonly filtered: readonly DecisionNode[];
  readonly count: number;
  readonly edges: readonly DecisionEdge[];
  readonly edgeIds: readonly string[];
  readonly startingWith: readonly (readonly string[])[];
  readonly shortIds: readonly string[];
  readonly walk: readonly string[];
  readonly changes: readonly GraphChange[];
  readonly changeOf: readonly GraphChange[];
  readonly changesOf: readonly GraphChange[];
  readonly stats: FoundStats;
}

/** What is sent for any request. */
export type RowAnswer = RowAnswers[keyof RowAnswers];

/** A computation that asks for rows. */
export type Asking<T> = Generator<RowRequest, T, RowAnswer>;

/** Asks for rows, within an {@link Asking}. */
export function* ask<R extends RowRequest>(request: R): Asking<RowAnswers[R["want"]]> {
  return (yield request) as RowAnswers[R["want"]];
}

/** Runs a computation on rows that are there at once. */
export function answerNow<T>(asking: Asking<T>, rows: (request: RowRequest) => RowAnswer): T {
  let next = asking.next();
  while (next.done !== true) next = asking.next(rows(next.value));
  return next.value;
}

/** Runs a computation on rows that take a while. What fails there is thrown where it was asked. */
export async function answerLater<T>(
  asking: Asking<T>,
  rows: (request: RowRequest) => Promise<RowAnswer>,
): Promise<T> {
  let next = asking.next();
  while (next.done !== true) next = asking.next(await rows(next.value));
  return next.value;
}
