/**
 * Exports the part of hosts that their stores are made of, for the adapters of databases: whoever keeps journals
 * alone loads no host.
 */
export type { Answer } from "./run-host.js";
export * from "./store.js";
