/** The head of a journal: where its run continues after a rewind. */
import { ReckonerError } from "../../core/kernel/index.js";
import { viewOf } from "../journals/view.js";
import type { JournalPort } from "../ports.js";
import { type Head, readNotes } from "./notes.js";

/**
 * The journal in which a run goes on: its own, or the one that its head leads to.
 * @throws ReckonerError `journal.link` where the head leads nowhere, elsewhere, or round in a circle
 */
export async function headOf(journal: JournalPort): Promise<JournalPort> {
  const met = new Set<string>();
  let port = journal;
  for (;;) {
    const head = await headNote(port);
    if (head === undefined) return port;
    const next = port.follow?.(head.journal);
    const header = next === undefined ? undefined : await viewOf(next).findHeader();
    if (next === undefined || header?.runId !== head.runId) {
      throw wrongHead(port, `run ${head.runId} is not in ${head.journal}`);
    }
    if (met.has(head.runId)) throw wrongHead(port, "the heads form a cycle");
    met.add(head.runId);
    port = next;
  }
}

/** What is noted of a journal's head; absent where it was never rewound. */
export async function headNote(port: JournalPort): Promise<Head | undefined> {
  const { notes, malformed } = await readNotes(port, "head");
  // A head that cannot be read may have led elsewhere: to go on here would undo a rewind.
  if (malformed > 0) throw wrongHead(port, "it is not one");
  return notes[0];
}

function wrongHead({ name }: JournalPort, why: string): ReckonerError {
  return new ReckonerError(
    "journal.link",
    `The head of the journal ${name} cannot be followed: ${why}. Put back what it names, or remove the head.`,
    { place: name },
  );
}
