/** `reckoner/testing`: laws as data, the simulations they run in, and arbitraries for your own. */
export { type AgentLawOptions, agentInput, agentLaws } from "./agent-laws.js";
export { jsonValue, refusedValue, unnormalisedValue } from "./arbitrary-json.js";
export { modelAnswer, toolCall, transcript, userMessage } from "./arbitrary-messages.js";
export { anyTranscript } from "./arbitrary-transcripts.js";
export { type BlobLawStore, blobLaws } from "./blob-laws.js";
export * from "./checking/index.js";
export { drive } from "./drive.js";
export { type DriverHost, driverLaws, type HostedRun } from "./driver-laws.js";
export { type BrokenUnderFaults, brokenUnderFaults, faultLaws } from "./fault-laws.js";
export {
  type CallFault,
  type Crash,
  type FaultPlan,
  faultPlan,
  type Jump,
  type Reached,
} from "./fault-plan.js";
export {
  type Fault,
  type FaultyPort,
  journalFaultLaws,
  type MakeFaulty,
} from "./journal-fault-laws.js";
export { type JournalLaw, journalLaws } from "./journal-laws.js";
export { laws } from "./laws.js";
export type { LawCase, LawOptions, PropertyLaw, Subject } from "./property-law.js";
export { type Script, type ScriptOptions, worldScript } from "./script.js";
export { type Process, type Survived, surviving } from "./surviving.js";
export { type TextJournal, textJournal } from "./text-journal.js";
export { transcriptFault } from "./transcript-fault.js";
