/**
 * Opens a run's journal together with the journals of its children: all of them verified, one by one,
 * before anything runs, so that a resume that is refused has changed nothing. A child's journal
 * belongs to one parent and one directive, and says so itself (J9).
 */
import type { HeaderLine } from "../../core/journal/index.js";
import {
  hashOf,
  pairKey,
  type Reasoner,
  ReckonerError,
  type RunDirective,
  type RunEvent,
  tableGet,
  tableValues,
  toJson,
} from "../../core/kernel/index.js";
import { type LoadedRun, loadRun } from "../journals/load.js";
import { findHeader } from "../journals/read-journal.js";
import type { JournalPort, JournalWriter } from "../ports.js";
import type { HostOptions } from "../running/options.js";
import { redacted } from "../running/redact.js";

/** A reasoner of which nobody has to know the types. */
export type AnyReasoner = Reasoner<never, unknown, never>;

/** A run whose journal is open, and its children. */
export interface OpenRun {
  readonly reasoner: AnyReasoner;
  readonly port: JournalPort;
  readonly writer: JournalWriter;
  readonly loaded: LoadedRun<unknown>;
  /** Children that had begun and are owed, by directive; whoever goes on with one takes it out. */
  readonly children: Map<string, OpenRun>;
  /** Children that were cancelled and have not ended: the process died in between. */
  readonly orphans: Map<string, OpenRun>;
}

type Redacting = Pick<HostOptions, "redact">;

/**
 * Opens a run and its children.
 * @throws ReckonerError `journal.child` where a child that has begun is not there or is another
 * run's, and what opening, reading and verifying any of the journals throws
 */
export async function openRun(
  reasoner: AnyReasoner,
  port: JournalPort,
  options: Redacting,
): Promise<OpenRun> {
  const writer = await port.open("append");
  const children = new Map<string, OpenRun>();
  const orphans = new Map<string, OpenRun>();
  try {
    const loaded: LoadedRun<unknown> = await loadRun(reasoner, port);
    const opened: OpenRun = { reasoner, port, writer, loaded, children, orphans };
    const owed = loaded.state?.outstanding;
    for (const each of owed === undefined ? [] : tableValues(owed)) {
      if (each.type !== "run") continue;
      const child = await openOwed(opened, each, options);
      if (child !== undefined) children.set(each.id, child);
    }
    for (const id of loaded.begunChildren) {
      if (owed !== undefined && tableGet(owed, id) !== undefined) continue;
      const orphan = await openOrphan(opened, id, options);
      if (orphan !== undefined) orphans.set(id, orphan);
    }
    return opened;
  } catch (thrown) {
    for (const each of [...children.values(), ...orphans.values()]) await closeRun(each);
    await writer.close();
    throw thrown;
  }
}

/** Closes a run's journal and those of the children that nobody took. */
export async function closeRun({ writer, children, orphans }: OpenRun): Promise<void> {
  for (const each of [...children.values(), ...orphans.values()]) await closeRun(each);
  await writer.close();
}

/** A child that is owed, or `undefined` where it has not begun. */
async function openOwed(
  { reasoner, port, loaded }: OpenRun,
  directive: RunDirective,
  options: Redacting,
): Promise<OpenRun | undefined> {
  const { id } = directive;
  const journal = port.child?.(id);
  const header = journal === undefined ? undefined : await findHeader(journal);
  if (journal === undefined || header === undefined) {
    if (!loaded.begunChildren.has(id)) return undefined;
    throw new ReckonerError(
      "journal.child",
      `The child run ${id} has begun, and its journal ${journal?.name ?? ""} is not there; put it back beside ${port.name}, where it lay.`,
      { place: id },
    );
  }
  checkChild(journal, header, loaded.header.runId, directive, options);
  const child = childNamed(reasoner.children, directive.reasoner);
  return child === undefined ? undefined : openRun(child, journal, options);
}

async function openOrphan(
  { reasoner, port, loaded }: OpenRun,
  id: string,
  options: Redacting,
): Promise<OpenRun | undefined> {
  const journal = port.child?.(id);
  const header = journal === undefined ? undefined : await findHeader(journal);
  // It was cancelled: where nothing of it is left, there is nothing to bring to an end.
  if (journal === undefined || header === undefined) return undefined;
  if (!isChildOf(header, loaded.header.runId, id)) return undefined;
  const child = childNamed(reasoner.children, header.parent?.path.at(-1) ?? "");
  return child === undefined ? undefined : openRun(child, journal, options);
}

/** Whether a journal is that of a directive's child. */
function isChildOf({ runId, parent }: HeaderLine, parentRunId: string, id: string): boolean {
  if (parent?.runId !== parentRunId || parent.id !== id) return false;
  return runId === childRunId(parentRunId, id);
}

/** The run id of a child. */
export function childRunId(runId: string, directive: string): string {
  return pairKey(runId, directive);
}

/**
 * @param runId of the parent
 * @throws ReckonerError `journal.child` where a journal is not that of a directive's child
 */
export function checkChild(
  journal: JournalPort,
  header: HeaderLine,
  parentRunId: string,
  directive: RunDirective,
  options: Redacting,
): void {
  const { id } = directive;
  const why = !isChildOf(header, parentRunId, id)
    ? `is that of run ${header.runId}`
    : header.parent?.input === inputDigest(directive, options)
      ? undefined
      : "began with another input";
  if (why === undefined) return;
  throw new ReckonerError(
    "journal.child",
    `The journal ${journal.name}, where the child run ${id} of run ${parentRunId} would be, ${why}. Move it away, or run in another place.`,
    { place: id },
  );
}

/** The digest by which a child's header knows the input that its parent gave it. */
export function inputDigest({ input }: RunDirective, options: Redacting): string {
  const start = { type: "start" as const, at: 0, input: toJson(input, "input") };
  return hashOf((redacted(options, start as RunEvent & typeof start) as typeof start).input);
}

/** The child with a name, and nothing that every object has. */
export function childNamed(
  children: AnyReasoner["children"],
  name: string,
): AnyReasoner | undefined {
  return Object.hasOwn(children, name) ? children[name] : undefined;
}
