/**
 * Checks whose child run a journal is: it belongs to one parent and one directive, as its header
 * says (J9). It must not know what the child did.
 */
import type { HeaderLine, RunParent } from "../../core/journal/index.js";
import { pairKey, ReckonerError } from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";

/** A run as its children know it: two runs may have one id, but not one header. */
export type RunName = Pick<RunParent, "runId" | "hash">;

/** What a header says of whose child its run is. */
type ChildHeader = Pick<HeaderLine, "runId" | "parent">;

/** The run id of a child. */
export function childRunId(runId: string, directive: string): string {
  return pairKey(runId, directive);
}

/** Whether a journal is that of a directive's child. */
export function isChildOf(header: ChildHeader, parent: RunName, id: string): boolean {
  return header.parent?.hash === parent.hash && isNamedChildOf(header, parent, id);
}

/** Whether it says by its ids that it is: that of an earlier run with the parent's id says so too. */
function isNamedChildOf(
  { runId, parent }: ChildHeader,
  { runId: of }: RunName,
  id: string,
): boolean {
  return parent?.runId === of && parent.id === id && runId === childRunId(of, id);
}

/** What there is to say of a journal that stands in a child's place; nothing where it is the child's. */
export function alienChild(
  journal: JournalPort,
  header: ChildHeader,
  parent: RunName,
  id: string,
): ReckonerError | undefined {
  if (isChildOf(header, parent, id)) return undefined;
  const why = isNamedChildOf(header, parent, id)
    ? "belongs to another run with that id"
    : `is that of run ${header.runId}`;
  return notItsChild(journal, parent, id, why);
}

/** What is said of a journal in a child's place that is not this child's. */
export function notItsChild(
  journal: JournalPort,
  { runId }: RunName,
  id: string,
  why: string,
): ReckonerError {
  return new ReckonerError(
    "journal.child",
    `The journal ${journal.name}, where the child run ${id} of run ${runId} would be, ${why}. Move it away, or run in another place.`,
    { place: id },
  );
}

/** What is said where a child that has begun has no journal. */
export function childNotFound(
  id: string,
  journal: JournalPort | undefined,
  parent: JournalPort,
): ReckonerError {
  return new ReckonerError(
    "journal.child",
    `The child run ${id} has begun, and its journal ${journal?.name ?? ""} is not there; put it back beside ${parent.name}, where it lay.`,
    { place: id },
  );
}
