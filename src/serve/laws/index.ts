/** The laws of stores of hosts, and of whatever offers the verbs of one run, as data. */
export { hostLaws } from "./host-laws.js";
export type { HostLaw, LawStore } from "./law-store.js";
export { type RunHostLaw, runHostLaws } from "./run-host-laws.js";
