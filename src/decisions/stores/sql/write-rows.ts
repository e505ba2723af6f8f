/**
 * Carries out a write to a decision graph in its transaction: locks the scope's row, so that its writers are
 * serialized; looks up the idempotency key; applies the core's plan; and writes rows and version together.
 */

import type { Json } from "../../../core/kernel/values/index.js";
import {
  answerLater,
  type CheckedTransaction,
  type EdgeRow,
  type NodeRow,
  planWrite,
  refuseOtherKey,
  type Version,
} from "../../pure/index.js";
import { ScopeRows, versionOf } from "./rows.js";
import type { SqlDatabase, SqlSession, SqlValue } from "./session.js";

/** Writes, and returns the result: that of the first time if the key was used before. */
export async function writeRows(
  database: Pick<SqlDatabase, "schema" | "dialect">,
  session: SqlSession,
  { scope, operations, digest }: CheckedTransaction,
  key: string,
): Promise<Json> {
  const { schema } = database;
  const before = await lockScope(schema.table("decision_scopes"), session, scope);
  const [used] = await session.query(
    // The index of Postgres is by the digest: a long key would not go into it.
    `SELECT digest, CAST(to_json(result) AS text) AS result FROM ${schema.table("decision_writes")} WHERE scope = $1 AND key = $2 AND md5(key) = md5($2)`,
    [scope, key],
  );
  if (used !== undefined) {
    refuseOtherKey(key, used.digest as string, digest);
    return JSON.parse(used.result as string) as Json;
  }
  const rows = new ScopeRows(database, session, scope);
  const plan = await answerLater(planWrite(operations, before), (request) => rows.answer(request));
  await rows.delete("decision_edges", plan.deletedEdges);
  await rows.delete("decision_nodes", plan.deletedNodes);
  await rows.insert("decision_nodes", plan.nodes.map(nodeValues));
  await rows.insert("decision_edges", plan.edges.map(edgeValues));
  const { seq, at, nodes, edges, keys } = plan.version;
  await rows.insert("decision_writes", [[seq, key, digest, JSON.stringify(plan.result)]]);
  await session.query(
    `UPDATE ${schema.table("decision_scopes")} SET seq = $2, "at" = $3, nodes = $4, edges = $5, keys = $6 WHERE scope = $1`,
    [scope, seq, at, nodes, edges, keys],
  );
  return plan.result as object as Json;
}

/** Locks the scope's row until the transaction ends, and creates it if it is missing. */
async function lockScope(table: string, session: SqlSession, scope: string): Promise<Version> {
  const [row] = await session.query(
    `INSERT INTO ${table} AS v (scope, seq, "at", nodes, edges, keys) VALUES ($1, 0, 0, 0, 0, 0) ON CONFLICT (scope) DO UPDATE SET seq = v.seq RETURNING seq, "at", nodes, edges, keys`,
    [scope],
  );
  return versionOf(row ?? {});
}

function nodeValues({ key, seq, node, history }: NodeRow): SqlValue[] {
  const { id, type, label, status, confidence, rationale, metadata } = node;
  const { createdAt, updatedAt } = node;
  const about = [id, key, type, label, status, confidence, rationale];
  return [...about, JSON.stringify(metadata), createdAt, updatedAt, seq, JSON.stringify(history)];
}

function edgeValues({ key, edge }: EdgeRow): SqlValue[] {
  const { id, fromId, toId, edgeType, metadata, createdAt } = edge;
  return [id, key, fromId, toId, edgeType, JSON.stringify(metadata), createdAt];
}
