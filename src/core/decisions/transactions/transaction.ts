/**
 * Runs a transaction: operations, one after the other, over rows that are not modified. The result
 * is the row changes and the history record; the backend applies all, or none if this throws. Every
 * backend uses it, so that all accept and refuse alike.
 */
import { type Draft, produce } from "immer";
import { ReckonerError } from "../../kernel/index.js";
import { idOfPrefix, MOST_CANDIDATES } from "../ids/name-node.js";
import { compareIds } from "../ids/order.js";
import { PrefixIndex } from "../ids/prefix-index.js";
import type { GraphChange, Resolved } from "../vocabulary/change.js";
import type { DecisionEdge } from "../vocabulary/edge.js";
import type { DecisionNode } from "../vocabulary/node.js";
import type { CheckedOperation } from "../vocabulary/operation.js";
import type { RowChange } from "./row-change.js";

/** What a transaction has to know of the graph before it: at least of what its operations name. */
export interface TransactionBase {
  /** Whether a node has this id. */
  hasNode(id: string): boolean;
  /** A node by its whole id. Asked for nodes that are changed, deleted, or have to do with a supersession. */
  node(id: string): DecisionNode | undefined;
  /** Ids that begin with a prefix, by bytes; at most so many. */
  startingWith(prefix: string, most: number): readonly string[];
  /** Whether an edge has this id. */
  hasEdge(id: string): boolean;
  /** The edges of a node in both directions, each once. Asked for nodes that are deleted. */
  edgesOf(id: string): readonly DecisionEdge[];
  /** The node that superseded one. Asked upwards from a node that supersedes and is superseded. */
  supersededBy(id: string): string | undefined;
}

/** What a transaction came to. */
export interface Transacted {
  readonly change: GraphChange;
  readonly effects: readonly RowChange[];
}

/**
 * Carries out the operations of one transaction.
 * @param last `seq` and `at` of the change before; 0 and 0 where there is none
 * @throws ReckonerError `decisions.missing`, `decisions.ambiguous`, `decisions.duplicate`,
 * `decisions.superseded`, `decisions.cycle`, `decisions.selfLoop`, with the path of the field
 */
export function transact(
  base: TransactionBase,
  operations: readonly CheckedOperation[],
  last: { readonly seq: number; readonly at: number },
  key: string | null,
): Transacted {
  const transaction = new Transaction(base, last.at);
  const done = operations.map((operation, i) => Object.freeze(transaction.carryOut(operation, i)));
  const { at, effects, resolved } = transaction;
  const seq = last.seq + 1;
  const result = Object.freeze({
    seq,
    at,
    operations: done.length,
    resolved: Object.freeze(resolved),
  });
  return {
    change: Object.freeze({ seq, at, key, operations: Object.freeze(done), result }),
    effects,
  };
}

/** Where an operation says which nodes supersede which: for errors. */
const superseding = { oldId: "oldId", newId: "newId", edgeId: "edgeId" };
const supersedingEdge = { oldId: "edge.toId", newId: "edge.fromId", edgeId: "edge.id" };

class Transaction {
  readonly effects: RowChange[] = [];
  readonly resolved: Resolved[] = [];
  /** The time of the last operation, which is never before that of the one before. */
  at: number;

  readonly #base: TransactionBase;
  /** Nodes as they are now, where that is not as they were: null where they are deleted. */
  readonly #nodes = new Map<string, DecisionNode | null>();
  readonly #added = new Map<string, DecisionEdge>();
  readonly #deletedEdges = new Set<string>();
  /** Old id → new id, of what was superseded here. */
  readonly #superseded = new Map<string, string>();
  #deletedNodes = 0;
  /** Made where something asks for them. */
  #addedIds: PrefixIndex | undefined;
  #addedByNode: Map<string, Set<DecisionEdge>> | undefined;

  #index = 0;

  constructor(base: TransactionBase, at: number) {
    this.#base = base;
    this.at = at;
  }

