/**
 * Carries out the operations of a write to a decision graph, one after the other, on the rows that they name,
 * and refuses those that break a rule, such as a second node of one id. `planWrite` runs it for every
 * backend.
 */
import { type ErrorCode, ReckonerError } from "../../../core/kernel/values/index.js";
import { type EdgeRow, historyOf, type NodeRow, type Version } from "../queries/rows.js";
import type { DecisionEdge } from "../vocabulary/edge.js";
import type { DecisionNode, NodePatch, NodeType } from "../vocabulary/node.js";
import { type CheckedOperation, optionOutcomes, tellsOutcome } from "../vocabulary/operation.js";
import type { Drafts } from "./draft.js";

type Of<T extends CheckedOperation["type"]> = Extract<CheckedOperation, { type: T }>;

/** The fields that name the two nodes and the edge of a supersession: for errors. */
const SUPERSEDE = { oldId: "oldId", newId: "newId", edgeId: "edgeId" };
const SUPERSEDING_EDGE = { oldId: "edge.toId", newId: "edge.fromId", edgeId: "edge.id" };

/** See the banner. */
export class Transaction {
  readonly #drafts: Drafts;
  #version: Version;
  #index = 0;

  /** @param before the version before it */
  constructor(drafts: Drafts, before: Version) {
    this.#drafts = drafts;
    this.#version = { ...before, seq: before.seq + 1 };
  }

  /** The version after it. */
  get version(): Version {
    return this.#version;
  }

  /** @throws ReckonerError if the operation is refused */
  carryOut(operation: CheckedOperation, index: number): void {
    this.#index = index;
    this.#count({ at: Math.max(this.#version.at, operation.at) });
    switch (operation.type) {
      case "addNode":
        this.#addNode(operation.node);
        break;
      case "addEdge":
        this.#addAnyEdge(operation);
        break;
      case "updateNode":
        this.#updateNode(operation);
        break;
      case "deleteNode":
        this.#deleteNode(operation.id);
        break;
      case "supersede":
        this.#supersedeNode(operation);
        break;
      case "decideOption":
        this.#decideOption(operation);
    }
  }

