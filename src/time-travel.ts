/**
 * `reckoner/time-travel`: working with recorded runs: states, forks and rewinds, diffs, checks and
 * redrives with changed code, fixtures and tests.
 */
export {
  type AlignedRow,
  type ChildParting,
  changesOf,
  type Differing,
  type Parting,
  type PartingKind,
  type Redriven,
  type RunDiff,
  type StateChange,
} from "./core/journal/index.js";
export {
  type Checkpoint,
  type CheckpointOptions,
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
  type Head,
  type RedriveOptions,
  type RedriveReport,
  type RewindTo,
  type Rewound,
  RunDiffers,
  redrive,
  rewind,
  salvage,
  Timeline,
  type TimelineEntry,
  testRun,
} from "./runtime/time-travel/index.js";
