/** A decision graph in memory: rows in maps, and for each node the edges that leave and reach it. */
import { answerQuery } from "../queries/answer-query.js";
import {
  answerNow,
  type Direction,
  type EdgeRow,
  type Link,
  NO_VERSION,
  type NodeRow,
  type RowAnswer,
  type RowRequest,
  type Version,
} from "../queries/rows.js";
import { refuseOtherKey } from "../transactions/key.js";
import { planWrite } from "../transactions/plan-write.js";
import { type CheckedTransaction, checkOperations } from "../validation/check-operations.js";
import { checkQuery } from "../validation/check-query.js";
import type { WriteResult } from "../vocabulary/change.js";
import type { Operation } from "../vocabulary/operation.js";
import type { CheckedQuery, DecisionQuery } from "../vocabulary/query.js";
import type { AnyResult, QueryResult } from "../vocabulary/query-result.js";

/** The edges of each node, by their ids. */
type Incidence = Map<string, Map<string, EdgeRow>>;

/** See the banner. */
export class DecisionGraph {
  #version: Version = NO_VERSION;
  readonly #nodes = new Map<string, NodeRow>();
  readonly #edges = new Map<string, EdgeRow>();
  readonly #incidence: Readonly<Record<Direction, Incidence>> = {
    outgoing: new Map(),
    incoming: new Map(),
  };
  readonly #written = new Map<string, { readonly digest: string; readonly result: WriteResult }>();

  /**
   * Carries out operations: all take effect, or none does and this throws.
   * @param key an idempotency key: with it, the same operations have no second effect
   * @throws ReckonerError `json.refused`, `decisions.*`, `store.key`, with the path of the field as
   * `place`
   */
  write(operations: readonly Operation[], key?: string): WriteResult {
    return this.commit(checkOperations(operations, { scoped: false }), key);
  }

  /** Carries out operations that have been checked. */
  commit({ operations, digest }: CheckedTransaction, key?: string): WriteResult {
    const before = key === undefined ? undefined : this.#written.get(key);
    if (key !== undefined && before !== undefined) {
      refuseOtherKey(key, before.digest, digest);
      return before.result;
    }
    const plan = answerNow(planWrite(operations, this.#version), (request) => this.#rows(request));
    this.#version = plan.version;
    for (const id of plan.deletedNodes) this.#nodes.delete(id);
    for (const row of plan.nodes) this.#nodes.set(row.node.id, row);
    for (const id of plan.deletedEdges) this.#deleteEdge(id);
    for (const row of plan.edges) this.#putEdge(row);
    if (key !== undefined) this.#written.set(key, { digest, result: plan.result });
    return plan.result;
  }

  /**
   * Answers a query.
   * @throws ReckonerError `decisions.query`, `decisions.ambiguous`
   */
  read<const Q extends DecisionQuery>(query: Q): QueryResult<Q> {
    return this.answer(checkQuery(query, { scoped: false }).query) as QueryResult<Q>;
  }

  /** Answers a query that has been checked. */
  answer(query: CheckedQuery): AnyResult {
    return answerNow(answerQuery(query), (request) => this.#rows(request));
  }

  #rows(request: RowRequest): RowAnswer {
    switch (request.want) {
      case "nodes":
        return request.ids.flatMap((id) => this.#nodes.get(id) ?? []);
      case "filtered":
        return this.#filtered(request);
      case "edges":
        return this.#edgesOf(request);
      case "edgesById":
        return request.ids.flatMap((id) => this.#edges.get(id) ?? []);
      case "reachable":
        return this.#reachable(request.from, request.direction);
      case "startingWith": {
        const ids = [...this.#nodes.keys()].filter((id) => id.startsWith(request.prefix));
        return ids.sort().slice(0, request.limit);
      }
      case "version":
        return this.#version;
    }
  }

  #filtered({ where, order, limit }: Extract<RowRequest, { want: "filtered" }>): NodeRow[] {
    const { types, statuses } = where;
    const found = [...this.#nodes.values()].filter(
      ({ node }) =>
        (types?.includes(node.type) ?? true) && (statuses?.includes(node.status) ?? true),
    );
    found.sort((a, b) => a.node.createdAt - b.node.createdAt || a.key - b.key);
    return (order === "newest" ? found.reverse() : found).slice(0, limit);
  }

  #edgesOf({ of, direction, limit }: Extract<RowRequest, { want: "edges" }>): EdgeRow[] {
    const sides = direction === "both" ? (["outgoing", "incoming"] as const) : [direction];
    const found =
      of === undefined
        ? this.#edges.values()
        : new Set(of.flatMap((id) => sides.flatMap((side) => this.#incident(id, side))));
    return [...found].sort((a, b) => a.key - b.key).slice(0, limit);
  }

  #reachable(from: string, direction: Direction): Link[] {
    const links: Link[] = [];
    const found = new Set([from]);
    for (const id of found) {
      for (const { edge } of this.#incident(id, direction)) {
        links.push(edge);
        found.add(direction === "outgoing" ? edge.toId : edge.fromId);
      }
    }
    return links;
  }

  #incident(id: string, direction: Direction): EdgeRow[] {
    const edges = this.#incidence[direction].get(id)?.values() ?? [];
    return [...edges].sort((a, b) => a.key - b.key);
  }

  #putEdge(row: EdgeRow): void {
    const { edge } = row;
    this.#edges.set(edge.id, row);
    for (const [side, end] of [
      [this.#incidence.outgoing, edge.fromId],
      [this.#incidence.incoming, edge.toId],
    ] as const) {
      const edges = side.get(end);
      if (edges === undefined) side.set(end, new Map([[edge.id, row]]));
      else edges.set(edge.id, row);
    }
  }

  #deleteEdge(id: string): void {
    const edge = this.#edges.get(id)?.edge;
    if (edge === undefined) return;
    this.#edges.delete(id);
    this.#incidence.outgoing.get(edge.fromId)?.delete(id);
    this.#incidence.incoming.get(edge.toId)?.delete(id);
  }
}
