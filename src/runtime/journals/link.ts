/**
 * Makes the link of a new run that continues another one (the option `from`): reads the other's journal, and
 * returns its last event's place and its last context, with which the new run starts.
 */
import type { RunLink } from "../../core/journal/index.js";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import type { JournalPort } from "../ports/ports.js";
import { linkNotFound, linkWord } from "./history.js";
import { linkedRuns } from "./load.js";

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
  const { header, state, place } = await linkedRuns.recorded([reasoner], other);
  const { fork, runId } = header;
  // A fork that has not gone on is where it was cut.
  const isCut = place === undefined && fork !== undefined;
  const at = isCut ? fork : place && { runId, hash: place.hash };
  const port = isCut ? other.follow?.(fork.journal) : other;
  const journal = at && port && (await linkWord(own, port, at.runId));
  if (state === undefined || at === undefined || journal === undefined) {
    throw linkNotFound(other.name, "it has not begun, or the new journal cannot refer to it");
  }
  const { seq } = isCut ? fork : (place as NonNullable<typeof place>);
  return { link: { journal, runId: at.runId, seq, hash: at.hash }, context: state.context };
}
