/** The journal: its line format, recording, replay and snapshots. */

export { type Compared, differencesOf, firstDifferenceOf, valueAt } from "./compare-step.js";
export {
  type ChainedLine,
  chainLine,
  type DecodedLine,
  decodeLine,
  type Extent,
  type Glance,
  hashIn,
  headerIn,
  LineDecoder,
} from "./decode-line.js";
export { openSnapshot, readSnapshotText, type StoredText } from "./decode-snapshot.js";
export { changesRun, differenceAt, isIgnored } from "./difference-cause.js";
export * from "./for-live-runs.js";
export { fromContent } from "./from-content.js";
export { broken, isLineFault, offChain, outOfPlace } from "./line-fault.js";
export type { LineFold } from "./line-fold.js";
export { tagOf } from "./node-text.js";
export { type Asked, type OwedLine, OwedLines } from "./owed-lines.js";
export { type IssuedIn, OwedTree, type TreeOwed } from "./owed-tree.js";
export { type RunUpgrade, recordUpgrade } from "./record-upgrade.js";
export { RecordedLists } from "./recorded-lists.js";
export type { RecordedDirective } from "./recorded-parts.js";
export {
  isUnresolved,
  RecordedValues,
  type Unresolved,
} from "./recorded-values.js";
export * from "./replay.js";
export { childHeader, RunLines, runOf } from "./run-lines.js";
export type { RowTexts } from "./shared-rows.js";
export { changesOf, plainOf, type StateChange } from "./state-changes.js";
export { listAmong, listsIn } from "./state-lists.js";
export { namesIn } from "./state-text.js";
export { TreeFold } from "./tree-fold.js";
export {
  differenceOf,
  firstConfiguration,
  isOf,
  type TreeUpgrade,
  UpgradeReader,
} from "./upgrade.js";
export { WrittenValues } from "./written-values.js";
