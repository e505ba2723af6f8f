/** The contents of the studio as plain data: pure functions of the lines of journals. */

export { type AgentDrawn, agentDrawn } from "./agent-picture.js";
export {
  type Candidate,
  type CandidateOutcome,
  type CandidateReport,
  type CandidateRequest,
  type CandidateRow,
  type CandidateSide,
  candidateOf,
  statusWords,
} from "./candidate.js";
export {
  type ComparedRow,
  type Comparison,
  compareRuns,
  partingWords,
} from "./compare.js";
export { conversationOf } from "./conversation.js";
export {
  type DecisionsAt,
  type DrawnDecisions,
  decisionOperations,
  RecordedDecisions,
  RecordedGraph,
} from "./decision-graph.js";
export type * from "./entries.js";
export { jsonBeginning } from "./json-beginning.js";
export { Scrubber, type ShownIssue, type ShownMoment, type ShownOutstanding } from "./moment.js";
export { costOfAnswer, costsOf, Money, moneyText, type PriceBook } from "./money.js";
export {
  eventJson,
  type IssuedEffect,
  isOutstanding,
  nameOf,
  type RecordedMoment,
  RecordedRun,
  type RunSegment,
} from "./recorded-run.js";
export {
  type RecordedStep,
  RecordedSteps,
  type ShownDirective,
  type TreeStep,
  TreeSteps,
} from "./recorded-steps.js";
export { RecordedTree } from "./recorded-tree.js";
export { requestOf, type ShownBlock, type ShownRequest } from "./request.js";
export { type Asked, askedOf, bothValues, callWords } from "./request-words.js";
export { cardsIn, type EntryRow, type EntryRows, type MoreEntry, rowsOf } from "./rows.js";
export {
  filteredRuns,
  isOver,
  type RunFilter,
  type RunItem,
  type UnreadItem,
  waitsFor,
} from "./runs.js";
export { shellWord } from "./shell-word.js";
export { countText, spanText } from "./spans.js";
export {
  type Bar,
  type Lane,
  lineTime,
  placeOf,
  type Stretch,
  type TimeLine,
  timeLineOf,
} from "./time-line.js";
export { type FolderTotals, type Measure, type MeasureTotals, totalsOf } from "./totals.js";
export { VisitedStates } from "./visited-states.js";
export {
  argumentsOf,
  type ShownArgument,
  type SourceWords,
  type Step,
  sourceWords,
  stepOf,
  undecided,
  type Why,
  whyOf,
  wordsOf,
} from "./why.js";
