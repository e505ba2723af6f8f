/**
 * `checkpoint`: gives an event of a run a name, in a note beside its journal, so that `rewind` can go back to
 * it by that name.
 */
import * as shapes from "../../core/kernel/shapes.js";
import {
  type Checkpoint,
  CLOCK,
  type Clock,
  checkAllOptions,
  type JournalPort,
  journalAt,
  noteNew,
  timeOfNote,
  withHead,
} from "../../runtime/index.js";
import { findPoint } from "./fork.js";

/** The number of checkpoints that a journal may have by default. */
export const MAX_CHECKPOINTS = 50;

/** The options of a checkpoint. */
export interface CheckpointOptions {
  /** Default: `event-` and the event's sequence number. */
  readonly name?: string | undefined;
  /** The event. Default: the last one. */
  readonly at?: number | undefined;
  /** The number of checkpoints that the journal may have. Default 50. */
  readonly limit?: number | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Marks an event of a run, where its head is; the journal itself stays as it is.
 * @throws ReckonerError `fork.point`, `fork.limit`, `fork.exists`, `journal.locked`, and what reading a journal throws
 */
export async function checkpoint(
  journal: string | JournalPort,
  options: CheckpointOptions = {},
): Promise<Checkpoint> {
  checkAllOptions("checkpoint", options, {
    name: shapes.TEXT,
    at: shapes.NUMBER,
    limit: shapes.count(0),
    clock: CLOCK,
  });
  const { name, at, limit = MAX_CHECKPOINTS, clock } = options;
  const port = await journalAt(journal);
  return withHead(port, async (head) => {
    const { looked } = await findPoint(head, at === undefined ? {} : { at });
    const { runId, seq, hash } = looked.cut;
    const note: Checkpoint = {
      name: name ?? `event-${seq}`,
      runId,
      seq,
      hash,
      events: seq + 1,
      at: timeOfNote(clock),
    };
    await noteNew(port, "checkpoints", note, limit);
    return note;
  });
}
