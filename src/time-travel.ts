/**
 * `reckoner/time-travel`: journals after the run: their states one by one, forks and rewinds, where two
 * runs part, corpora checked and redriven with changed code, and fixtures and tests made of them.
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
} from "./runtime/index.js";
