/**
 * `reckoner/driver`: what a run decides, without its I/O, for a host or an engine of your own. `openDriver`
 * begins a run, `openFold` continues one from its lines; `take` gets what has arrived and returns what is to
 * be done: lines to append, attempts to begin, which `perform` carries out.
 */
export {
  type Arrived,
  type Attempt,
  type AttemptInFlight,
  type Call,
  type DriverOptions,
  type DueSnapshot,
  type FailedAttempt,
  type Incoming,
  type InFlight,
  type JournalFold,
  type LinesPlace,
  type NewRun,
  type Outcome,
  type Owed,
  openDriver,
  openFold,
  type Path,
  type Refusal,
  type Refused,
  type Retry,
  type RetryOptions,
  type RunDriver,
  type Settling,
  type Shown,
  type Stands,
  type Stop,
  type StoreTraits,
  type Streamed,
} from "./core/driver/index.js";
export {
  lostReport,
  type PerformPorts,
  perform,
  type Report,
} from "./runtime/index.js";
