/**
 * Rebuilds a decision graph from the successful writes in a journal, without a store. Nodes of
 * earlier runs are drawn by their ids only.
 */

import { isReckonerError, type Json } from "../../core/kernel/index.js";
import {
  type CheckedOperation,
  checkOperations,
  type DecisionEdge,
  type DecisionNode,
  optionOutcomes,
  tellsOutcome,
} from "../../decisions/pure/index.js";
import type { DrawnEdge, DrawnNode } from "../../pictures/index.js";
import type { JournalPort } from "../../runtime/index.js";
import { viewOf } from "../../runtime/index.js";
import { RecordedSteps } from "../show/recorded.js";
import { usageError } from "../terminal/failure.js";

/** Nodes and edges, as far as they are drawn. */
export interface DrawnDecisions {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

/** The writes of a journal that are meant. */
export interface RecordedWrites {
  /** Up to this event. */
  readonly at?: number | undefined;
  /** To the store of this name; else to the only one. */
  readonly store?: string | undefined;
  readonly scope?: string | undefined;
}

interface Written {
  readonly store: string;
  readonly operations: readonly Json[];
}

/** Reads them. @throws ReckonerError `cli.usage` where it is not clear which store is meant */
export async function recordedDecisions(
  journal: JournalPort,
  { at, store, scope }: RecordedWrites,
): Promise<DrawnDecisions> {
  const steps = new RecordedSteps();
  const asked = new Map<string, Written>();
  const graphs = new Map<string, RecordedGraph>();
  let last: number | undefined;
  for await (const { line } of viewOf(journal).ownLines()) {
    const step = steps.take(line);
    if (step === undefined) continue;
    last = step.seq;
    if (at !== undefined && step.seq > at) break;
    const { event, directives } = step;
    if (event.type === "write.succeeded") {
      const written = asked.get((event as { readonly id?: string }).id ?? "");
      const operations = written === undefined ? undefined : checked(written.operations, scope);
      if (written !== undefined && operations !== undefined) {
        const graph = graphs.get(written.store) ?? new RecordedGraph();
        graphs.set(written.store, graph);
        for (const operation of operations) graph.take(operation);
      }
    }
    for (const { type, id, parts } of directives) {
      if (type === "write" && id !== undefined) asked.set(id, parts as unknown as Written);
    }
  }
  if (at !== undefined && (last === undefined || last < at)) {
    throw usageError(`--at ${at} is past the last event, ${last ?? "there is none"}.`);
  }
  const names = [...graphs.keys()];
  if (store === undefined && names.length > 1) {
    throw usageError(`The run wrote to ${names.join(" and ")}; name one of them with --store.`);
  }
  const graph = graphs.get(store ?? names[0] ?? "");
  if (graph !== undefined) return graph.drawn();
  const where = `${store === undefined ? "" : ` to ${store}`}${scope === undefined ? "" : ` in the scope ${scope}`}`;
  throw usageError(
    `--view decisions needs a run that wrote decisions${where}; this one wrote none.`,
  );
}

/** Operations on decisions; `undefined` where a write was of something else, or in another scope. */
function checked(
  operations: readonly Json[],
  scope: string | undefined,
): readonly CheckedOperation[] | undefined {
  try {
    const transaction = checkOperations(operations, { scoped: scope !== undefined });
    return scope === undefined || transaction.scope === scope ? transaction.operations : undefined;
  } catch (thrown) {
    if (!isReckonerError(thrown)) throw thrown;
    return undefined;
  }
}

/** A graph of which only what was written is known. */
class RecordedGraph {
  readonly #nodes = new Map<string, DrawnNode>();
  readonly #edges = new Map<string, DrawnEdge>();

  take(operation: CheckedOperation): void {
    switch (operation.type) {
      case "addNode":
        this.#nodes.set(operation.node.id, operation.node);
        break;
      case "addEdge":
        this.#connect(operation.edge);
        break;
      case "updateNode":
        this.#change(operation.id, operation.patch);
        break;
      case "deleteNode":
        this.#delete(operation.id);
        break;
      case "supersede": {
        const { edgeId: id, oldId: toId, newId: fromId, rationale } = operation;
        this.#connect({ id, fromId, toId, edgeType: "supersedes" });
        if (typeof rationale === "string") this.#change(toId, { rationale });
        break;
      }
      case "decideOption": {
        const { id, outcome, rationale } = operation;
        const { status, edgeType } = optionOutcomes[outcome];
        this.#change(id, { status, ...(typeof rationale === "string" && { rationale }) });
        for (const [key, edge] of this.#edges) {
          if (edge.toId !== id || !tellsOutcome(edge.edgeType)) continue;
          this.#edges.set(key, { ...edge, edgeType });
        }
      }
    }
  }

  drawn(): DrawnDecisions {
    return { nodes: [...this.#nodes.values()], edges: [...this.#edges.values()] };
  }

  #connect(edge: Pick<DecisionEdge, "id" | "fromId" | "toId" | "edgeType">): void {
    for (const id of [edge.fromId, edge.toId]) this.#change(id, {});
    if (edge.edgeType === "supersedes") this.#change(edge.toId, { status: "superseded" });
    this.#edges.set(edge.id, edge);
  }

  #change(id: string, patch: Partial<DecisionNode>): void {
    const known = this.#nodes.get(id) ?? { id, type: "of an earlier run", label: id };
    this.#nodes.set(id, { ...known, ...patch });
  }

  #delete(id: string): void {
    this.#nodes.delete(id);
    for (const [key, { fromId, toId }] of this.#edges) {
      if (fromId === id || toId === id) this.#edges.delete(key);
    }
  }
}
