/** Decision graphs in Postgres: `import { postgresDecisions } from "reckoner/decisions/postgres"`. */
export type { PostgresClient } from "../../../adapters/postgres/client.js";
export type { SqlStore, SqlStoreOptions } from "../sql/index.js";
export { type PostgresDecisionsOptions, postgresDecisions } from "./postgres-decisions.js";
