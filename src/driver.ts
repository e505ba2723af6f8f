/**
 * `reckoner/driver`: a run without a host. `openDriver` begins one, `openFold` goes on with one from its lines,
 * `take` says what is owed, and `perform` carries out an attempt: for hosts of your own.
 */
export {
  type Arrived,
  type Attempt,
  type AttemptInFlight,
  type Call,
  type DriverOptions,
  type FailedAttempt,
  type Incoming,
  type InFlight,
  type JournalFold,
  type LinesPlace,
  type Newest,
  type NewRun,
  type Outcome,
  type Owed,
  openDriver,
  openFold,
  type Path,
  type Refusal,
  type Refused,
  type RetryOptions,
  type RunDriver,
  type Settling,
  type Shown,
  type Stands,
  type Stop,
  type StoreTraits,
  type Streamed,
} from "./core/driver/index.js";
export { type PerformPorts, perform, type Report } from "./runtime/index.js";
