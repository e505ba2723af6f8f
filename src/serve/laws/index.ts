/** The laws of stores of hosts, and of whatever offers the verbs of one run, as data. */
export { type HostLaw, hostLaws, type LawStore } from "./host-laws.js";
export { type RunHostLaw, runHostLaws } from "./run-host-laws.js";
