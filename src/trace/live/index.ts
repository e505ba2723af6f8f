/** Exports the traces of journals, which are updated as the journals grow. */
export {
  type JournalSource,
  JournalTraces,
  type JournalTracesOptions,
  journalTraces,
  type TracedJournals,
  type Unread,
} from "./journal-traces.js";
export { sourceLines } from "./source-lines.js";