  #addNode(node: DecisionNode): void {
    if (this.#drafts.nodes.get(node.id) !== undefined) {
      throw this.#refused(
        "decisions.duplicate",
        "node.id",
        `is "${node.id}", which is in the graph already; change it with updateNode, or give another id.`,
      );
    }
    const row: NodeRow = { key: this.#newKey(), seq: this.#version.seq, node, history: [] };
    this.#drafts.nodes.put(node.id, row);
    this.#count({ nodes: this.#version.nodes + 1 });
  }

  #addAnyEdge({ edge, at }: Of<"addEdge">): void {
    this.#node(edge.fromId, "edge.fromId");
    this.#node(edge.toId, "edge.toId");
    const { rationale: why } = edge.metadata;
    if (edge.edgeType !== "supersedes") this.#addEdge(edge, "edge.id");
    else this.#supersede(edge, typeof why === "string" ? why : null, at, SUPERSEDING_EDGE);
  }

  #addEdge(edge: DecisionEdge, field: string): void {
    if (this.#drafts.edges.get(edge.id) !== undefined) {
      throw this.#refused(
        "decisions.duplicate",
        field,
        `is "${edge.id}", which an edge in the graph has already; give another id.`,
      );
    }
    this.#drafts.edges.put(edge.id, { key: this.#newKey(), edge });
    this.#count({ edges: this.#version.edges + 1 });
  }

  #updateNode({ id, patch, nodeType, at }: Of<"updateNode">): void {
    const row = this.#node(id, "id", nodeType);
    if (patch.status !== undefined) this.#refuseSuperseded(row, "patch.status");
    this.#change(row, patch, at);
  }

  #deleteNode(id: string): void {
    this.#node(id, "id");
    const edges = this.#edgesOf(id);
    const kept = edges.find(({ edge }) => edge.edgeType === "supersedes" && edge.fromId === id);
    if (kept !== undefined) {
      throw this.#refused(
        "decisions.superseded",
        "id",
        `is "${id}", which supersedes "${kept.edge.toId}"; delete that one first.`,
      );
    }
    for (const { edge } of edges) this.#drafts.edges.put(edge.id, null);
    this.#drafts.nodes.put(id, null);
    const { nodes, edges: count } = this.#version;
    this.#count({ nodes: nodes - 1, edges: count - edges.length });
  }

  #supersedeNode({ oldId, newId, edgeId, rationale = null, nodeType, at }: Of<"supersede">): void {
    this.#node(oldId, "oldId", nodeType);
    this.#node(newId, "newId", nodeType);
    const metadata = Object.freeze({ rationale });
    const ends = { fromId: newId, toId: oldId, edgeType: "supersedes" } as const;
    const edge = Object.freeze({ id: edgeId, ...ends, metadata, createdAt: at });
    this.#supersede(edge, rationale, at, SUPERSEDE);
  }

  #supersede(
    edge: DecisionEdge,
    rationale: string | null,
    at: number,
    fields: typeof SUPERSEDE,
  ): void {
    const { fromId: newId, toId: oldId } = edge;
    if (newId === oldId) {
      throw this.#refused(
        "decisions.selfLoop",
        fields.newId,
        `is "${newId}", which would supersede itself; name two nodes.`,
      );
    }
    const old = this.#node(oldId, fields.oldId);
    this.#refuseSuperseded(old, fields.oldId);
    this.#refuseSuperseded(this.#node(newId, fields.newId), fields.newId);
    this.#addEdge(edge, fields.edgeId);
    this.#change(old, { status: "superseded", ...(rationale !== null && { rationale }) }, at);
  }

  #decideOption({ id, outcome, rationale = null, at }: Of<"decideOption">): void {
    const row = this.#node(id, "id", "option");
    this.#refuseSuperseded(row, "id");
    const { status, edgeType } = optionOutcomes[outcome];
    for (const { key, edge } of this.#edgesOf(id)) {
      if (edge.toId !== id || !tellsOutcome(edge.edgeType) || edge.edgeType === edgeType) continue;
      this.#drafts.edges.put(edge.id, { key, edge: Object.freeze({ ...edge, edgeType }) });
    }
    this.#change(row, { status, ...(rationale !== null && { rationale }) }, at);
  }

  #change(row: NodeRow, patch: NodePatch, at: number): void {
    const updatedAt = Math.max(row.node.updatedAt, at);
    const node = Object.freeze({ ...row.node, ...patch, updatedAt });
    const change = { seq: this.#version.seq, at: updatedAt, set: patch };
    this.#drafts.nodes.put(node.id, { ...row, node, history: [...historyOf(row), change] });
  }

  #node(id: string, field: string, type?: NodeType): NodeRow {
    const row = this.#drafts.nodes.get(id);
    if (row === undefined) {
      throw this.#refused(
        "decisions.missing",
        field,
        `is "${id}", but no node has that id; add the node first, or give the whole id of one that is there.`,
      );
    }
    if (type === undefined || row.node.type === type) return row;
    throw this.#refused(
      "decisions.invalid",
      field,
      `is "${id}", a node of type ${row.node.type}; give the id of one of type ${type}.`,
    );
  }

  #edgesOf(id: string): readonly EdgeRow[] {
    return [...this.#drafts.edges.rows()].filter(
      ({ edge }) => edge.fromId === id || edge.toId === id,
    );
  }

  #refuseSuperseded({ node: { id, status } }: NodeRow, field: string): void {
    if (status !== "superseded") return;
    throw this.#refused(
      "decisions.superseded",
      field,
      `would change "${id}", which was superseded and stays so; name the node that superseded it.`,
    );
  }

  #newKey(): number {
    const { keys } = this.#version;
    this.#count({ keys: keys + 1 });
    return keys;
  }

  #count(changed: Partial<Version>): void {
    this.#version = { ...this.#version, ...changed };
  }

  #refused(code: ErrorCode, field: string, what: string): ReckonerError {
    const place = `operations[${this.#index}].${field}`;
    return new ReckonerError(code, `${place} ${what}`, { place });
  }
}
