/**
 * The tables of a decision graph, without any SQL dialect. Every name in a statement comes from here; a value
 * from a user is always a parameter.
 */
import { ReckonerError } from "../../../core/kernel/values/index.js";

/** The types of the columns. Integers of 64 bits hold times and versions. */
export type ColumnType = "id" | "text" | "json" | "bigint" | "double";

/** The parts of statements in which databases differ. */
export interface Dialect {
  readonly types: Readonly<Record<ColumnType, string>>;
  /** The elements of the JSON array in the first parameter, each as a row with one column `r`. */
  readonly elements: string;
}

/** The name of a table. */
export type TableName =
  | "decision_nodes"
  | "decision_edges"
  | "decision_writes"
  | "decision_scopes"
  | "decision_format";

/** Columns, each with its type, in order. */
export const tables: Readonly<Record<TableName, Readonly<Record<string, ColumnType>>>> = {
  /** `key` is a node's place in the order of commits, `seq` the transaction that added it. */
  decision_nodes: {
    scope: "id",
    id: "id",
    key: "bigint",
    type: "text",
    label: "text",
    status: "text",
    confidence: "double",
    rationale: "text",
    metadata: "json",
    created_at: "bigint",
    updated_at: "bigint",
    seq: "bigint",
    history: "json",
  },
  decision_edges: {
    scope: "id",
    id: "id",
    key: "bigint",
    from_id: "id",
    to_id: "id",
    edge_type: "text",
    metadata: "json",
    created_at: "bigint",
  },
  /** One row for each transaction: its idempotency key, and what it was answered with. */
  decision_writes: { scope: "id", seq: "bigint", key: "text", digest: "text", result: "json" },
  /** One row for each scope, which every writer locks: its version, and its counters. */
  decision_scopes: {
    scope: "id",
    seq: "bigint",
    at: "bigint",
    nodes: "bigint",
    edges: "bigint",
    keys: "bigint",
  },
  /** One row: the version of these tables. */
  decision_format: { version: "bigint" },
};

/** Every name of a table. */
export const tableNames: readonly TableName[] = Object.keys(tables) as TableName[];

/** The columns of a table with their types, in order. */
export function columnsOf(table: TableName): readonly (readonly [string, ColumnType])[] {
  return Object.entries(tables[table]);
}

const keys: Readonly<Partial<Record<TableName, string>>> = {
  decision_nodes: "PRIMARY KEY (scope, id)",
  decision_edges: "PRIMARY KEY (scope, id)",
  decision_writes: "PRIMARY KEY (scope, seq)",
  decision_scopes: "PRIMARY KEY (scope)",
};

/** Columns that may be null. */
const nullable: ReadonlySet<string> = new Set(["confidence", "rationale"]);

/** The schema of the tables of one graph, with a name that is safe in a statement. */
export class Schema {
  readonly name: string;

  /** @throws ReckonerError `store.config` if the name cannot stand in a statement */
  constructor(name: string) {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(name)) {
      throw new ReckonerError(
        "store.config",
        `schema is ${JSON.stringify(name)}; give a name of 1 to 63 letters, digits and underscores that does not begin with a digit.`,
        { place: "schema" },
      );
    }
    this.name = name;
  }

  /** The name, quoted. */
  get quoted(): string {
    return `"${this.name}"`;
  }

  /** The name of a table within it, quoted. */
  table(name: TableName): string {
    return `${this.quoted}.${name}`;
  }

  /**
   * The statements that create the tables.
   * @param withKeys the tables whose keys the database is told; writers keep the others, behind the
   * lock of the scope's row
   */
  creation({ types }: Dialect, withKeys: readonly TableName[] = tableNames): readonly string[] {
    return tableNames.map((name) => {
      const columns = columnsOf(name).map(
        ([column, type]) => `"${column}" ${types[type]}${nullable.has(column) ? "" : " NOT NULL"}`,
      );
      const key = withKeys.includes(name) ? (keys[name] ?? []) : [];
      return `CREATE TABLE ${this.table(name)} (${[...columns].concat(key).join(", ")})`;
    });
  }
}
