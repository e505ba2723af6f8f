/** Decision graphs in Postgres: `import { postgresDecisions } from "reckoner/decisions/postgres"`. */
export type { SqlStore, SqlStoreOptions } from "../sql/index.js";
export type { PostgresClient } from "./client.js";
export { type PostgresDecisionsOptions, postgresDecisions } from "./postgres-decisions.js";
