/**
 * `DecisionGraph`: the decision graph as an immutable value. A change gives a new graph that shares
 * everything else with the old one. It contains its whole history.
 */
import { answerQuery } from "../queries/answer-query.js";
import { answerNow, type RowAnswer, type RowRequest } from "../queries/rows.js";
import { firstResult } from "../transactions/same-operations.js";
import { type TransactionBase, transact } from "../transactions/transaction.js";
import { type CheckedTransaction, checkOperations } from "../validation/check-operations.js";
import { checkQuery } from "../validation/check-query.js";
import type { GraphChange } from "../vocabulary/change.js";
import type { DecisionNode } from "../vocabulary/node.js";
import type { Operation } from "../vocabulary/operation.js";
import type { CheckedQuery, DecisionQuery } from "../vocabulary/query.js";
import type { AnyResult, FoundStats, QueryResult } from "../vocabulary/query-result.js";
import { Archive } from "./archive.js";
import { type ArchiveView, changeOf, changesOf, memoryEdges, memoryRows } from "./memory-rows.js";

/** What operations came to. */
export interface Applied {
  readonly graph: DecisionGraph;
  /** The change that was made; where the key was used before, the one that was made then. */
  readonly change: GraphChange;
}

/** See the banner. Made by {@link DecisionGraph.empty} and from there on by its methods. */
export class DecisionGraph {
  /** The graph that holds nothing. */
  static readonly empty: DecisionGraph = new DecisionGraph(new Archive(), 0, undefined);

  readonly #archive: Archive;
  readonly #tick: number;
  /** The time that was asked for, where the graph is one of the past. */
  readonly #asOf: number | undefined;

  private constructor(archive: Archive, tick: number, asOf: number | undefined) {
    this.#archive = archive;
    this.#tick = tick;
    this.#asOf = asOf;
  }

  /**
   * The graph that changes come to, as a store recorded them.
   * @throws ReckonerError where they do not come to one another, as `apply` does
   */
  static fromChanges(changes: Iterable<GraphChange>): DecisionGraph {
    const archive = new Archive();
    let last = { seq: 0, at: 0 };
    for (const { operations, key, result } of changes) {
      const transacted = transact(baseOf(archive), operations, last, key);
      const { seq, at } = transacted.change;
      // What was resolved then is written in full now; that it was resolved is known from then.
      const change = { seq, at, key, operations, result };
      archive.add({ ...transacted, change });
      last = { seq, at };
    }
    return new DecisionGraph(archive, archive.tick, undefined);
  }

  /** How many transactions made it: its version. */
  get seq(): number {
    return this.stats.seq;
  }

  get stats(): FoundStats {
    return this.rows({ want: "stats" }) as FoundStats;
  }

  /** Its history. */
  get changes(): readonly GraphChange[] {
    return changesOf(this.#view);
  }

  /** A node by its full id. */
  node(id: string): DecisionNode | undefined {
    return this.#archive.node(id, this.#tick);
  }

  /**
   * Carries out operations: all hold, or none does and this throws.
   * @param key an idempotency key: with it, the same operations have no second effect
   * @throws ReckonerError `json.refused`, `decisions.invalid`, `decisions.missing`,
   * `decisions.ambiguous`, `decisions.duplicate`, `decisions.superseded`, `decisions.cycle`,
   * `decisions.selfLoop`, `decisions.scope`, `store.key`, with the path of the field as `place`
   */
  apply(operations: readonly Operation[], key?: string): Applied {
    return this.commit(checkOperations(operations, { scoped: false }), key ?? null);
  }

  /** The same for operations that have been checked; for stores, which know the scope themselves. */
  commit({ operations }: Pick<CheckedTransaction, "operations">, key: string | null): Applied {
    const before = key === null ? undefined : changeOf(this.#view, key);
    if (before !== undefined) {
      firstResult(before, operations);
      return { graph: this, change: before };
    }
    const archive = this.#writable();
    const { seq, at } = lastOf(archive);
    const transacted = transact(baseOf(archive), operations, { seq, at }, key);
    archive.add(transacted);
    const graph = new DecisionGraph(archive, archive.tick, undefined);
    return { graph, change: transacted.change };
  }

  /**
   * Answers a query; see each for its order and its limit.
   * @throws ReckonerError `decisions.query`, `decisions.ambiguous`
   */
  query<const Q extends DecisionQuery>(query: Q): QueryResult<Q> {
    return this.answer(checkQuery(query, { scoped: false }).query) as QueryResult<Q>;
  }

  /** The same for a query that has been checked. */
  answer(query: CheckedQuery): AnyResult {
    const asOf = "asOf" in query ? query.asOf : undefined;
    const graph = asOf === undefined ? this : this.asOf(asOf);
    return answerNow(answerQuery(query), (request) => graph.rows(request));
  }

  /**
   * The graph as it was believed at a time: what its operations up to then come to, in the order in
   * which they were committed. What was superseded later is active in it.
   */
  asOf(time: number): DecisionGraph {
    const { moments } = this.#archive;
    let low = 0;
    let high = this.#tick;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((moments[middle]?.at ?? 0) <= time) low = middle;
      else high = middle - 1;
    }
    return low === this.#tick ? this : new DecisionGraph(this.#archive, low, time);
  }

  /** Rows of this graph, for a computation that asks for them. */
  rows(request: RowRequest): RowAnswer {
    return memoryRows(this.#view, request);
  }

  get #view(): ArchiveView {
    return { archive: this.#archive, tick: this.#tick, asOf: this.#asOf };
  }

  /** A archive that ends where this graph does: its own, unless another graph was made from it. */
  #writable(): Archive {
    // The empty graph is shared.
    const isLast = this.#tick > 0 && this.#tick === this.#archive.tick;
    return isLast ? this.#archive : DecisionGraph.fromChanges(this.changes).#archive;
  }
}

function lastOf({ changes }: Archive): { seq: number; at: number } {
  const last = changes.at(-1);
  return { seq: last?.seq ?? 0, at: last?.at ?? 0 };
}

function baseOf(archive: Archive): TransactionBase {
  const tick = archive.tick;
  const node = (id: string) => archive.node(id, tick);
  return {
    hasNode: (id) => node(id) !== undefined,
    node,
    startingWith: (prefix, most) =>
      archive.prefixes.startingWith(prefix, most, (id) => node(id) !== undefined),
    hasEdge: (id) => archive.hasEdge(id),
    edgesOf: (id) => memoryEdges({ archive, tick }, { of: [id], direction: "both" }),
    supersededBy: (id) => {
      const edgeTypes = ["supersedes"] as const;
      const [edge] = memoryEdges({ archive, tick }, { of: [id], direction: "incoming", edgeTypes });
      return edge?.fromId;
    },
  };
}
