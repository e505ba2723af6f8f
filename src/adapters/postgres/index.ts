/** The entry `reckoner/postgres`: journals and the store of a host in Postgres. */
export type {
  ForgetOptions,
  JournalStore,
  KeptRun,
  ListedRun,
  ListOptions,
  Pruned,
  PruneOptions,
  RunFilter,
  RunPage,
} from "../journal-tables/index.js";
export type { PostgresClient } from "./client.js";
export { type PostgresHostOptions, postgresHostStore } from "./postgres-host-store.js";
export { type PostgresJournalsOptions, postgresJournals } from "./postgres-journals.js";
