/** The part of hosts that their stores are made of: whoever keeps journals alone loads no host. */
export type { Answer } from "./run-host.js";
export * from "./store.js";
