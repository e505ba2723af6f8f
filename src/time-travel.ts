/**
 * `reckoner/time-travel`: working with recorded runs: states, forks and rewinds, diffs, checks and
 * redrives with changed code, fixtures and tests.
 */

export { changesOf, type StateChange } from "./core/journal/index.js";
export type { Checkpoint, Head } from "./runtime/index.js";
export {
  type CheckpointOptions,
  type CopyOptions,
  checkpoint,
  copyJournal,
  diff,
  type FixtureOptions,
  type Fork,
  type ForkOptions,
  type Forks,
  type ForkTree,
  fixture,
  fork,
  forks,
  type RedrivenChild,
  type RedriveOptions,
  type RedriveReport,
  type RewindTo,
  type Rewound,
  redrive,
  rewind,
  salvage,
  Timeline,
  type TimelineEntry,
  testRun,
} from "./time-travel/live/index.js";
export type {
  AlignedRow,
  ChildParting,
  Differing,
  Parting,
  PartingKind,
  Redriven,
  RunDiff,
} from "./time-travel/pure/index.js";
