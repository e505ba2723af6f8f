/**
 * Recorded runs as values: comparing them, running changed code on them, and grouping their differences by
 * cause.
 */

export * from "./diff.js";
export { diffTrees, type RecordedRuns } from "./diff-trees.js";
export * from "./group.js";
export { RecordedChanges } from "./recorded-changes.js";
export { type MatchOptions, Redrive, type Redriven } from "./redrive.js";
export { type RecordedEffect, type RecordedEvent, RunRecord } from "./run-record.js";
