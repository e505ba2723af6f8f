/** Runs that go on from another run's last context: they refer to its journal and copy nothing of it. */
import type { RunLink } from "../../core/journal/index.js";
import type { Reasoner } from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import { linkNotFound } from "./history.js";
import { loadRun } from "./load.js";

/** The run that a new one goes on from. */
export interface LinkedRun {
  readonly link: RunLink;
  readonly context: unknown;
}

/**
 * The run in a journal, for a new run in another to go on from.
 * @throws ReckonerError `journal.link`, and what reading the journal throws
 */
export async function linkTo<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  own: JournalPort,
  other: JournalPort,
): Promise<LinkedRun> {
  const { header, state, place } = await loadRun([reasoner], other, { lenient: true });
  if (state === undefined || place === undefined || own.link === undefined) {
    throw linkNotFound(other.name, "it has not begun, or the new journal cannot refer to it");
  }
  const { seq, context } = state;
  return {
    link: { journal: own.link(other), runId: header.runId, seq, hash: place.hash },
    context,
  };
}
