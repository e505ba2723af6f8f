/** Answers row requests from a graph in memory, as of one tick. */

import { byCreation } from "../ids/order.js";
import { nodeFilter } from "../queries/filter.js";
import type { RowAnswer, RowRequest } from "../queries/rows.js";
import { type Direction, maskOf } from "../traversal/topology.js";
import { walkRows } from "../traversal/walk-rows.js";
import type { GraphChange } from "../vocabulary/change.js";
import type { DecisionEdge, EdgeType } from "../vocabulary/edge.js";
import type { DecisionNode } from "../vocabulary/node.js";
import type { NodeFilter } from "../vocabulary/query.js";
import type { FoundStats } from "../vocabulary/query-result.js";
import type { Archive } from "./archive.js";
import { changesUpTo } from "./changes-up-to.js";

/** A graph in memory at one tick. */
export interface ArchiveView {
  readonly archive: Archive;
  readonly tick: number;
  /** The time that was asked for, where the tick lies within the change that the view ends with. */
  readonly asOf?: number | undefined;
}

/** What is asked for, at once. */
export function memoryRows(view: ArchiveView, request: RowRequest): RowAnswer {
  const { archive, tick } = view;
  const isThere = (id: string) => archive.node(id, tick) !== undefined;
  switch (request.want) {
    case "nodes":
      return request.ids.flatMap((id) => archive.node(id, tick) ?? []);
    case "nodeIds":
      return request.ids.filter(isThere);
    case "filtered":
      return filtered(view, request.where, request.order, request.limit);
    case "count":
      return filtered(view, request.where, "oldest", Number.POSITIVE_INFINITY).length;
    case "edges":
      return memoryEdges(view, request);
    case "edgeIds":
      return request.ids.filter((id) => archive.hasEdge(id));
    case "startingWith":
      return request.prefixes.map((prefix) =>
        archive.prefixes.startingWith(prefix, request.limit, isThere),
      );
    case "shortIds":
      return request.ids.map((id) => archive.prefixes.shortest(id, request.least, isThere));
    case "walk": {
      const numberOf = (id: string) => archive.numberOf(id, tick);
      return walkRows(archive.topology, request.walk, numberOf, { limit: request.limit, tick });
    }
    case "changes":
      return changesOf(view, request.after, request.limit);
    case "changeOf": {
      const change = changeOf(view, request.key);
      return change === undefined ? [] : cutOff(view, [change]);
    }
    case "changesOf":
      return cutOff(view, archive.changesOf(request.ids, tick));
    case "stats":
      return statsOf(view);
  }
}

function filtered(
  { archive, tick }: ArchiveView,
  where: NodeFilter,
  order: "oldest" | "newest",
  limit: number,
): DecisionNode[] {
  const passes = nodeFilter(where);
  const found: DecisionNode[] = [];
  if (where.ids !== undefined) {
    for (const id of new Set(where.ids)) {
      const node = archive.node(id, tick);
      if (node !== undefined && passes(node)) found.push(node);
    }
    found.sort(byCreation);
    return (order === "newest" ? found.reverse() : found).slice(0, limit);
  }
  const numbers = archive.numbersOf(where.types);
  const count = numbers.length;
  for (let i = 0; i < count && found.length < limit; i++) {
    const number = numbers[order === "newest" ? count - 1 - i : i] as number;
    const node = archive.nodeWith(number, tick);
    if (node !== undefined && passes(node)) found.push(node);
  }
  return found;
}

/** The changes up to the view's tick: those after one, at most so many. */
export function changesOf(view: ArchiveView, after = 0, limit?: number): readonly GraphChange[] {
  const { changes, moments } = view.archive;
  const count = moments[view.tick]?.changes ?? 0;
  const end = Math.min(count, after + (limit ?? count));
  return cutOff(view, changes.slice(after, end));
}

/** The change up to the view's tick that was written under an idempotency key. */
export function changeOf({ archive, tick }: ArchiveView, key: string): GraphChange | undefined {
  const change = archive.changeOf(key);
  const count = archive.moments[tick]?.changes ?? 0;
  return change !== undefined && change.seq <= count ? change : undefined;
}

/** Changes without what their last one did after the view's time. */
function cutOff({ asOf }: ArchiveView, changes: readonly GraphChange[]): readonly GraphChange[] {
  return asOf === undefined ? changes : changesUpTo(changes, asOf);
}

/** Edges by creation and then id, as a request asks for them. */
export function memoryEdges(
  { archive, tick }: ArchiveView,
  request: {
    readonly of?: readonly string[];
    readonly direction: Direction | "both";
    readonly edgeTypes?: readonly EdgeType[];
    readonly limit?: number;
  },
): DecisionEdge[] {
  const { of, direction, edgeTypes, limit = Number.POSITIVE_INFINITY } = request;
  if (of === undefined) {
    const found: DecisionEdge[] = [];
    for (const number of archive.edgeNumbers()) {
      if (found.length >= limit) break;
      if (!archive.isThere(number, tick)) continue;
      const edge = archive.edgeWith(number);
      if (edgeTypes?.includes(edge.edgeType) ?? true) found.push(edge);
    }
    return found;
  }
  const numbers = new Set<number>();
  const mask = maskOf(edgeTypes);
  for (const id of of) {
    const node = archive.numberOf(id, tick);
    if (node === undefined) continue;
    for (const way of ["outgoing", "incoming"] as const) {
      if (direction !== way && direction !== "both") continue;
      archive.topology.eachEdge(node, way, tick, (edge) => numbers.add(edge), mask);
    }
  }
  const found = Array.from(numbers, (number) => archive.edgeWith(number)).sort(byCreation);
  return limit < found.length ? found.slice(0, limit) : found;
}

function statsOf({ archive, tick }: ArchiveView): FoundStats {
  const { at, changes, nodes, edges } = archive.moments[tick] ?? {
    at: 0,
    changes: 0,
    nodes: 0,
    edges: 0,
  };
  return { seq: changes, at: changes === 0 ? null : at, nodes, edges };
}