  /** Carries one out and gives it with full ids. */
  carryOut(operation: CheckedOperation, index: number): CheckedOperation {
    this.#index = index;
    this.at = Math.max(this.at, operation.at);
    switch (operation.type) {
      case "addNode":
        this.#addNode(operation.node);
        return operation;
      case "addEdge": {
        const { edge } = operation;
        const fromId = this.#resolve("fromId", edge.fromId, "edge.fromId");
        const toId = this.#resolve("toId", edge.toId, "edge.toId");
        const same = fromId === edge.fromId && toId === edge.toId;
        const full = same ? edge : Object.freeze({ ...edge, fromId, toId });
        if (full.edgeType === "supersedes") {
          const why = full.metadata.rationale;
          const rationale = typeof why === "string" ? why : null;
          this.#supersede(full, rationale, operation.at, supersedingEdge);
        } else this.#addEdge(full, "edge.id");
        return same ? operation : { ...operation, edge: full };
      }
      case "updateNode": {
        const id = this.#resolve("id", operation.id, "id");
        const node = this.#node(id) as DecisionNode;
        if (operation.patch.status !== undefined && node.status === "superseded") {
          throw this.#refused(
            "decisions.superseded",
            "patch.status",
            `would change the status of "${id}", which was superseded and stays so; leave it out.`,
          );
        }
        this.#change(node, operation.patch, operation.at);
        return id === operation.id ? operation : { ...operation, id };
      }
      case "deleteNode": {
        const id = this.#resolve("id", operation.id, "id");
        this.#deleteNode(id);
        return id === operation.id ? operation : { ...operation, id };
      }
      case "supersede": {
        const { at, rationale, edgeId } = operation;
        const oldId = this.#resolve("oldId", operation.oldId, "oldId");
        const newId = this.#resolve("newId", operation.newId, "newId");
        const edge: DecisionEdge = Object.freeze({
          id: edgeId,
          fromId: newId,
          toId: oldId,
          edgeType: "supersedes",
          metadata: Object.freeze({ rationale }),
          createdAt: at,
        });
        this.#supersede(edge, rationale, at, superseding);
        return { ...operation, oldId, newId };
      }
    }
  }

  #addNode(node: DecisionNode): void {
    if (this.#hasNode(node.id)) {
      throw this.#refused(
        "decisions.duplicate",
        "node.id",
        `is "${node.id}", which is in the graph already; change it with updateNode, or give another id.`,
      );
    }
    // A node that was touched before is in the base or in the index already.
    if (!this.#nodes.has(node.id)) this.#addedIds?.add(node.id);
    this.#nodes.set(node.id, node);
    this.effects.push({ type: "nodeAdded", at: this.at, node });
  }

  #addEdge(edge: DecisionEdge, field: string): void {
    const { id } = edge;
    if (this.#added.has(id) || (this.#base.hasEdge(id) && !this.#deletedEdges.has(id))) {
      throw this.#refused(
        "decisions.duplicate",
        field,
        `is "${id}", which an edge in the graph has already; give another id.`,
      );
    }
    this.#added.set(id, edge);
    if (this.#addedByNode !== undefined) index(this.#addedByNode, edge);
    this.effects.push({ type: "edgeAdded", at: this.at, edge });
  }

  #supersede(
    edge: DecisionEdge,
    rationale: string | null,
    at: number,
    fields: typeof superseding,
  ): void {
    const { fromId: newId, toId: oldId } = edge;
    if (newId === oldId) {
      throw this.#refused(
        "decisions.selfLoop",
        fields.newId,
        `is "${newId}", which would supersede itself; name two nodes.`,
      );
    }
    if (this.#isBehind(newId, oldId)) {
      throw this.#refused(
        "decisions.cycle",
        fields.newId,
        `is "${newId}", which "${oldId}" superseded, directly or indirectly; add a new node instead.`,
      );
    }
    const old = this.#node(oldId) as DecisionNode;
    for (const [id, field] of [
      [oldId, fields.oldId],
      [newId, fields.newId],
    ] as const) {
      if (this.#node(id)?.status !== "superseded") continue;
      throw this.#refused(
        "decisions.superseded",
        field,
        `is "${id}", which "${this.#supersededBy(id)}" superseded already; name that one instead.`,
      );
    }
    this.#addEdge(edge, fields.edgeId);
    this.#superseded.set(oldId, newId);
    this.#change(old, { status: "superseded", ...(rationale !== null && { rationale }) }, at);
  }

  #change(node: DecisionNode, patch: Partial<DecisionNode>, at: number): void {
    const changed = produce(node, (draft: Draft<DecisionNode>) => {
      Object.assign(draft, patch);
      draft.updatedAt = Math.max(node.updatedAt, at);
    });
    this.#nodes.set(node.id, changed);
    this.effects.push({ type: "nodeChanged", at: this.at, node: changed });
  }

  #deleteNode(id: string): void {
    const edges = this.#edgesOf(id);
    const kept = edges.find((edge) => edge.edgeType === "supersedes" && edge.fromId === id);
    if (kept !== undefined) {
      throw this.#refused(
        "decisions.superseded",
        "id",
        `is "${id}", which supersedes "${kept.toId}"; delete that one first.`,
      );
    }
    for (const edge of edges) {
      if (this.#added.delete(edge.id)) {
        this.#addedByNode?.get(edge.fromId)?.delete(edge);
        this.#addedByNode?.get(edge.toId)?.delete(edge);
      } else this.#deletedEdges.add(edge.id);
      this.effects.push({ type: "edgeDeleted", at: this.at, edge });
    }
    this.effects.push({ type: "nodeDeleted", at: this.at, node: this.#node(id) as DecisionNode });
    this.#nodes.set(id, null);
    this.#deletedNodes += 1;
  }

  #hasNode(id: string): boolean {
    const touched = this.#nodes.get(id);
    return touched === undefined ? this.#base.hasNode(id) : touched !== null;
  }

  #node(id: string): DecisionNode | undefined {
    const touched = this.#nodes.get(id);
    return touched === undefined ? this.#base.node(id) : (touched ?? undefined);
  }

  #supersededBy(id: string): string | undefined {
    if (this.#node(id)?.status !== "superseded") return undefined;
    return this.#superseded.get(id) ?? this.#base.supersededBy(id);
  }

  /** Whether a node was superseded by another one, directly or indirectly. */
  #isBehind(id: string, other: string): boolean {
    const seen = new Set<string>();
    for (let by = this.#supersededBy(id); by !== undefined; by = this.#supersededBy(by)) {
      if (by === other) return true;
      // Rows that were changed by hand may form a cycle.
      if (seen.has(by)) return false;
      seen.add(by);
    }
    return false;
  }

  #edgesOf(id: string): DecisionEdge[] {
    if (this.#addedByNode === undefined) {
      this.#addedByNode = new Map();
      for (const edge of this.#added.values()) index(this.#addedByNode, edge);
    }
    const before = this.#base.edgesOf(id).filter((edge) => !this.#deletedEdges.has(edge.id));
    return [...before, ...(this.#addedByNode.get(id) ?? [])];
  }

  /** The id that a name stands for; noted where it was a prefix. */
  #resolve(field: Resolved["field"], given: string, part: string): string {
    if (this.#hasNode(given)) return given;
    const most = MOST_CANDIDATES + 1;
    const isThere = (id: string) => this.#hasNode(id);
    if (this.#addedIds === undefined) {
      this.#addedIds = new PrefixIndex();
      for (const id of this.#nodes.keys()) {
        if (!this.#base.hasNode(id)) this.#addedIds.add(id);
      }
    }
    const candidates = new Set([
      ...this.#base.startingWith(given, most + this.#deletedNodes).filter(isThere),
      ...this.#addedIds.startingWith(given, most, isThere),
    ]);
    const id = idOfPrefix(given, [...candidates].sort(compareIds), this.#place(part));
    this.resolved.push({ operation: this.#index, field, given, id });
    return id;
  }

  #place(part: string): string {
    return `operations[${this.#index}].${part}`;
  }

  #refused(
    code: "decisions.duplicate" | "decisions.superseded" | "decisions.cycle" | "decisions.selfLoop",
    part: string,
    what: string,
  ): ReckonerError {
    const place = this.#place(part);
    return new ReckonerError(code, `${place} ${what}`, { place });
  }
}

function index(byNode: Map<string, Set<DecisionEdge>>, edge: DecisionEdge): void {
  for (const id of [edge.fromId, edge.toId]) {
    const edges = byNode.get(id);
    if (edges === undefined) byNode.set(id, new Set([edge]));
    else edges.add(edge);
  }
}
