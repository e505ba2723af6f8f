/** A transaction on one connection to Postgres: statements, rows in bulk, and scans. */
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

/** How a column comes out of an array of texts, and what it is cast to then. */
const arrayTypes: Readonly<Record<ColumnType, string>> = {
  id: "text[]",
  text: "text[]",
  json: "text[]",
  integer: "integer[]",
  bigint: "bigint[]",
  double: "double precision[]",
};

/** How many rows one statement adds. */
const BATCH = 10_000;

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

  insert = async (table: TableName, columns: readonly SqlColumn[]): Promise<void> => {
    const types = columnsOf(table);
    const names = types.map(([name]) => `"${name}"`).join(", ");
    const count = columns[0]?.length ?? 0;
    for (let start = 0; start < count; start += BATCH) {
      const batch = columns.map((column) => column.slice(start, start + BATCH));
      const { from, select, parameters } = asRows(types, batch, 1);
      await this.query(
        `INSERT INTO ${this.#schema.table(table)} (${names}) SELECT ${select}${from}`,
        parameters,
      );
    }
  };

  updateNodes = async (scope: string, columns: readonly SqlColumn[]): Promise<void> => {
    const types = Object.entries(nodeUpdates);
    const { from, select, parameters } = asRows(types, columns, 2);
    const text = updateNodesText(this.#schema.table("decision_nodes"), `SELECT ${select}${from}`);
    await this.query(text, [scope, ...parameters]);
  };

  neighbours = async (scope: string, ids: readonly string[]): Promise<readonly SqlRow[]> => {
    const next = (comparison: "<" | ">", order: "DESC" | "ASC") =>
      `(SELECT n.id FROM ${this.#schema.table("decision_nodes")} AS n WHERE n.scope = $1 AND n.id ${comparison} a.id ORDER BY n.id ${order} LIMIT 1)`;
    return this.query(
      `SELECT a.id AS id, ${next("<", "DESC")} AS before, ${next(">", "ASC")} AS after FROM unnest(string_to_array($2, ',')) AS a(id)`,
      [scope, ids.join(",")],
    );
  };

  /** Ids as one text, numbers as bytes: a million of them as rows would take seconds. */
  scanNodes = async (scope: string, take: (nodes: NodeColumns) => void): Promise<void> => {
    const rows = await this.query(
      `SELECT string_agg(id, ',') AS ids, string_agg(int4send(key), '') AS keys, string_agg(int8send(created_at * 8 + ${numberOf("type", "$2")}), '') AS created FROM (SELECT id, key, created_at, type FROM ${this.#schema.table("decision_nodes")} WHERE scope = $1 ORDER BY key) AS n GROUP BY key >> ${SCAN_BITS} ORDER BY key >> ${SCAN_BITS}`,
      [scope, nodeTypes.join(",")],
    );
    for (const row of rows) {
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
      take({ ids, keys, createdAt, types });
    }
  };

  /** Eight bytes for each edge: four bits of its type, thirty of each end's key. */
  scanEdges = async (scope: string, take: (edges: EdgeColumns) => void): Promise<void> => {
    const rows = await this.query(
      `SELECT string_agg(int8send((${numberOf("edge_type", "$2")}::bigint << 60) | (from_key::bigint << 30) | to_key), '') AS edges FROM ${this.#schema.table("decision_edges")} WHERE scope = $1 GROUP BY from_key >> ${SCAN_BITS}`,
      [scope, edgeTypes.join(",")],
    );
    for (const row of rows) {
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
      take({ from, to, types });
    }
  };
}

/** The number of a known word: its place in the list that is a parameter. */
function numberOf(column: string, list: string): string {
  return `(array_position(string_to_array(${list}, ','), ${column}) - 1)`;
}

/**
 * Rows as the end of a SELECT, with one parameter for each column, counted from `first`: an array, or
 * where all rows have the same, that value. So a single row goes as it is.
 */
function asRows(
  types: readonly (readonly [string, ColumnType])[],
  columns: readonly SqlColumn[],
  first: number,
): { readonly select: string; readonly from: string; readonly parameters: readonly SqlValue[] } {
  const parameters: SqlValue[] = [];
  const selected: string[] = [];
  const arrays: string[] = [];
  const names: string[] = [];
  for (const [i, [name, type]] of types.entries()) {
    const column = columns[i] ?? [];
    const [value = null] = column;
    const placeholder = `$${first + i}`;
    if (column.every((other) => other === value)) {
      parameters.push(value);
      selected.push(`${placeholder}::${columnTypes[type]} AS "${name}"`);
    } else {
      parameters.push(arrayText(column));
      arrays.push(`${placeholder}::text::${arrayTypes[type]}`);
      names.push(`"${name}"`);
      selected.push(type === "json" ? `a."${name}"::json AS "${name}"` : `a."${name}"`);
    }
  }
  const from = arrays.length === 0 ? "" : ` FROM unnest(${arrays}) AS a(${names})`;
  return { select: selected.join(", "), from, parameters };
}
