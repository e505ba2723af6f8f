/**
 * Declares the property graph `decisions` for `GRAPH_TABLE` queries in SQL, if DuckDB's extension
 * duckpgq can be loaded. Nothing else depends on it, so a failure is only reported.
 */
import { messageOf } from "../../core/kernel/index.js";

/** Whether the property graph was declared, and why not. */
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
 * @param scoped whether keys are numbers within a scope, so that the scope is part of them
 */
export function propertyGraphStatement(schema: string, scoped: boolean): string {
  const [key, from, to] = scoped
    ? ["scope, key", "scope, from_key", "scope, to_key"]
    : ["key", "from_key", "to_key"];
  // Tables of the schema main go by their bare name: that is how GRAPH_TABLE queries label them.
  const table = (name: string) => (schema === "main" ? name : `${schema}.${name}`);
  return `CREATE OR REPLACE PROPERTY GRAPH decisions VERTEX TABLES (${table("decision_nodes")}) EDGE TABLES (${table("decision_edges")} SOURCE KEY (${from}) REFERENCES ${table("decision_nodes")} (${key}) DESTINATION KEY (${to}) REFERENCES ${table("decision_nodes")} (${key}))`;
}

/** Declares the graph, where the extension can be loaded. It never throws. */
export async function declarePropertyGraph(
  run: RunStatement,
  load: LoadExtension,
  statement: string,
): Promise<PropertyGraph> {
  try {
    await load(run);
    await run(statement);
    return { declared: true };
  } catch (thrown) {
    const [why] = messageOf(thrown).split("\n", 1);
    return { declared: false, why: `duckpgq: ${why}` };
  }
}
