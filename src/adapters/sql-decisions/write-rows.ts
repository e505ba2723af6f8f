/**
 * Carries out a write in its transaction: locks the version row, so that writers of a scope are
 * serialized; looks up the idempotency key; applies the core's plan; and writes rows, history and
 * version together.
 */
import {
  answerLater,
  type CheckedOperation,
  type DecisionEdge,
  type DecisionNode,
  firstResult,
  type GraphChange,
  type NetRows,
  netRows,
  planWrite,
  type WriteResult,
} from "../../core/decisions/index.js";
import { asJson, ReckonerError } from "../../core/kernel/index.js";
import { metadataText, toColumns } from "./codec.js";
import { ScopeRows } from "./rows.js";
import type { Schema } from "./schema.js";
import type { SqlSession } from "./session.js";
import { MOST_KEYS, type TableName } from "./tables.js";
import { listOf } from "./where.js";

/** What a write came to. */
export interface Written {
  readonly result: WriteResult;
  /** Undefined where the key was used before, and nothing was written now. */
  readonly change: GraphChange | undefined;
}

/** A scope's version row. */
interface Counters {
  readonly seq: number;
  readonly at: number;
  readonly nodes: number;
  readonly edges: number;
  readonly nodeKeys: number;
}

/** See the banner. */
export async function writeRows(
  schema: Schema,
  session: SqlSession,
  scope: string,
  operations: readonly CheckedOperation[],
  key: string,
): Promise<Written> {
  const rows = new ScopeRows(schema, session, scope);
  const last = await lockVersion(schema, session, scope);
  const [before] = await rows.changeOf(key);
  if (before !== undefined) return { result: firstResult(before, operations), change: undefined };
  const noWalks = () => Promise.reject(new Error("A write asks for no walk."));
  const { change, effects } = await answerLater(planWrite(operations, last, key), (request) =>
    rows.answer(request, noWalks),
  );
  const net = netRows(effects);
  const writing = writeNet(schema, rows, net, last.nodeKeys, change.seq);
  // The text of the history is made while the database works.
  const text = JSON.stringify(asJson(change.operations));
  const nodeKeys = await writing;
  await addHistory(session, scope, change, text);
  const nodes = last.nodes + net.addedNodes.length - net.deletedNodes.length;
  const edges = last.edges + net.addedEdges.length - net.deletedEdges.length;
  await session.query(
    `UPDATE ${schema.table("decision_versions")} SET seq = $2, "at" = $3, nodes = $4, edges = $5, node_keys = $6 WHERE scope = $1`,
    [scope, change.seq, change.at, nodes, edges, nodeKeys],
  );
  return { result: change.result, change };
}

/** @returns how many keys were given out so far */
async function writeNet(
  schema: Schema,
  rows: ScopeRows,
  net: NetRows,
  firstKey: number,
  seq: number,
): Promise<number> {
  const { session, scope } = rows;
  await remove(schema, session, "decision_edges", scope, net.deletedEdges);
  await remove(schema, session, "decision_nodes", scope, net.deletedNodes);
  const nodeKeys = await addNodes(rows, net.addedNodes, firstKey, seq);
  await changeNodes(session, scope, net.changedNodes);
  await addEdges(rows, net.addedEdges);
  return nodeKeys;
}

/** Makes the scope's version row where there is none, and locks it until the transaction ends. */
async function lockVersion(schema: Schema, session: SqlSession, scope: string): Promise<Counters> {
  const table = schema.table("decision_versions");
  const [row] = await session.query(
    `INSERT INTO ${table} AS v (scope, seq, "at", nodes, edges, node_keys) VALUES ($1, 0, 0, 0, 0, 0) ON CONFLICT (scope) DO UPDATE SET seq = v.seq RETURNING seq, "at", nodes, edges, node_keys`,
    [scope],
  );
  return {
    seq: Number(row?.seq),
    at: Number(row?.at),
    nodes: Number(row?.nodes),
    edges: Number(row?.edges),
    nodeKeys: Number(row?.node_keys),
  };
}

async function remove(
  schema: Schema,
  session: SqlSession,
  table: TableName,
  scope: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await session.query(
    `DELETE FROM ${schema.table(table)} WHERE scope = $1 AND id IN (SELECT unnest(string_to_array($2, ',')))`,
    [scope, listOf(ids)],
  );
}

/** @returns how many keys were given out so far */
async function addNodes(
  { session, scope, keys }: ScopeRows,
  nodes: readonly DecisionNode[],
  firstKey: number,
  seq: number,
): Promise<number> {
  const end = firstKey + nodes.length;
  if (end > MOST_KEYS) {
    throw new ReckonerError(
      "decisions.invalid",
      `The graph would have had more than ${MOST_KEYS} nodes in all its time; begin another one.`,
      { place: "operations" },
    );
  }
  if (nodes.length === 0) return end;
  for (const [i, node] of nodes.entries()) keys.set(node.id, firstKey + i);
  const columns = toColumns(
    nodes,
    () => scope,
    (node) => node.id,
    (node) => keys.get(node.id) as number,
    (node) => node.type,
    (node) => node.label,
    (node) => node.status,
    (node) => node.confidence,
    (node) => node.rationale,
    (node) => metadataText(node.metadata),
    (node) => node.createdAt,
    (node) => node.updatedAt,
    () => seq,
  );
  await session.insert("decision_nodes", columns);
  return end;
}

async function changeNodes(
  session: SqlSession,
  scope: string,
  nodes: readonly DecisionNode[],
): Promise<void> {
  if (nodes.length === 0) return;
  const columns = toColumns(
    nodes,
    (node) => node.id,
    (node) => node.label,
    (node) => node.status,
    (node) => node.confidence,
    (node) => node.rationale,
    (node) => metadataText(node.metadata),
    (node) => node.updatedAt,
  );
  await session.updateNodes(scope, columns);
}

async function addEdges(
  { session, scope, keys }: ScopeRows,
  edges: readonly DecisionEdge[],
): Promise<void> {
  if (edges.length === 0) return;
  const columns = toColumns(
    edges,
    () => scope,
    (edge) => edge.id,
    (edge) => edge.fromId,
    (edge) => edge.toId,
    // The plan has read both ends, or they are new.
    (edge) => keys.get(edge.fromId) as number,
    (edge) => keys.get(edge.toId) as number,
    (edge) => edge.edgeType,
    (edge) => metadataText(edge.metadata),
    (edge) => edge.createdAt,
  );
  await session.insert("decision_edges", columns);
}

async function addHistory(
  session: SqlSession,
  scope: string,
  change: GraphChange,
  text: string,
): Promise<void> {
  const { seq, at, key, operations, result } = change;
  await session.insert("decision_changes", [
    [scope],
    [seq],
    [at],
    [key],
    [text],
    [JSON.stringify(asJson(result))],
  ]);
  const changed = changedIds(operations);
  if (changed.length === 0) return;
  await session.insert(
    "decision_revisions",
    toColumns(
      changed,
      () => scope,
      (id) => id,
      () => seq,
    ),
  );
}

/** The nodes that operations change or delete, each once. */
function changedIds(operations: readonly CheckedOperation[]): string[] {
  const ids = new Set<string>();
  for (const operation of operations) {
    if (operation.type === "updateNode" || operation.type === "deleteNode") ids.add(operation.id);
    else if (operation.type === "supersede") ids.add(operation.oldId);
    else if (operation.type === "addEdge" && operation.edge.edgeType === "supersedes") {
      ids.add(operation.edge.toId);
    }
  }
  return [...ids];
}
