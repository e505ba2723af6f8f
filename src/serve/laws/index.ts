/**
 * Exports the laws (tests as data) that a store of hosts has to keep, and those of whatever offers the verbs of
 * one run.
 */
export { hostLaws } from "./host-laws.js";
export type { HostLaw, LawStore } from "./law-store.js";
export { type RunHostLaw, runHostLaws } from "./run-host-laws.js";
