/** Decision graphs in DuckDB: `import { duckdbDecisions } from "reckoner/decisions/duckdb"`. */
export type { SqlStore, SqlStoreOptions } from "../sql/index.js";
export {
  type DuckdbDecisionsOptions,
  type DuckdbStore,
  duckdbDecisions,
} from "./duckdb-decisions.js";
export type { LoadExtension, PropertyGraph, RunStatement } from "./property-graph.js";
