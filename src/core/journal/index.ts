/** The journal: its line format, recording, replay and snapshots. */
export {
  type Compared,
  type Difference,
  describeDifference,
  firstDifferenceOf,
} from "./compare.js";
export {
  broken,
  type ChainedLine,
  chainLine,
  type DecodedLine,
  decodeLine,
  type Glance,
  hashIn,
  headerIn,
  isLineFault,
  LineDecoder,
  offChain,
} from "./decode-line.js";
export { Ledger } from "./ledger.js";
export * from "./line.js";
export { type Begun, type JournalMemory, noMemory } from "./memory.js";
export {
  isUnresolved,
  type RecordedDirective,
  RecordedValues,
  type Unresolved,
} from "./recorded-values.js";
export { Recorder } from "./recorder.js";
export * from "./replay.js";
export {
  decodeSnapshot,
  encodeSnapshot,
  type Snapshot,
  type SnapshotPlace,
  snapshotDigest,
} from "./snapshot.js";
export { type Change, changesBetween, changesOf, plainOf } from "./travel/changes.js";
export * from "./travel/diff.js";
export * from "./travel/group.js";
export { type OwedLine, OwedLines } from "./travel/owed-lines.js";
export { RecordedChanges } from "./travel/recorded-changes.js";
export { type MatchOptions, Redrive, type Redriven } from "./travel/redrive.js";
export {
  type RecordedEffect,
  type RecordedEvent,
  RunRecord,
  runRecord,
} from "./travel/run-record.js";
export { isIgnored, stepDifferences } from "./travel/step-differences.js";
export {
  configurationOf,
  differenceOf,
  firstConfiguration,
  isOf,
  type Remembered,
  UpgradeReader,
} from "./upgrade.js";
export { WrittenValues } from "./written-values.js";
