/** Runs that go on from another run's last context: they refer to its journal and copy nothing of it. */
import {
  foldJournal,
  type HeaderLine,
  type RecorderState,
  type RunLink,
  readJournal,
  reasonerOf,
  splitJournal,
} from "../core/journal/index.js";
import { type Reasoner, ReckonerError } from "../core/kernel/index.js";
import type { JournalPort } from "./ports.js";

/** The run that a new one goes on from. */
export interface Earlier {
  readonly link: RunLink;
  readonly context: unknown;
  /** What is recorded of its Lists: the new journal goes on from there. */
  readonly lists: RecorderState["lists"];
}

/**
 * The run in a journal, for a new run in another to go on from.
 * @throws ReckonerError `journal.link`, and what reading the journal throws
 */
export async function linkTo<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  own: JournalPort,
  other: JournalPort,
): Promise<Earlier> {
  const { header, lines, recorder } = readJournal(splitJournal(await other.read()));
  const last = lines.findLast(({ line }) => line.type === "event");
  if (last?.line.type !== "event" || own.link === undefined) {
    throw notFound(other.name, "it has not begun, or the new journal cannot refer to it");
  }
  const { seq } = last.line;
  const link = { journal: own.link(other), runId: header.runId, seq, hash: last.hash };
  return { link, context: await contextAt(reasoner, other, link), lists: recorder.state.lists };
}

/**
 * The context that a header's link leads to, or `undefined` where it has none.
 * @throws ReckonerError `journal.link`
 */
export async function earlierContext<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  { from }: Pick<HeaderLine, "from">,
): Promise<unknown> {
  if (from === undefined) return undefined;
  const other = port.follow?.(from.journal);
  if (other === undefined) throw notFound(from.journal, `${port.name} does not lead to it`);
  return contextAt(reasoner, other, from);
}

async function contextAt<Input, Output, Context>(
  root: Reasoner<Input, Output, Context>,
  port: JournalPort,
  link: RunLink,
): Promise<unknown> {
  const text = splitJournal(await port.read());
  const { header, lines } = readJournal(text);
  // It may have gone on since; what it was at the time has to be in it as it was.
  const there = lines.some(
    ({ line, hash }) => line.type === "event" && line.seq === link.seq && hash === link.hash,
  );
  if (!there) throw notFound(port.name, `it does not hold event ${link.seq} of run ${link.runId}`);
  const reasoner = reasonerOf(root, header);
  const before = await earlierContext(reasoner, port, header);
  return foldJournal(reasoner, text, link.seq, before).state?.context;
}

function notFound(journal: string, why: string): ReckonerError {
  return new ReckonerError(
    "journal.link",
    `The run to go on from, in ${journal}, is not to be found: ${why}.`,
    { place: journal },
  );
}
