/** Journals after the run: states one by one, forks and rewinds, differences, redrives, fixtures. */
export { type CheckpointOptions, checkpoint } from "./checkpoint.js";
export { type CopyOptions, copyJournal } from "./copy-journal.js";
export { diff } from "./diff.js";
export { type FixtureOptions, fixture } from "./fixture.js";
export { type Fork, type ForkOptions, fork } from "./fork.js";
export { type Forks, type ForkTree, forks } from "./forks.js";
export {
  type RedrivenChild,
  type RedriveOptions,
  type RedriveReport,
  redrive,
} from "./redrive.js";
export { type RewindTo, type Rewound, rewind, rewindFrom } from "./rewind.js";
export { salvage } from "./salvage.js";
export { RunDiffers, testRun } from "./test-run.js";
export { Timeline } from "./timeline.js";
export type { TimelineEntry } from "./timeline-entry.js";
