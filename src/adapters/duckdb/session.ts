/** A transaction on one connection to DuckDB: statements, rows in bulk, and scans. */
import type { DuckDBConnection, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { edgeTypes, nodeTypes } from "../../core/decisions/index.js";
import {
  type ColumnType,
  columnsOf,
  type EdgeColumns,
  type NodeColumns,
  nodeUpdates,
  type Schema,
  type SqlColumn,
  type SqlRow,
  type SqlSession,
  type SqlValue,
  type TableName,
  updateNodesText,
} from "../sql-decisions/index.js";
import type { DuckdbModule } from "./driver.js";

/** What each type of column is called. Texts are compared by their bytes. */
export const columnTypes: Readonly<Record<ColumnType, string>> = {
  id: "VARCHAR",
  text: "VARCHAR",
  json: "JSON",
  integer: "INTEGER",
  bigint: "BIGINT",
  double: "DOUBLE",
};

/** How many rows a chunk of DuckDB's has at most. */
const CHUNK = 2048;

/** The ids of so many keys, as a power of two, come in one text of a scan. */
const SCAN_BITS = 20;

/** See the banner. */
export class DuckdbSession implements SqlSession {
  readonly #driver: DuckdbModule;
  readonly #connection: DuckDBConnection;
  readonly #schema: Schema;

  constructor(driver: DuckdbModule, connection: DuckDBConnection, schema: Schema) {
    this.#driver = driver;
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

  insert = async (table: TableName, columns: readonly SqlColumn[]): Promise<void> => {
    const types = columnsOf(table).map(([, type]) => type);
    const appender = await this.#connection.createAppender(table, this.#schema.name);
    const count = columns[0]?.length ?? 0;
    for (let start = 0; start < count; start += CHUNK) {
      const rows = Math.min(CHUNK, count - start);
      const chunk = this.#driver.DuckDBDataChunk.create(
        types.map((type) => this.#typeOf(type)),
        rows,
      );
      chunk.setColumns(
        columns.map((column, i) => toVector(types[i], column.slice(start, start + rows))),
      );
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
  };

  updateNodes = async (scope: string, columns: readonly SqlColumn[]): Promise<void> => {
    const names = Object.keys(nodeUpdates);
    const rows = (columns[0] ?? []).map((_, row) =>
      Object.fromEntries(names.map((name, i) => [name, columns[i]?.[row] ?? null])),
    );
    const shape = Object.fromEntries(
      Object.entries(nodeUpdates).map(([name, type]) => [
        name,
        // JSON is a text within this JSON.
        columnTypes[type === "json" ? "text" : type],
      ]),
    );
    const select = `SELECT unnest(from_json($2::JSON, '[${JSON.stringify(shape)}]'), recursive := true)`;
    await this.query(updateNodesText(this.#schema.table("decision_nodes"), select), [
      scope,
      JSON.stringify(rows),
    ]);
  };

  /** One sort of all ids: a search for each would look through all of them every time. */
  neighbours = async (scope: string, ids: readonly string[]): Promise<readonly SqlRow[]> => {
    return this.query(
      `SELECT id, before, after FROM (SELECT id, lag(id) OVER (ORDER BY id) AS before, lead(id) OVER (ORDER BY id) AS after FROM ${this.#schema.table("decision_nodes")} WHERE scope = $1) AS n WHERE id IN (SELECT unnest(string_to_array($2, ',')))`,
      [scope, ids.join(",")],
    );
  };

  /** Ids as one text, numbers by chunks: a text for each id would cost more than all the rest. */
  scanNodes = async (scope: string, take: (nodes: NodeColumns) => void): Promise<void> => {
    const table = this.#schema.table("decision_nodes");
    const texts = await this.query(
      `SELECT string_agg(id, ',' ORDER BY key) AS ids FROM ${table} WHERE scope = $1 GROUP BY key >> ${SCAN_BITS} ORDER BY key >> ${SCAN_BITS}`,
      [scope],
    );
    const ids = texts.flatMap((row) => (row.ids as string).split(","));
    let start = 0;
    await this.#chunks(
      `SELECT key, CAST(created_at AS DOUBLE), ${numberOf("type", "$2")} FROM ${table} WHERE scope = $1 ORDER BY key`,
      [scope, nodeTypes.join(",")],
      ([keys = [], createdAt = [], types = []]) => {
        take({ ids: ids.slice(start, start + keys.length), keys, createdAt, types });
        start += keys.length;
      },
    );
  };

  scanEdges = async (scope: string, take: (edges: EdgeColumns) => void): Promise<void> => {
    await this.#chunks(
      `SELECT from_key, to_key, ${numberOf("edge_type", "$2")} FROM ${this.#schema.table("decision_edges")} WHERE scope = $1`,
      [scope, edgeTypes.join(",")],
      ([from = [], to = [], types = []]) => take({ from, to, types }),
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

  #typeOf(type: ColumnType): DuckDBType {
    const { BIGINT, DOUBLE, INTEGER, VARCHAR } = this.#driver;
    if (type === "integer") return INTEGER;
    if (type === "bigint") return BIGINT;
    return type === "double" ? DOUBLE : VARCHAR;
  }
}

function toVector(type: ColumnType | undefined, column: SqlColumn): readonly DuckDBValue[] {
  return type === "bigint" ? column.map((value) => BigInt(value as number)) : column;
}

/** Whole numbers as such: what is bound as a double would make doubles of what it is compared with. */
function toDuckdb(value: SqlValue): DuckDBValue {
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value;
}

/** The number of a known word: its place in the list that is a parameter. */
function numberOf(column: string, list: string): string {
  return `CAST(list_position(string_to_array(${list}, ','), ${column}) - 1 AS INTEGER)`;
}
