/**
 * Exports the types and helpers of which a host's store is made, for the adapters of databases. It does not
 * load the host.
 */
export { textsIn } from "./list-in-memory.js";
export type { Answer } from "./run-host.js";
export * from "./store.js";
