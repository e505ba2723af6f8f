/**
 * The tables of a graph: their names and columns, without any SQL dialect. Every name in a
 * statement comes from here; what a user says is always a parameter.
 */

/** How a column's values are kept. Integers of 64 bits hold times and versions. */
export type ColumnType = "id" | "text" | "json" | "integer" | "bigint" | "double";

export type TableName =
  | "decision_nodes"
  | "decision_edges"
  | "decision_changes"
  | "decision_revisions"
  | "decision_versions";

/** Columns, each with its type, in order. */
type Columns = Readonly<Record<string, ColumnType>>;

/** The tables. */
export const tables: Readonly<Record<TableName, Columns>> = {
  /** The present nodes. `key` is a node's number within its scope, `seq` the change that added it. */
  decision_nodes: {
    scope: "id",
    id: "id",
    key: "integer",
    type: "text",
    label: "text",
    status: "text",
    confidence: "double",
    rationale: "text",
    metadata: "json",
    created_at: "bigint",
    updated_at: "bigint",
    seq: "bigint",
  },
  /** The present edges. `from_key` and `to_key` are the keys of their nodes: what walks go by. */
  decision_edges: {
    scope: "id",
    id: "id",
    from_id: "id",
    to_id: "id",
    from_key: "integer",
    to_key: "integer",
    edge_type: "text",
    metadata: "json",
    created_at: "bigint",
  },
  /** The append-only history: one row for each transaction. */
  decision_changes: {
    scope: "id",
    seq: "bigint",
    at: "bigint",
    key: "text",
    operations: "json",
    result: "json",
  },
  /** Which changes changed or deleted which nodes. The one that added a node stands in its row. */
  decision_revisions: { scope: "id", node_id: "id", seq: "bigint" },
  /** One row for each scope: its version, which every writer locks, and how much there is. */
  decision_versions: {
    scope: "id",
    seq: "bigint",
    at: "bigint",
    nodes: "bigint",
    edges: "bigint",
    node_keys: "bigint",
  },
};

/** The names and types of a table's columns, in order. */
export function columnsOf(table: TableName): readonly (readonly [string, ColumnType])[] {
  return Object.entries(tables[table]);
}

/** What an update of a node may change, beside its scope and id. */
export const nodeUpdates: Columns = {
  id: "id",
  label: "text",
  status: "text",
  confidence: "double",
  rationale: "text",
  metadata: "json",
  updated_at: "bigint",
};

/** Keys of nodes have 30 bits: two of them and a type of edge fit into 64. */
export const MOST_KEYS: number = 2 ** 30;

/**
 * The statement that changes nodes of a scope, which is its first parameter.
 * @param table the table of nodes, quoted
 * @param rows a SELECT of the new rows, with the columns of `nodeUpdates`
 */
export function updateNodesText(table: string, rows: string): string {
  const set = Object.keys(nodeUpdates)
    .slice(1)
    .map((name) => `"${name}" = u."${name}"`);
  return `UPDATE ${table} AS n SET ${set.join(", ")} FROM (${rows}) AS u WHERE n.scope = $1 AND n.id = u.id`;
}
