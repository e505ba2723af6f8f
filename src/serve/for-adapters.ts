/**
 * Exports the parts of a host of which durable engines are made: what is sent to runs, how a run is opened, its
 * attempts, streams for pages.
 */

export { takenBack } from "./edit.js";
export { Attempts } from "./gated-attempts.js";
export { SlowReaders } from "./http/slow-readers.js";
export { eventStream, lineEvents, STREAM_HEADERS } from "./http/stream.js";
export { LiveTexts } from "./live-texts.js";
export {
  cancelWord,
  decisionWord,
  editWord,
  eventWord,
  faultOf,
  interruptWord,
  keyOf,
  mailOf,
  messageWord,
  queueWord,
  startWord,
  type Word,
} from "./mail-content.js";
export { type MayDecide, refusesDecision } from "./may-decide.js";
export { ModelGates } from "./model-gates.js";
export {
  type AnyDriver,
  type AnyReasoner,
  beginHosted,
  inputOf,
  type Opening,
  type OpenRun,
  openHosted,
} from "./open-run.js";
export { missingRun, otherRun, otherWord, refusalOf } from "./refused.js";
export type * from "./run-host.js";
export { delayAfter, MAX_TRIES } from "./run-retries.js";
export {
  ANSWER_KEPT_MS,
  type Fault,
  isOther,
  LINES_LENGTH,
  linesFrom,
  type Mail,
  type NewMail,
} from "./store.js";
export type { TenantRuns } from "./tenant-runs.js";
export { type Seen, type WatchOptions, watch } from "./watch.js";
