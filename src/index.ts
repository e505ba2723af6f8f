/** reckoner: a pure state-machine core for AI reasoning. This entry runs anywhere, also in a browser. */
export * from "./capabilities/index.js";
export * from "./core/agent/index.js";
export {
  type Difference,
  describeDifference,
  FORMAT,
  type Folded,
  foldJournal,
  type JournalText,
  type ReplayReport,
  replayJournal,
  splitJournal,
} from "./core/journal/index.js";
export * from "./core/kernel/index.js";
export * from "./core/thoughts/index.js";
export * from "./runtime/index.js";
