/**
 * The caches per scope: its adjacency, and its past. Both are updated from the version row, so that
 * they see the writes of others; both are bounded (least recently used first out).
 */
import {
  type CheckedOperation,
  DecisionGraph,
  type GraphChange,
} from "../../core/decisions/index.js";
import { Adjacency } from "./adjacency.js";
import type { ScopeRows } from "./rows.js";

/** More changes than these are not followed one by one: the tables are scanned again. */
const MOST_FOLLOWED = 1000;

/** How many nodes and edges of all scopes are kept. The last scope is kept whatever its size. */
const MOST_KEPT = 20_000_000;

/** How many scopes' pasts are kept. */
const MOST_PASTS = 8;

/** How many changes are read at a time. */
const PAGE = 500;

/** See the banner. */
export class Caches {
  readonly #adjacencies = new Map<string, Adjacency>();
  readonly #pasts = new Map<string, DecisionGraph>();
  /** Who loads or follows, scope by scope: one at a time. */
  readonly #turns = new Map<string, Promise<unknown>>();

  /**
   * The adjacency of a scope, which knows the version that a transaction sees.
   * @returns undefined where it only knows later versions: a new transaction sees one of those
   */
  async adjacency(rows: ScopeRows, seq: number): Promise<Adjacency | undefined> {
    return this.#inTurn(rows.scope, async () => {
      let known = this.#adjacencies.get(rows.scope);
      if (known !== undefined && known.base > seq) return undefined;
      if (known !== undefined && (seq - known.seq > MOST_FOLLOWED || known.isStale)) {
        known = undefined;
      }
      if (known === undefined) known = await Adjacency.scan(rows.session, rows.scope, seq);
      const adjacency = known;
      // The scan may already contain what is committed here meanwhile; then it is skipped.
      await follow(rows, adjacency.seq, seq, (change) =>
        adjacency.apply(change.seq, change.operations),
      );
      this.#keep(rows.scope, adjacency);
      return adjacency;
    });
  }

  /** Takes over a change that was committed here. What is missing before it is followed later. */
  committed(scope: string, seq: number, operations: readonly CheckedOperation[]): void {
    const known = this.#adjacencies.get(scope);
    if (known?.seq === seq - 1) known.apply(seq, operations);
  }

  /** The graph with its whole past, at the version that a transaction sees or a later one. */
  async past(rows: ScopeRows, seq: number): Promise<DecisionGraph> {
    return this.#inTurn(rows.scope, async () => {
      let graph = this.#pasts.get(rows.scope) ?? DecisionGraph.empty;
      await follow(rows, graph.seq, seq, ({ operations, key }) => {
        graph = graph.commit({ operations }, key).graph;
      });
      this.#pasts.delete(rows.scope);
      this.#pasts.set(rows.scope, graph);
      for (const scope of this.#pasts.keys()) {
        if (this.#pasts.size <= MOST_PASTS) break;
        this.#pasts.delete(scope);
      }
      return graph;
    });
  }

  #keep(scope: string, adjacency: Adjacency): void {
    this.#adjacencies.delete(scope);
    this.#adjacencies.set(scope, adjacency);
    let size = 0;
    for (const each of this.#adjacencies.values()) size += each.size;
    for (const [oldest, { size: freed }] of this.#adjacencies) {
      if (size <= MOST_KEPT || oldest === scope) break;
      this.#adjacencies.delete(oldest);
      size -= freed;
    }
  }

  #inTurn<T>(scope: string, act: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(scope) ?? Promise.resolve()).then(act);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(scope, settled);
    void settled.then(() => {
      if (this.#turns.get(scope) === settled) this.#turns.delete(scope);
    });
    return turn;
  }
}

/** Reads the changes from one version to another, a page at a time. */
async function follow(
  rows: ScopeRows,
  from: number,
  to: number,
  take: (change: GraphChange) => void,
): Promise<void> {
  for (let last = from; last < to; ) {
    const changes = await rows.changes(last, Math.min(PAGE, to - last));
    for (const change of changes) take(change);
    const reached = changes.at(-1)?.seq;
    if (reached === undefined) throw new Error(`The history breaks off after change ${last}.`);
    last = reached;
  }
}
