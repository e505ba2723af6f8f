/**
 * Rebuilds the decision graph from the writes of a journal, up to any event and without its store, so that it
 * can be drawn.
 */
import { addTo, isReckonerError, type Json } from "../../core/kernel/values/index.js";
import {
  type CheckedOperation,
  checkOperations,
  type WriteResult,
} from "../../decisions/pure/index.js";
import type { DrawnEdge, DrawnNode } from "../../pictures/index.js";
import type { RecordedMoment } from "./recorded-run.js";
import type { RecordedTree } from "./recorded-tree.js";

/** Nodes and edges, as far as they are drawn. */
export interface DrawnDecisions {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

/** Returns operations on decisions; `undefined` where a write was of something else, or in another scope. */
export function decisionOperations(
  operations: readonly Json[],
  scope?: string,
): readonly CheckedOperation[] | undefined {
  try {
    const transaction = checkOperations(operations, { scoped: scope !== undefined });
    return scope === undefined || transaction.scope === scope ? transaction.operations : undefined;
  } catch (thrown) {
    if (!isReckonerError(thrown)) throw thrown;
    return undefined;
  }
}

/** A graph of which only what was written is known: the results of writes hold it as each left it. */
export class RecordedGraph {
  readonly #nodes = new Map<string, DrawnNode>();
  readonly #edges = new Map<string, DrawnEdge>();

  take(operations: readonly CheckedOperation[], { nodes, edges }: WriteResult): void {
    for (const each of operations) if (each.type === "deleteNode") this.#delete(each.id);
    for (const node of nodes) this.#nodes.set(node.id, node);
    for (const edge of edges) {
      this.#edges.set(edge.id, edge);
      for (const id of [edge.fromId, edge.toId]) {
        if (!this.#nodes.has(id)) this.#nodes.set(id, { id, type: "of an earlier run", label: id });
      }
    }
  }

  drawn(): DrawnDecisions {
    return { nodes: [...this.#nodes.values()], edges: [...this.#edges.values()] };
  }

  #delete(id: string): void {
    this.#nodes.delete(id);
    for (const [key, { fromId, toId }] of this.#edges) {
      if (fromId === id || toId === id) this.#edges.delete(key);
    }
  }
}

/** A store's graph after an event of a tree. */
export interface DecisionsAt extends DrawnDecisions {
  readonly store: string;
  /** For each node the events that wrote to it, the newest last. */
  readonly written: ReadonlyMap<string, readonly number[]>;
}

/** A write of a tree to a store of decisions. */
interface DecisionWrite {
  readonly seq: number;
  readonly store: string;
  readonly operations: readonly CheckedOperation[];
  readonly result: WriteResult;
}

/** The decision graphs of a tree at any of its events. Only the writes are looked at, and not all events. */
export class RecordedDecisions {
  readonly #writes: readonly DecisionWrite[];
  #last: { readonly writes: number; readonly found: readonly DecisionsAt[] } | undefined;

  constructor(tree: RecordedTree) {
    this.#writes = tree.moments.flatMap((moment) => decisionWrite(tree, moment));
  }

  /** The graphs after an event, by the stores that were written to; the same while no write comes between. */
  at(seq: number): readonly DecisionsAt[] {
    const writes = this.#writes.filter((each) => each.seq <= seq);
    if (this.#last?.writes !== writes.length) {
      this.#last = { writes: writes.length, found: graphsOf(writes) };
    }
    return this.#last.found;
  }
}

function decisionWrite(
  tree: RecordedTree,
  { seq, run: path, event, settled }: RecordedMoment,
): readonly DecisionWrite[] {
  const run = tree.of(path);
  if (event.type !== "write.succeeded" || settled === undefined || run === undefined) return [];
  const asked = run.part(settled, "operations");
  const operations = Array.isArray(asked) ? decisionOperations(asked) : undefined;
  if (operations === undefined) return [];
  const store = String(run.part(settled, "store") ?? "");
  return [{ seq, store, operations, result: event.value as object as WriteResult }];
}

function graphsOf(writes: readonly DecisionWrite[]): readonly DecisionsAt[] {
  const stores = new Map<string, { graph: RecordedGraph; written: Map<string, number[]> }>();
  for (const { seq, store, operations, result } of writes) {
    const entry = stores.get(store) ?? { graph: new RecordedGraph(), written: new Map() };
    stores.set(store, entry);
    entry.graph.take(operations, result);
    for (const id of operations.flatMap(nodesOf)) addTo(entry.written, id, seq);
  }
  return [...stores].map(([store, { graph, written }]) => ({ store, written, ...graph.drawn() }));
}

/** The nodes that an operation says something of. */
function nodesOf(operation: CheckedOperation): readonly string[] {
  switch (operation.type) {
    case "addNode":
      return [operation.node.id];
    case "supersede":
      return [operation.oldId];
    case "updateNode":
    case "deleteNode":
    case "decideOption":
      return [operation.id];
    default:
      return [];
  }
}
