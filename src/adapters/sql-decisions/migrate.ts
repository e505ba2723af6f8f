/**
 * Migrations of the tables, in order. Each runs once, in one transaction with its number; the
 * adapter makes sure that only one process migrates at a time.
 */
import { ReckonerError } from "../../core/kernel/index.js";
import { MIGRATIONS_TABLE, type Schema } from "./schema.js";
import type { SqlDatabase, SqlSession } from "./session.js";
import { type ColumnType, columnsOf, type TableName, tables } from "./tables.js";

/** The statements of one version. */
export type Migration = readonly string[];

/** How a database is brought up to date. */
export interface Migrator {
  readonly migrations: readonly Migration[];
  /** For people: whose tables they are. */
  readonly place: string;
  readonly schema: Schema;
  /** Whether that table is there. */
  exists(session: SqlSession): Promise<boolean>;
  /** Makes the schema and that table where they are missing; where there are many writers, alone. */
  prepare(session: SqlSession): Promise<void>;
}

/**
 * Brings the tables up to date. Whoever may only read and write rows can open what somebody else has
 * made.
 * @throws ReckonerError `store.version` where a later program has been here
 */
export async function migrate(
  database: Pick<SqlDatabase, "read" | "write">,
  { migrations, place, schema, exists, prepare }: Migrator,
): Promise<void> {
  const table = schema.table(MIGRATIONS_TABLE);
  const pending = async (session: SqlSession) => {
    const rows = await session.query(`SELECT version FROM ${table}`);
    const done = rows.map((row) => Number(row.version));
    return pendingMigrations(migrations, done, place);
  };
  const isCurrent = await database.read(
    async (session) => (await exists(session)) && (await pending(session)).length === 0,
  );
  if (isCurrent) return;
  await database.write(async (session) => {
    await prepare(session);
    for (const { version, statements } of await pending(session)) {
      for (const statement of statements) await session.query(statement);
      await session.query(`INSERT INTO ${table} (version) VALUES ($1)`, [version]);
    }
  });
}

/**
 * What is still to be done.
 * @param done the versions that were carried out; numbers are counted from 1
 * @throws ReckonerError `store.version` where a later program has been here
 */
function pendingMigrations(
  all: readonly Migration[],
  done: readonly number[],
  place: string,
): readonly { readonly version: number; readonly statements: Migration }[] {
  const latest = Math.max(0, ...done);
  if (latest > all.length) {
    throw new ReckonerError(
      "store.version",
      `The tables of ${place} have version ${latest}, and this program knows ${all.length}; use the newer program.`,
      { place },
    );
  }
  const known = new Set(done);
  return all.flatMap((statements, i) => (known.has(i + 1) ? [] : [{ version: i + 1, statements }]));
}

/** What tells a row of a table from the others. */
const keys: Readonly<Partial<Record<TableName, readonly string[]>>> = {
  decision_nodes: ["PRIMARY KEY (scope, id)"],
  decision_edges: ["PRIMARY KEY (scope, id)"],
  decision_changes: ["PRIMARY KEY (scope, seq)"],
  decision_versions: ["PRIMARY KEY (scope)"],
};

/** Columns that may be empty. */
const nullable: ReadonlySet<string> = new Set([
  "decision_nodes.confidence",
  "decision_nodes.rationale",
  "decision_changes.key",
]);

/**
 * The statements that make the tables.
 * @param types what each type of column is called here
 * @param without tables whose keys the database is not told: writers keep them, behind the lock of
 * the version row
 */
export function createTables(
  schema: Schema,
  types: Readonly<Record<ColumnType, string>>,
  without: readonly TableName[] = [],
): Migration {
  return (Object.keys(tables) as TableName[]).map((name) => {
    const columns = columnsOf(name).map(([column, type]) => {
      const required = nullable.has(`${name}.${column}`) ? "" : " NOT NULL";
      return `"${column}" ${types[type]}${required}`;
    });
    const told = without.includes(name) ? [] : (keys[name] ?? []);
    return `CREATE TABLE ${schema.table(name)} (${[...columns, ...told].join(", ")})`;
  });
}
