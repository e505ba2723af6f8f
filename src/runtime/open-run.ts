/**
 * Opens a run's journal together with the journals of its children: all of them locked and verified
 * before anything runs, so that a resume that is refused has changed nothing.
 */
import { decodeLine, splitJournal } from "../core/journal/index.js";
import { isReckonerError, type Reasoner } from "../core/kernel/index.js";
import { type LoadedRun, loadRun } from "./load.js";
import type { JournalPort, JournalWriter } from "./ports.js";

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

/**
 * Opens a run and its children.
 * @throws ReckonerError what opening, reading and verifying any of the journals throws
 */
export async function openRun(reasoner: AnyReasoner, port: JournalPort): Promise<OpenRun> {
  const writer = await port.open("append");
  const children = new Map<string, OpenRun>();
  const orphans = new Map<string, OpenRun>();
  try {
    const loaded: LoadedRun<unknown> = await loadRun(reasoner, port);
    const opened: OpenRun = { reasoner, port, writer, loaded, children, orphans };
    for (const each of loaded.state?.outstanding ?? []) {
      if (each.type !== "run") continue;
      const child = await openChild(reasoner, port, each.id, each.reasoner);
      if (child !== undefined) children.set(each.id, child);
    }
    for (const id of Object.keys(reasoner.children).length === 0 ? [] : loaded.cancelled) {
      const orphan = await openChild(reasoner, port, id);
      if (orphan === undefined) continue;
      if (orphan.loaded.state?.status === "active" || orphan.orphans.size > 0) {
        orphans.set(id, orphan);
      } else await closeRun(orphan);
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

/** Opens a child, or `undefined` where it has not begun or there can be none. */
async function openChild(
  { children }: AnyReasoner,
  port: JournalPort,
  id: string,
  name?: string,
): Promise<OpenRun | undefined> {
  const journal = port.child?.(id);
  if (journal === undefined) return undefined;
  const text = await textOf(journal);
  if (!hasBegun(text)) return undefined;
  const child = childNamed(children, name ?? nameIn(text));
  return child === undefined ? undefined : openRun(child, journal);
}

/** The child with a name, and nothing that every object has. */
export function childNamed(
  children: AnyReasoner["children"],
  name: string,
): AnyReasoner | undefined {
  return Object.hasOwn(children, name) ? children[name] : undefined;
}

/** The name under which a child's header says it was started. */
function nameIn(text: string): string {
  const { line } = decodeLine(splitJournal(text).lines[0] as string, 1, "");
  const path = line.type === "header" ? line.parent?.path : undefined;
  return Array.isArray(path) ? String(path.at(-1)) : "";
}

/** A journal's text, empty where there is none. */
export async function textOf(journal: JournalPort): Promise<string> {
  try {
    return await journal.read();
  } catch (thrown) {
    if (isReckonerError(thrown) && thrown.code === "journal.missing") return "";
    throw thrown;
  }
}

/** Whether a journal holds a whole header: a torn one is that of a run that never began. */
export function hasBegun(text: string): boolean {
  return text.includes("\n");
}
