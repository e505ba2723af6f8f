/**
 * Answers row requests with SQL if they are local or filtered, and traversals from the adjacency of
 * the scope.
 */
import type {
  DecisionEdge,
  DecisionNode,
  FoundStats,
  GraphChange,
  RowAnswer,
  RowRequest,
  Walk,
} from "../../core/decisions/index.js";
import { CHANGE_COLUMNS, changeOf, EDGE_COLUMNS, edgeOf, NODE_COLUMNS, nodeOf } from "./codec.js";
import type { Schema } from "./schema.js";
import type { SqlSession } from "./session.js";
import type { TableName } from "./tables.js";
import { Where } from "./where.js";

/** The version of a scope. */
export interface Version {
  readonly seq: number;
  readonly at: number;
  readonly nodes: number;
  readonly edges: number;
}

type Request<W extends RowRequest["want"]> = Extract<RowRequest, { want: W }>;

/** The rows of one scope, within one transaction. */
export class ScopeRows {
  readonly session: SqlSession;
  readonly scope: string;
  readonly #schema: Schema;
  /** The keys of all nodes that were read here, by their ids. */
  readonly keys: Map<string, number> = new Map();

  constructor(schema: Schema, session: SqlSession, scope: string) {
    this.#schema = schema;
    this.session = session;
    this.scope = scope;
  }

  /** The scope's version; all zeros where nothing was ever written. */
  async version(): Promise<Version> {
    const where = new Where(this.scope);
    const [row] = await this.session.query(
      `SELECT seq, "at", nodes, edges FROM ${this.#schema.table("decision_versions")} ${where}`,
      where.parameters,
    );
    if (row === undefined) return { seq: 0, at: 0, nodes: 0, edges: 0 };
    return {
      seq: Number(row.seq),
      at: Number(row.at),
      nodes: Number(row.nodes),
      edges: Number(row.edges),
    };
  }

  /**
   * What is asked for.
   * @param walk answers walks
   */
  async answer(
    request: RowRequest,
    walk: (walk: Walk, limit: number) => Promise<readonly string[]>,
  ): Promise<RowAnswer> {
    switch (request.want) {
      case "nodes":
        return this.#nodes(request.ids);
      case "nodeIds":
        return this.#nodeIds(request.ids);
      case "filtered":
        return this.#filtered(request);
      case "count":
        return this.#count(request);
      case "edges":
        return this.#edges(request);
      case "edgeIds":
        return this.#edgeIds(request.ids);
      case "startingWith": {
        // One after the other: a connection takes one statement at a time.
        const found: string[][] = [];
        for (const prefix of request.prefixes) {
          found.push(await this.#startingWith(prefix, request.limit));
        }
        return found;
      }
      case "shortIds":
        return this.#shortIds(request.ids, request.least);
      case "walk":
        return walk(request.walk, request.limit);
      case "changes":
        return this.changes(request.after, request.limit);
      case "changeOf":
        return this.changeOf(request.key);
      case "changesOf":
        return this.#changesOf(request.ids);
      case "stats":
        return this.#stats();
    }
  }

  /** The first changes after one, in order. */
  async changes(after: number, limit: number): Promise<GraphChange[]> {
    const where = new Where(this.scope);
    where.and(`seq > ${where.add(after)}`);
    return (await this.#select("decision_changes", CHANGE_COLUMNS, where, "seq", limit)).map(
      changeOf,
    );
  }

  /** The change that used an idempotency key, or none. */
  async changeOf(key: string): Promise<GraphChange[]> {
    const where = new Where(this.scope);
    const given = where.add(key);
    // The index of Postgres is by the digest: a long key would not go into it.
    where.and(`key = ${given}`).and(`md5(key) = md5(${given})`);
    return (await this.#select("decision_changes", CHANGE_COLUMNS, where, "seq")).map(changeOf);
  }

  async #nodes(ids: readonly string[]): Promise<DecisionNode[]> {
    const where = new Where(this.scope).oneOf("id", ids);
    const rows = await this.#select("decision_nodes", NODE_COLUMNS, where);
    for (const row of rows) this.keys.set(row.id as string, Number(row.key));
    return rows.map(nodeOf);
  }

  /** In one text, since a row for each would cost more than finding them. */
  async #nodeIds(ids: readonly string[]): Promise<string[]> {
    const where = new Where(this.scope).oneOf("id", ids);
    const listed = "string_agg(id || '=' || CAST(key AS text), ',') AS listed";
    const [row] = await this.#select("decision_nodes", listed, where);
    return partsOf(row?.listed).map((part) => {
      const end = part.lastIndexOf("=");
      const id = part.slice(0, end);
      this.keys.set(id, Number(part.slice(end + 1)));
      return id;
    });
  }

