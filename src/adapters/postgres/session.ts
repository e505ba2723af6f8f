/** A transaction on one Postgres connection: statements, bulk inserts, and scans. */
import { edgeTypes, nodeTypes } from "../../core/decisions/index.js";
import {
  type BulkDialect,
  type ColumnType,
  type EdgeColumns,
  insertRows,
  type NodeColumns,
  type Schema,
  type SqlColumn,
  type SqlRow,
  type SqlSession,
  type SqlValue,
  type TableName,
  updateRows,
} from "../sql-decisions/index.js";
import type { PostgresClient } from "./client.js";
import { arrayText, bytesOf } from "./literals.js";

/** What each type of column is called. Ids are compared by their bytes. */
export const columnTypes: Readonly<Record<ColumnType, string>> = {
  id: 'text COLLATE "C"',
  text: "text",
  json: "json",
  integer: "integer",
  bigint: "bigint",
  double: "double precision",
};

/** Columns as arrays, those of ids as what is cut apart fastest. */
const bulk: BulkDialect = {
  columnTypes,
  listText: (type, column) => (type === "id" ? column.join(",") : arrayText(column)),
  rowsOf: (type, placeholder) => {
    if (type === "id") return `unnest(string_to_array(${placeholder}, ','))`;
    if (type === "json") return `unnest(${placeholder}::text::text[])::json`;
    return `unnest(${placeholder}::text::${columnTypes[type]}[])`;
  },
  from: "",
};

/** Nodes of so many keys, as a power of two, come in one row of a scan. */
const SCAN_BITS = 17;

/** See the banner. */
export class PostgresSession implements SqlSession {
  readonly #client: PostgresClient;
  readonly #schema: Schema;

  constructor(client: PostgresClient, schema: Schema) {
    this.#client = client;
    this.#schema = schema;
  }

  query = async (
    text: string,
    parameters: readonly SqlValue[] = [],
  ): Promise<readonly SqlRow[]> => {
    return (await this.#client.query(text, [...parameters])).rows;
  };

  insert = (name: TableName, columns: readonly SqlColumn[]): Promise<void> => {
    return insertRows(this.query, { name, quoted: this.#schema.table(name) }, columns, bulk);
  };

  updateNodes = (scope: string, columns: readonly SqlColumn[]): Promise<void> => {
    return updateRows(this.query, this.#schema.table("decision_nodes"), scope, columns, bulk);
  };

  neighbours = async (scope: string, ids: readonly string[]): Promise<readonly SqlRow[]> => {
    const next = (comparison: "<" | ">", order: "DESC" | "ASC") =>
      `(SELECT n.id FROM ${this.#schema.table("decision_nodes")} AS n WHERE n.scope = $1 AND n.id ${comparison} a.id ORDER BY n.id ${order} LIMIT 1)`;
    return this.query(
      `SELECT a.id AS id, ${next("<", "DESC")} AS before, ${next(">", "ASC")} AS after FROM unnest(string_to_array($2, ',')) AS a(id)`,
      [scope, ids.join(",")],
    );
  };

  /**
   * Ids as one text, numbers as bytes: a million of them as rows would take seconds. The edges are
   * asked for first, so that the server works while the nodes are taken in.
   */
  scan = async (
    scope: string,
    takeNodes: (nodes: NodeColumns) => void,
    takeEdges: (edges: EdgeColumns) => void,
  ): Promise<void> => {
    const nodes = await this.query(
      `SELECT key >> ${SCAN_BITS} AS part, string_agg(id, ',') AS ids, string_agg(int4send(key), '') AS keys, string_agg(int8send(created_at * 8 + ${numberOf("type", nodeTypes.length)}), '') AS created FROM ${this.#schema.table("decision_nodes")} WHERE scope = $1 GROUP BY 1`,
      [scope, ...nodeTypes],
    );
    // Eight bytes for each edge: four bits of its type, thirty of each end's key.
    const edges = this.query(
      `SELECT string_agg(int8send((${numberOf("edge_type", edgeTypes.length)} << 60) | (from_key::bigint << 30) | to_key), '') AS edges FROM ${this.#schema.table("decision_edges")} WHERE scope = $1 GROUP BY from_key >> ${SCAN_BITS}`,
      [scope, ...edgeTypes],
    );
    // Awaited below; until then a rejection must not count as unhandled.
    edges.catch(() => undefined);
    for (const row of inParts(nodes)) takeNodes(nodesOf(row));
    for (const row of await edges) takeEdges(edgesOf(row));
  };
}

/** The parts of a scan in order: rows that were never changed come in the order of their keys. */
function inParts(rows: readonly SqlRow[]): readonly SqlRow[] {
  return [...rows].sort((a, b) => Number(a.part) - Number(b.part));
}

function nodesOf(row: SqlRow): NodeColumns {
  const ids = (row.ids as string).split(",");
  const keyBytes = bytesOf(row.keys);
  const createdBytes = bytesOf(row.created);
  const keys = new Int32Array(ids.length);
  const createdAt = new Float64Array(ids.length);
  const types = new Uint8Array(ids.length);
  for (let i = 0; i < ids.length; i++) {
    keys[i] = keyBytes.getInt32(4 * i);
    const high = createdBytes.getUint32(8 * i);
    const low = createdBytes.getUint32(8 * i + 4);
    // The lowest three bits are the type.
    createdAt[i] = high * 2 ** 29 + (low >>> 3);
    types[i] = low & 7;
  }
  return { ids, keys, createdAt, types };
}

function edgesOf(row: SqlRow): EdgeColumns {
  const bytes = bytesOf(row.edges);
  const count = bytes.byteLength / 8;
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  const types = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const high = bytes.getUint32(8 * i);
    const low = bytes.getUint32(8 * i + 4);
    types[i] = high >>> 28;
    from[i] = ((high & 0x0fff_ffff) << 2) | (low >>> 30);
    to[i] = low & 0x3fff_ffff;
  }
  return { from, to, types };
}

/** The number of a known word: which of the parameters from the second on it is. */
function numberOf(column: string, words: number): string {
  const cases = Array.from({ length: words }, (_, i) => `WHEN $${i + 2} THEN ${i}::bigint`);
  return `(CASE ${column} ${cases.join(" ")} END)`;
}
