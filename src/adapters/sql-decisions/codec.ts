/** Converts rows of the database to nodes, edges and changes, and back. */
import type {
  CheckedOperation,
  DecisionEdge,
  DecisionNode,
  EdgeType,
  GraphChange,
  NodeStatus,
  NodeType,
  WriteResult,
} from "../../core/decisions/index.js";
import type { JsonObject } from "../../core/kernel/index.js";
import type { SqlColumn, SqlRow, SqlValue } from "./session.js";

/** What a node is read with: `key` beside its fields. JSON as text, the same from every client. */
export const NODE_COLUMNS =
  "id, key, type, label, status, confidence, rationale, CAST(metadata AS text) AS metadata, created_at, updated_at";

export const EDGE_COLUMNS =
  "id, from_id, to_id, edge_type, CAST(metadata AS text) AS metadata, created_at";

export const CHANGE_COLUMNS =
  'seq, "at", key, CAST(operations AS text) AS operations, CAST(result AS text) AS result';

export function nodeOf(row: SqlRow): DecisionNode {
  return Object.freeze({
    id: row.id as string,
    type: row.type as NodeType,
    label: row.label as string,
    status: row.status as NodeStatus,
    confidence: row.confidence === null ? null : Number(row.confidence),
    rationale: row.rationale as string | null,
    metadata: JSON.parse(row.metadata as string) as JsonObject,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  });
}

export function edgeOf(row: SqlRow): DecisionEdge {
  return Object.freeze({
    id: row.id as string,
    fromId: row.from_id as string,
    toId: row.to_id as string,
    edgeType: row.edge_type as EdgeType,
    metadata: JSON.parse(row.metadata as string) as JsonObject,
    createdAt: Number(row.created_at),
  });
}

export function changeOf(row: SqlRow): GraphChange {
  return {
    seq: Number(row.seq),
    at: Number(row.at),
    key: row.key as string | null,
    operations: JSON.parse(row.operations as string) as CheckedOperation[],
    result: JSON.parse(row.result as string) as WriteResult,
  };
}

/** The columns of some rows: one for each function that says what stands in it. */
export function toColumns<T>(
  rows: readonly T[],
  ...columns: readonly ((row: T) => SqlValue)[]
): readonly SqlColumn[] {
  return columns.map((column) => rows.map(column));
}

/** Metadata as text. Most are empty. */
export function metadataText(metadata: JsonObject): string {
  return Object.keys(metadata).length === 0 ? "{}" : JSON.stringify(metadata);
}
