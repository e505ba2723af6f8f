/** `replay` and `fold`: a journal through a reasoner, without the world. */
import {
  decodeLine,
  type Folded,
  foldJournal,
  type JournalText,
  type ReplayReport,
  reasonerOf,
  replayJournal,
  splitJournal,
} from "../core/journal/index.js";
import type { Reasoner } from "../core/kernel/index.js";
import { journalAt } from "./journal-place.js";
import { earlierContext } from "./link.js";
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
  const text = splitJournal(await port.read());
  return replayJournal(reasoner, text, await earlier(reasoner, port, text));
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
  const text = splitJournal(await port.read());
  return foldJournal(reasoner, text, until, await earlier(reasoner, port, text));
}

/** The context of the run that a journal goes on from, where it does. */
async function earlier<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  { lines }: JournalText,
): Promise<unknown> {
  if (lines[0] === undefined) return undefined;
  const { line } = decodeLine(lines[0], 1, "");
  return line.type === "header"
    ? earlierContext(reasonerOf(reasoner, line), port, line)
    : undefined;
}
