/** The driver: what a run decides, as pure functions of what arrived and of the time. */
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
export { checkSize, type Hiding, masked, type Redactable, redacted, seen } from "./door.js";
export { Driver, type DriverSource } from "./driver.js";
export { delayOf, failureOf, lateFailure, timeLimitOf } from "./failures.js";
export { LineLog, type LogOrigin, type NewLines, utf8Length } from "./line-log.js";
export { mayTryAgain, storeNamed, toolNamed } from "./may-begin.js";
export { type Beginning, beginRun, type NewRun, openDriver, outstandingOf } from "./open.js";
export * from "./options.js";
export type { LinesPlace, Newest, Owed, Refusal, Refused, Shown, Stands, Stop } from "./owed.js";
export { cutAt } from "./partials.js";
