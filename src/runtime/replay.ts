/** `replay` and `fold`: a journal through a reasoner, without the world. */
import {
  type Folded,
  foldJournal,
  type ReplayReport,
  replayJournal,
  splitJournal,
} from "../core/journal/index.js";
import type { Reasoner } from "../core/kernel/index.js";
import { journalAt } from "./journal-place.js";
import type { JournalPort } from "./ports.js";

/**
 * Checks that a reasoner does exactly what a journal recorded: every line is verified, every event
 * folded, every directive compared. Nothing is run and nothing is written.
 * @returns `identical`, or `diverged` with the first difference and both its values
 * @throws ReckonerError `journal.*` where the journal cannot be read
 */
export async function replay<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  journal: string | JournalPort,
): Promise<ReplayReport> {
  const port = await journalAt(journal);
  return replayJournal(reasoner, splitJournal(await port.read()));
}

/**
 * Folds a journal to the state after its last event, or after the event `until`.
 * @throws ReckonerError `journal.*` where the journal cannot be read
 */
export async function fold<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  journal: string | JournalPort,
  until?: number,
): Promise<Folded<Context>> {
  const port = await journalAt(journal);
  return foldJournal(reasoner, splitJournal(await port.read()), until);
}
