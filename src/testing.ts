/**
 * `reckoner/testing`: checks of your own reasoners, journals, stores and hosts: laws (properties that hold
 * for every run, as data for any test runner), random runs, exhaustive search, and runs under faults.
 */
export type * from "./decisions/laws/index.js";
export { storeAgrees, storeLaws } from "./decisions/laws/index.js";
export type * from "./serve/laws/index.js";
export { hostLaws, runHostLaws } from "./serve/laws/index.js";
export type * from "./testing/index.js";
export {
  agentLaws,
  always,
  atEnd,
  atMost,
  blobLaws,
  brokenUnderFaults,
  check,
  checkRecordedRun,
  driverLaws,
  eventually,
  explore,
  faultLaws,
  follows,
  happens,
  issues,
  journalFaultLaws,
  journalLaws,
  law,
  laws,
  mustHold,
  never,
  precedes,
  surviving,
  transcript,
  transcriptFault,
} from "./testing/index.js";