  async #filtered({ where, order, limit }: Request<"filtered">): Promise<DecisionNode[]> {
    const by = order === "oldest" ? "created_at, id" : "created_at DESC, id DESC";
    const condition = new Where(this.scope).filter(where);
    return (await this.#select("decision_nodes", NODE_COLUMNS, condition, by, limit)).map(nodeOf);
  }

  async #count({ where }: Request<"count">): Promise<number> {
    const condition = new Where(this.scope).filter(where);
    const [row] = await this.#select("decision_nodes", "count(*) AS count", condition);
    return Number(row?.count);
  }

  async #edges(request: Request<"edges">): Promise<DecisionEdge[]> {
    const { of, direction, edgeTypes, limit } = request;
    const where = new Where(this.scope);
    if (of !== undefined) {
      const sides = [
        ...(direction === "incoming" ? [] : [where.isOneOf("from_id", of)]),
        ...(direction === "outgoing" ? [] : [where.isOneOf("to_id", of)]),
      ];
      where.and(`(${sides.join(" OR ")})`);
    }
    if (edgeTypes !== undefined) where.oneOf("edge_type", edgeTypes);
    const rows = await this.#select("decision_edges", EDGE_COLUMNS, where, "created_at, id", limit);
    return rows.map(edgeOf);
  }

  async #edgeIds(ids: readonly string[]): Promise<string[]> {
    const where = new Where(this.scope).oneOf("id", ids);
    const [row] = await this.#select("decision_edges", "string_agg(id, ',') AS listed", where);
    return partsOf(row?.listed);
  }

  async #startingWith(prefix: string, limit: number): Promise<string[]> {
    const where = new Where(this.scope);
    // No character of an id comes after the tilde.
    where.and(`id >= ${where.add(prefix)}`).and(`id < ${where.add(`${prefix}~`)}`);
    const rows = await this.#select("decision_nodes", "id", where, "id", limit);
    return rows.map((row) => row.id as string);
  }

  async #shortIds(ids: readonly string[], least: number): Promise<string[]> {
    const needed = new Map<string, number>();
    for (const { id, before, after } of await this.session.neighbours(this.scope, ids)) {
      const others = [before, after].filter((other) => typeof other === "string");
      const lengths = others.map((other) => sharedLength(id as string, other) + 1);
      needed.set(id as string, Math.max(least, ...lengths));
    }
    return ids.map((id) => id.slice(0, needed.get(id) ?? least));
  }

  async #changesOf(ids: readonly string[]): Promise<GraphChange[]> {
    if (ids.length === 0) return [];
    const where = new Where(this.scope);
    const added = `SELECT seq FROM ${this.#schema.table("decision_nodes")} WHERE scope = $1 AND ${where.isOneOf("id", ids)}`;
    const changed = `SELECT seq FROM ${this.#schema.table("decision_revisions")} WHERE scope = $1 AND ${where.isOneOf("node_id", ids)}`;
    where.and(`seq IN (${added} UNION ${changed})`);
    return (await this.#select("decision_changes", CHANGE_COLUMNS, where, "seq")).map(changeOf);
  }

  async #stats(): Promise<FoundStats> {
    const { seq, at, nodes, edges } = await this.version();
    return { seq, at: seq === 0 ? null : at, nodes, edges };
  }

  #select(table: TableName, columns: string, where: Where, order?: string, limit?: number) {
    const by = order === undefined ? "" : ` ORDER BY ${order}`;
    const most = limit === undefined ? "" : ` LIMIT ${where.add(limit)}`;
    return this.session.query(
      `SELECT ${columns} FROM ${this.#schema.table(table)} ${where}${by}${most}`,
      where.parameters,
    );
  }
}

/** What a list in one text holds: neither ids nor keys have commas. NULL where there was no row. */
function partsOf(listed: unknown): string[] {
  return typeof listed === "string" ? listed.split(",") : [];
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let i = 0;
  while (i < most && a.charCodeAt(i) === b.charCodeAt(i)) i += 1;
  return i;
}
