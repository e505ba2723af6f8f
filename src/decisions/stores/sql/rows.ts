/** `ScopeRows`: reads and writes the rows of one scope of a decision store in SQL, within one transaction. */
import {
  type EdgeRow,
  type Link,
  NO_VERSION,
  type NodeRow,
  type RowAnswer,
  type RowRequest,
  type Version,
} from "../../pure/index.js";
import { columnsOf, type TableName } from "./schema.js";
import type { SqlDatabase, SqlRow, SqlSession, SqlValue } from "./session.js";

/** Rows that one statement adds at most. */
const BATCH = 5000;

type Request<W extends RowRequest["want"]> = Extract<RowRequest, { want: W }>;

/** See the banner. */
export class ScopeRows {
  readonly #database: Pick<SqlDatabase, "schema" | "dialect">;
  readonly #session: SqlSession;
  readonly #scope: string;

  constructor(
    database: Pick<SqlDatabase, "schema" | "dialect">,
    session: SqlSession,
    scope: string,
  ) {
    this.#database = database;
    this.#session = session;
    this.#scope = scope;
  }

  /** Answers a request. */
  async answer(request: RowRequest): Promise<RowAnswer> {
    switch (request.want) {
      case "nodes":
        return (await this.#found("decision_nodes", [oneOf("id", request.ids)])).map(nodeOf);
      case "filtered":
        return this.#filtered(request);
      case "edges":
        return this.#edges(request);
      case "edgesById":
        return (await this.#found("decision_edges", [oneOf("id", request.ids)])).map(edgeOf);
      case "reachable":
        return this.#reachable(request);
      case "startingWith":
        return this.#startingWith(request);
      case "version":
        return this.#version();
    }
  }

  /** Adds rows to a table, each with its values in the order of the columns behind `scope`. */
  async insert(name: TableName, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const { schema, dialect } = this.#database;
    const columns = columnsOf(name);
    const values = columns.map(
      ([, type], i) => `CAST(r ->> ${i} AS ${dialect.types[type === "id" ? "text" : type]})`,
    );
    const names = columns.map(([column]) => `"${column}"`);
    for (let start = 0; start < rows.length; start += BATCH) {
      const batch = rows.slice(start, start + BATCH).map((row) => [this.#scope, ...row]);
      await this.#session.query(
        `INSERT INTO ${schema.table(name)} (${names.join(", ")}) SELECT ${values.join(", ")} FROM ${dialect.elements}`,
        [JSON.stringify(batch)],
      );
    }
  }

  /** Deletes the rows of these ids. */
  async delete(name: "decision_nodes" | "decision_edges", ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#session.query(
      `DELETE FROM ${this.#database.schema.table(name)} WHERE scope = $1 AND id IN ${listed(2)}`,
      [this.#scope, ids.join(",")],
    );
  }

  async #filtered({ where, order, limit }: Request<"filtered">): Promise<NodeRow[]> {
    const { types, statuses } = where;
    const conditions = [
      ...(types === undefined ? [] : [oneOf("type", types)]),
      ...(statuses === undefined ? [] : [oneOf("status", statuses)]),
    ];
    const by = order === "oldest" ? "ASC" : "DESC";
    const rest = `ORDER BY found.created_at ${by}, found.key ${by}${most(limit)}`;
    return (await this.#found("decision_nodes", conditions, rest)).map(nodeOf);
  }

  async #edges({ of, direction, limit }: Request<"edges">): Promise<EdgeRow[]> {
    const sides = { outgoing: ["from_id"], incoming: ["to_id"], both: ["from_id", "to_id"] };
    const conditions = of === undefined ? [] : [oneOf(sides[direction], of)];
    const rest = `ORDER BY found.key${most(limit)}`;
    return (await this.#found("decision_edges", conditions, rest)).map(edgeOf);
  }

  /** All edges that can be reached, by one recursive query; they are searched in memory. */
  async #reachable({ from, direction }: Request<"reachable">): Promise<Link[]> {
    const { schema } = this.#database;
    const [near, far] = direction === "outgoing" ? ["from_id", "to_id"] : ["to_id", "from_id"];
    const edges = `reached AS r JOIN ${schema.table("decision_edges")} AS e ON e.scope = $1 AND e.${near} = r.id`;
    const rows = await this.#session.query(
      `WITH RECURSIVE reached(id) AS (SELECT id FROM ${schema.table("decision_nodes")} WHERE scope = $1 AND id = $2 UNION SELECT e.${far} FROM ${edges}) SELECT e.from_id, e.to_id, e.edge_type FROM ${edges} ORDER BY e.key`,
      [this.#scope, from],
    );
    return rows.map(
      ({ from_id: fromId, to_id: toId, edge_type: edgeType }) =>
        ({ fromId, toId, edgeType }) as Link,
    );
  }

  async #startingWith({ prefix, limit }: Request<"startingWith">): Promise<string[]> {
    const rows = await this.#session.query(
      `SELECT id FROM ${this.#database.schema.table("decision_nodes")} WHERE scope = $1 AND starts_with(id, $2) ORDER BY id${most(limit)}`,
      [this.#scope, prefix],
    );
    return rows.map(({ id }) => id as string);
  }

  async #version(): Promise<Version> {
    const [row] = await this.#session.query(
      `SELECT * FROM ${this.#database.schema.table("decision_scopes")} WHERE scope = $1`,
      [this.#scope],
    );
    return row === undefined ? NO_VERSION : versionOf(row);
  }

