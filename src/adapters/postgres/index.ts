/** Journals in Postgres: `import { postgresJournals } from "reckoner/postgres"`. */
export type {
  JournalStore,
  ListedRun,
  ListOptions,
  RunFilter,
  RunPage,
} from "../journal-tables/index.js";
export type { PostgresClient } from "./client.js";
export { type PostgresJournalsOptions, postgresJournals } from "./postgres-journals.js";
