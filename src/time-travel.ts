/**
 * `reckoner/time-travel`: working with recorded runs: states, forks and rewinds, diffs, checks and
 * redrives with changed code, fixtures and tests.
 */
export {
  type AlignedRow,
  type Change,
  type ChildParting,
  changesOf,
  type Differing,
  type Parting,
  type PartingKind,
  type Redriven,
  type RunDiff,
} from "./core/journal/index.js";
export {
  type Checked,
  type CheckedCause,
  type CheckOptions,
  type Checkpoint,
  type CheckpointOptions,
  checkJournal,
  checkpoint,
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
  type Moment,
  type RedriveOptions,
  type RedriveReport,
  type RewindTo,
  type Rewound,
  RunDiffers,
  redrive,
  rewind,
  Timeline,
  testRun,
} from "./runtime/travel/index.js";