  /**
   * Rows of a table. Each comes as one JSON text, so that no client changes a character or a number
   * of it.
   */
  async #found(
    name: TableName,
    conditions: readonly Condition[],
    rest = "",
  ): Promise<readonly SqlRow[]> {
    const parts = ["scope = $1", ...conditions.map(({ text }, i) => text(i + 2))];
    const rows = await this.#session.query(
      `SELECT CAST(to_json(found) AS text) AS row FROM (SELECT * FROM ${this.#database.schema.table(name)} WHERE ${parts.join(" AND ")}) AS found ${rest}`,
      [this.#scope, ...conditions.map(({ value }) => value)],
    );
    return rows.map(({ row }) => JSON.parse(row as string) as SqlRow);
  }
}

/** A condition with one parameter, whose number its text is given. */
interface Condition {
  readonly text: (parameter: number) => string;
  readonly value: string;
}

/** One of the columns has one of these ids or known words, none of which has a comma. */
function oneOf(column: string | readonly string[], texts: readonly string[]): Condition {
  const columns = [column].flat();
  const text = (i: number) => `(${columns.map((each) => `${each} IN ${listed(i)}`).join(" OR ")})`;
  return { text, value: texts.join(",") };
}

function listed(parameter: number): string {
  return `(SELECT unnest(string_to_array($${parameter}, ',')))`;
}

function most(limit: number | undefined): string {
  return limit !== undefined && Number.isFinite(limit) ? ` LIMIT ${limit}` : "";
}

function nodeOf(row: SqlRow): NodeRow {
  const { id, type, label, status, confidence, rationale, metadata } = row;
  const times = { createdAt: row.created_at, updatedAt: row.updated_at };
  const fields = { id, type, label, status, confidence, rationale, metadata, ...times };
  const node = Object.freeze(fields) as NodeRow["node"];
  const { key, seq, history } = row as unknown as NodeRow;
  return { key, seq, node, history };
}

function edgeOf({ id, key, from_id, to_id, edge_type, metadata, created_at }: SqlRow): EdgeRow {
  const ends = { fromId: from_id, toId: to_id, edgeType: edge_type };
  const edge = Object.freeze({ id, ...ends, metadata, createdAt: created_at });
  return { key: key as number, edge: edge as EdgeRow["edge"] };
}

/** A scope's version by its row. */
export function versionOf(row: SqlRow): Version {
  const { seq, at, nodes, edges, keys } = row;
  return {
    seq: Number(seq),
    at: Number(at),
    nodes: Number(nodes),
    edges: Number(edges),
    keys: Number(keys),
  };
}
