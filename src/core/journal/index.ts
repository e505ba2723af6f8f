/** The journal: its line format, recording, replay and snapshots. */
export { changesRun, differenceAt, isIgnored } from "./cause.js";
export { type Compared, differencesOf, firstDifferenceOf } from "./compare.js";
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
export { openSnapshot, readSnapshotText, type StoredText } from "./decode-snapshot.js";
export type { LineFold } from "./fold.js";
export { Ledger } from "./ledger.js";
export * from "./live.js";
export { type RunUpgrade, recordUpgrade } from "./record-upgrade.js";
export {
  isUnresolved,
  type RecordedDirective,
  RecordedValues,
  type Unresolved,
} from "./recorded-values.js";
export * from "./replay.js";
export { childHeader, RunLines, runOf } from "./run-lines.js";
export type { RowTexts } from "./shared-rows.js";
export { changesBetween, changesOf, plainOf, type StateChange } from "./time-travel/changes.js";
export * from "./time-travel/diff.js";
export * from "./time-travel/group.js";
export { type OwedLine, OwedLines } from "./time-travel/owed-lines.js";
export { type IssuedIn, OwedTree, type TreeOwed } from "./time-travel/owed-tree.js";
export { RecordedChanges } from "./time-travel/recorded-changes.js";
export { type MatchOptions, Redrive, type Redriven } from "./time-travel/redrive.js";
export {
  type RecordedEffect,
  type RecordedEvent,
  RunRecord,
  runRecord,
} from "./time-travel/run-record.js";
export { TreeFold } from "./tree-fold.js";
export {
  differenceOf,
  firstConfiguration,
  isOf,
  type TreeUpgrade,
  UpgradeReader,
} from "./upgrade.js";
export { WrittenValues } from "./written-values.js";
