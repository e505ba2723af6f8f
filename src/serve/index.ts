/** Exports `host`, which keeps and drives many runs by id, its store in memory, and their types. */
export { memoryBlobs } from "../runtime/for-hosts.js";
export { type Host, host } from "./host.js";
export type { HostLimits, HostRunsOptions } from "./host-options.js";
export type { HostRow, QueuedMessage } from "./host-row.js";
export type { Authorize } from "./http/fetch.js";
export { type RunsFetchOptions, runsFetch } from "./http/runs-fetch.js";
export type { Who } from "./http/served.js";
export type { MayDecide } from "./may-decide.js";
export { type MemoryStoreOptions, memoryHostStore } from "./memory-store.js";
export type { ModelLimit, ModelLimits } from "./model-gates.js";
export type * from "./run-host.js";
export type { Listening, ListenOptions } from "./server/index.js";
export type {
  Appended,
  Change,
  Fault,
  Held,
  Hint,
  HostedState,
  HostStore,
  ListOptions,
  ListPage,
  Mail,
  MovedHead,
  NewMail,
  Posted,
  Release,
  RunPlace,
} from "./store.js";
export type { TenantLimit, TenantLimits } from "./tenant-limits.js";
export type { TenantRuns } from "./tenant-runs.js";
export type { Seen, WatchOptions } from "./watch.js";
