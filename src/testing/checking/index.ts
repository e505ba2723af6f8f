/**
 * `check` and `explore`: laws of your own on random runs and on all runs. It does not need
 * fast-check, so that the command line can use it.
 */
export type { Alphabet } from "./alphabet.js";
export { builtInLaws as ownLaws } from "./built-in-laws.js";
export { type Checking, type CheckOptions, check, type InputOf } from "./check.js";
export type { CheckConfig } from "./check-config.js";
export { type CheckReport, LawBroken, type LawCount, mustHold } from "./check-report.js";
export type { Choose } from "./choose.js";
export type { Counterexample } from "./counterexample.js";
export { type ExploreOptions, explore } from "./explore.js";
export type { ExploreReport, Scheduled } from "./explore-report.js";
export {
  always,
  atEnd,
  atMost,
  type Counted,
  eventually,
  type Formula,
  follows,
  happens,
  issues,
  type Judge,
  type Law,
  law,
  never,
  type Predicate,
  precedes,
  type Seen,
  type Verdict,
} from "./law.js";
export { CAN_END, CARRIED_OVER, NEVER_STILL, ORDER_IS_NOTHING, SAME_AGAIN } from "./law-names.js";
export type { Breach } from "./monitor.js";
export type { Beyond } from "./priority-schedules.js";
export type { Count, Reached } from "./reach.js";
export { checkRecordedRun, type RecordedBreach, type RecordedReport } from "./recorded.js";
export { sampleSchema } from "./sample-schema.js";
export { type Answer, defaultSettlers, type Settler, type Settlers } from "./settlers.js";
export type { TreeState } from "./tree.js";
export { UPGRADE, type Upgrading } from "./upgradable.js";
export {
  defaultWeights,
  type OutsideEvent,
  type Weights,
  type WorldOptions,
} from "./what-may-happen.js";
export type { History, HistoryStep, RunOrigin } from "./world.js";
