/**
 * Declares the property graph `decisions` for `GRAPH_TABLE` queries in SQL, if DuckDB's extension
 * duckpgq can be loaded. Nothing else depends on it, so a failure is only reported.
 */
import { messageOf } from "../../../core/kernel/values/index.js";

/** The state of the property graph: declared, or the reason why not. */
export type PropertyGraph =
  | { readonly declared: true }
  | { readonly declared: false; readonly why: string };

/** Runs one statement. */
export type RunStatement = (sql: string) => Promise<unknown>;

/** Loads the extension, with statements of its own. */
export type LoadExtension = (run: RunStatement) => Promise<void>;

/** Loads what the user has installed. */
export const loadInstalled: LoadExtension = async (run) => {
  await run("LOAD duckpgq");
};

/** Downloads the extension where it is missing, and loads it. */
export const installAndLoad: LoadExtension = async (run) => {
  await run("INSTALL duckpgq FROM community");
  await run("LOAD duckpgq");
};

/**
 * The statement that declares the graph.
 * @param schema a name that can stand in a statement
 * @param scoped whether ids are unique within a scope, so that the scope is part of the key
 */
export function propertyGraphStatement(schema: string, scoped: boolean): string {
  const [key, from, to] = scoped
    ? ["scope, id", "scope, from_id", "scope, to_id"]
    : ["id", "from_id", "to_id"];
  // Tables of the schema main go by their bare name: that is how GRAPH_TABLE queries label them.
  const table = (name: string) => (schema === "main" ? name : `${schema}.${name}`);
  return `CREATE OR REPLACE PROPERTY GRAPH decisions VERTEX TABLES (${table("decision_nodes")}) EDGE TABLES (${table("decision_edges")} SOURCE KEY (${from}) REFERENCES ${table("decision_nodes")} (${key}) DESTINATION KEY (${to}) REFERENCES ${table("decision_nodes")} (${key}))`;
}

/**
 * Loads the extension. It never throws.
 * @returns the reason why it could not be loaded
 */
export async function loadExtension(
  run: RunStatement,
  load: LoadExtension,
): Promise<string | undefined> {
  try {
    await load(run);
    return undefined;
  } catch (thrown) {
    return firstLine(thrown);
  }
}

/**
 * Declares the graph. It never throws.
 * @param failure the reason why the extension could not be loaded now; another store of this process
 * may have loaded it before
 */
export async function declarePropertyGraph(
  run: RunStatement,
  statement: string,
  failure?: string,
): Promise<PropertyGraph> {
  try {
    await run(statement);
    return { declared: true };
  } catch (thrown) {
    return { declared: false, why: `duckpgq: ${failure ?? firstLine(thrown)}` };
  }
}

function firstLine(thrown: unknown): string {
  return messageOf(thrown).split("\n", 1)[0] ?? "";
}
