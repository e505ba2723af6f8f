/** A host of many runs by id. */
export type { ModelLimits } from "./gates.js";
export { type Host, host, type TenantRuns, type WatchOptions } from "./host.js";
export type { HostLimits, HostRunsOptions } from "./host-options.js";
export type { MayDecide } from "./may-decide.js";
export { type MemoryStoreOptions, memoryHostStore } from "./memory-store.js";
export type * from "./run-host.js";
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
export type { TenantLimit, TenantLimits } from "./tenants.js";
export type { Seen } from "./watch.js";
