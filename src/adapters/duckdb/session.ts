/** A transaction on one DuckDB connection: statements, bulk inserts, and scans. */
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
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

/** What each type of column is called. Texts are compared by their bytes. */
export const columnTypes: Readonly<Record<ColumnType, string>> = {
  id: "VARCHAR",
  text: "VARCHAR",
  json: "JSON",
  integer: "INTEGER",
  bigint: "BIGINT",
  double: "DOUBLE",
};

/**
 * Columns as JSON. A parameter alone would be taken apart while the statement is planned, value by
 * value; a text that depends on a row is taken apart at once.
 */
const bulk: BulkDialect = {
  columnTypes,
  listText: (type, column) => (type === "id" ? column.join(",") : JSON.stringify(column)),
  rowsOf: (type, placeholder) => {
    const text = `repeat(${placeholder}, one.row)`;
    if (type === "id") return `unnest(string_split(${text}, ','))`;
    return `unnest(from_json(${text}::JSON, '["${columnTypes[type === "json" ? "text" : type]}"]'))`;
  },
  from: " FROM range(1, 2) AS one(row)",
};

/** The ids of so many keys, as a power of two, come in one text of a scan. */
const SCAN_BITS = 20;

/** See the banner. */
export class DuckdbSession implements SqlSession {
  readonly #connection: DuckDBConnection;
  readonly #schema: Schema;

  constructor(connection: DuckDBConnection, schema: Schema) {
    this.#connection = connection;
    this.#schema = schema;
  }

  query = async (
    text: string,
    parameters: readonly SqlValue[] = [],
  ): Promise<readonly SqlRow[]> => {
    const reader = await this.#connection.runAndReadAll(text, parameters.map(toDuckdb));
    return reader.getRowObjects();
  };

  insert = (name: TableName, columns: readonly SqlColumn[]): Promise<void> => {
    return insertRows(this.query, { name, quoted: this.#schema.table(name) }, columns, bulk);
  };

  updateNodes = (scope: string, columns: readonly SqlColumn[]): Promise<void> => {
    return updateRows(this.query, this.#schema.table("decision_nodes"), scope, columns, bulk);
  };

  /** One sort of all ids: a search for each would look through all of them every time. */
  neighbours = async (scope: string, ids: readonly string[]): Promise<readonly SqlRow[]> => {
    return this.query(
      `SELECT id, before, after FROM (SELECT id, lag(id) OVER (ORDER BY id) AS before, lead(id) OVER (ORDER BY id) AS after FROM ${this.#schema.table("decision_nodes")} WHERE scope = $1) AS n WHERE id IN (SELECT unnest(string_to_array($2, ',')))`,
      [scope, ids.join(",")],
    );
  };

  /** Ids as one text, numbers by chunks: a text for each id would cost more than all the rest. */
  scan = async (
    scope: string,
    takeNodes: (nodes: NodeColumns) => void,
    takeEdges: (edges: EdgeColumns) => void,
  ): Promise<void> => {
    const nodes = this.#schema.table("decision_nodes");
    const texts = await this.query(
      `SELECT string_agg(id, ',' ORDER BY key) AS ids FROM ${nodes} WHERE scope = $1 GROUP BY key >> ${SCAN_BITS} ORDER BY key >> ${SCAN_BITS}`,
      [scope],
    );
    const ids = texts.flatMap((row) => (row.ids as string).split(","));
    let start = 0;
    await this.#chunks(
      `SELECT key, CAST(created_at AS DOUBLE), ${numberOf("type", "$2")} FROM ${nodes} WHERE scope = $1 ORDER BY key`,
      [scope, nodeTypes.join(",")],
      ([keys = [], createdAt = [], types = []]) => {
        takeNodes({ ids: ids.slice(start, start + keys.length), keys, createdAt, types });
        start += keys.length;
      },
    );
    await this.#chunks(
      `SELECT from_key, to_key, ${numberOf("edge_type", "$2")} FROM ${this.#schema.table("decision_edges")} WHERE scope = $1`,
      [scope, edgeTypes.join(",")],
      ([from = [], to = [], types = []]) => takeEdges({ from, to, types }),
    );
  };

  /** Columns of numbers, none of them null. */
  async #chunks(
    text: string,
    parameters: readonly SqlValue[],
    take: (columns: readonly (readonly number[])[]) => void,
  ): Promise<void> {
    const result = await this.#connection.stream(text, parameters.map(toDuckdb));
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      take(chunk.getColumns().map((column) => column.map(Number)));
    }
  }
}

/** Whole numbers as such: what is bound as a double would make doubles of what it is compared with. */
function toDuckdb(value: SqlValue): DuckDBValue {
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value;
}

/** The number of a known word: its place in the list that is a parameter. */
function numberOf(column: string, list: string): string {
  return `CAST(list_position(string_to_array(${list}, ','), ${column}) - 1 AS INTEGER)`;
}
