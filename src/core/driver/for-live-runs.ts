/**
 * The face of the driver for programs that only run: all of it but the reading of journals, which they need
 * not load.
 */
export type {
  Arrived,
  Attempt,
  AttemptInFlight,
  Call,
  FailedAttempt,
  Incoming,
  InFlight,
  Outcome,
  Path,
  Settling,
  Streamed,
} from "./arrived.js";
export {
  type AnyReasoner,
  beginOf,
  childNamed,
  errorOf,
  MAX_RESULT_LENGTH,
} from "./child.js";
export type { DriverSource, Inherited } from "./continue-from.js";
export { checkSize, type Hiding, masked, type Redactable, redacted, seen } from "./door.js";
export { RETRY } from "./door-shapes.js";
export { Driver } from "./driver.js";
export { failureOf, unknownOf } from "./failures.js";
export {
  LineLog,
  type LogOrigin,
  type NewLines,
  utf8Length,
} from "./line-log.js";
export { isDown, mayTryAgain, storeNamed, toolNamed } from "./may-begin.js";
export {
  type Beginning,
  beginRun,
  type NewRun,
  openDriver,
  outstandingOf,
  type RunDriver,
} from "./open.js";
export * from "./options.js";
export type {
  Begun,
  DueSnapshot,
  LinesPlace,
  Owed,
  Refusal,
  Refused,
  Retry,
  Shown,
  Stands,
  Stop,
} from "./owed-by-host.js";
export { ROOT } from "./parents-and-children.js";
export { delayOf } from "./retry-delay.js";
export { chosenName, modelOfAttempt, roundOf } from "./rounds.js";
export type { MarkedPlace } from "./snapshot-due.js";
export { lateFailure, timeLimitOf } from "./time-limits.js";
export type { TreeRun } from "./tree.js";
