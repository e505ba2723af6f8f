/** Traces of journals, as they grow. */
export {
  type JournalSource,
  JournalTraces,
  type JournalTracesOptions,
  journalTraces,
  type TracedJournals,
  type Unread,
} from "./journal-traces.js";
export { sourceLines } from "./source-lines.js";
