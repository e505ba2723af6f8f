/** The interpreter, the ports, and the ports' in-memory defaults. */

export * from "./effects/scripted-model.js";
export type { ReplayReport } from "./journals/check-stretches.js";
export { type PastLine, readHistory } from "./journals/history.js";
export { journalAt, type OpenPath, useJournalPaths } from "./journals/journal-place.js";
export { linkedRuns } from "./journals/load.js";
export * from "./journals/memory-journal.js";
export { findHeader, readHeader, readLines } from "./journals/read-journal.js";
export * from "./journals/replay.js";
export { snapshotsOf, verifiedSnapshot } from "./journals/snapshots.js";
export type { Stretch } from "./journals/stretches.js";
export { headerOf, type OpenApproval, type RunSummary, summaryOf } from "./journals/summary.js";
export type { ReasonerVersions } from "./journals/upgrade.js";
export * from "./ports.js";
export {
  checkAllOptions,
  checkGiven,
  checkGivenReasoner,
  checkOptions,
  checkRunOptions,
} from "./running/check-options.js";
export * from "./running/clock.js";
export * from "./running/config.js";
export * from "./running/end.js";
export type { InterruptOptions, Run } from "./running/live-run.js";
export type { NoticeCode, Observation, Observer } from "./running/observation.js";
export { onAbort } from "./running/on-abort.js";
export * from "./running/options.js";
export { resume, run } from "./running/run.js";
export { Slots } from "./running/slots.js";
export {
  Decisions,
  type DecisionsOptions,
  type OpenOperation,
  type WriteOptions,
} from "./stores/decisions.js";
export { DecisionsView } from "./stores/decisions-view.js";
export { type MemoryDecisionsOptions, memoryDecisions } from "./stores/memory-decisions.js";
export { exportDecisions, importDecisions } from "./stores/transfer.js";
export { type Cursor, type Due, dueEvents } from "./tracing/cursor.js";
export {
  type JournalSource,
  type JournalTracesOptions,
  journalTraces,
} from "./tracing/journal-traces.js";
export { type KeptText, memoryText } from "./tracing/kept-text.js";
export {
  type Delivery,
  type ShipOptions,
  type Shipping,
  ship,
  type TraceSink,
} from "./tracing/ship.js";
export { type HttpSinkOptions, httpSink, storeSink } from "./tracing/sinks.js";
export { sourceLines } from "./tracing/source-lines.js";
export type {
  TraceCall,
  TraceContents,
  TracedRunInfo,
  TraceStore,
  Unread,
} from "./tracing/trace-store.js";
export { traceStorePort } from "./tracing/trace-store-port.js";
export { Traces } from "./tracing/traces.js";
export {
  type Checked,
  type CheckedCause,
  type CheckOptions,
  checkJournal,
} from "./travel/check.js";
export { type CheckpointOptions, checkpoint } from "./travel/checkpoint.js";
export { diff, recordOf } from "./travel/diff.js";
export { type FixtureOptions, fixture } from "./travel/fixture.js";
export { type Fork, type ForkOptions, fork } from "./travel/fork.js";
export { type Forks, type ForkTree, forks } from "./travel/forks.js";
export { headOf } from "./travel/head.js";
export type { Checkpoint, ForkNote, Head } from "./travel/notes.js";
export {
  type RedriveOptions,
  type RedriveReport,
  redrive,
} from "./travel/redrive.js";
export { type RewindTo, type Rewound, rewind } from "./travel/rewind.js";
export { RunDiffers, testRun } from "./travel/test-run.js";
export { type Moment, Timeline } from "./travel/timeline.js";
