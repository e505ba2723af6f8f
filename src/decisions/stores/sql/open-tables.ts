/** Opens the tables of a decision graph: checks that they are this program's, and creates them if missing. */
import { ReckonerError } from "../../../core/kernel/values/index.js";
import { tableNames } from "./schema.js";
import type { SqlDatabase, SqlSession } from "./session.js";

/** The version of the tables. Another one is refused. */
const FORMAT = 1;

/** The statements that create the tables. */
export interface Creation {
  /** For people: the database. */
  readonly place: string;
  /** Creates the schema if it is missing, and holds off others who would. */
  readonly prepare: (session: SqlSession) => Promise<void>;
  readonly statements: readonly string[];
}

/**
 * Opens the tables. With rights to read and write rows alone, tables that somebody else has created
 * can be opened.
 * @throws ReckonerError `store.version` if they are another program's, or no tables
 */
export async function openTables(
  database: Pick<SqlDatabase, "schema" | "read" | "write">,
  { place, prepare, statements }: Creation,
): Promise<void> {
  const { schema } = database;
  const refused = (what: string) =>
    new ReckonerError("store.version", `${place} ${what}.`, { place });
  const areThere = async (session: SqlSession): Promise<boolean> => {
    const found = await session.query(
      "SELECT table_name AS name, table_type AS kind FROM information_schema.tables WHERE table_catalog = current_database() AND table_schema = $1 AND table_name IN (SELECT unnest(string_to_array($2, ',')))",
      [schema.name, tableNames.join(",")],
    );
    // A view could read anything that the database can reach.
    const other = found.find(({ kind }) => kind !== "BASE TABLE");
    if (other !== undefined) {
      throw refused(
        `has ${other.name} as ${other.kind}, not as a table; it is not a decision graph`,
      );
    }
    if (found.length === 0) return false;
    const isOurs = found.some(({ name }) => name === "decision_format");
    const rows = isOurs
      ? await session.query(`SELECT version FROM ${schema.table("decision_format")}`)
      : [];
    const version = Number(rows[0]?.version ?? 0);
    if (version === FORMAT && found.length === tableNames.length) return true;
    throw refused(
      `has tables of version ${version}, and this program knows ${FORMAT}; use the program that made them, and export`,
    );
  };
  if (await database.read(areThere)) return;
  await database.write(async (session) => {
    await prepare(session);
    if (await areThere(session)) return;
    for (const statement of statements) await session.query(statement);
    const table = schema.table("decision_format");
    await session.query(`INSERT INTO ${table} (version) VALUES ($1)`, [FORMAT]);
  });
}
