/** A host of many runs by id. */
export type { ModelLimits } from "./gates.js";
export { type Host, host } from "./host.js";
export type { HostLimits, HostRunsOptions } from "./host-options.js";
export type { Authorize } from "./http/fetch.js";
export type { Who } from "./http/routes.js";
export type { MayDecide } from "./may-decide.js";
export { type MemoryStoreOptions, memoryHostStore } from "./memory-store.js";
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
  Posted,
  Release,
  RunPlace,
} from "./store.js";
export type { TenantRuns, WatchOptions } from "./tenant-runs.js";
export type { TenantLimit, TenantLimits } from "./tenants.js";
export type { Seen } from "./watch.js";
