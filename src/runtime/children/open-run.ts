/**
 * Opens a run's journal and those of its children. All are verified before anything runs, so that a
 * resume that is refused has changed nothing. A child's journal belongs to one parent and one
 * directive, as its header says (J9).
 */

import { type AnyReasoner, utf8Length } from "../../core/driver/live.js";
import { type HeaderLine, recordUpgrade } from "../../core/journal/index.js";
import {
  type ReckonerError,
  type RunDirective,
  tableGet,
  tableValues,
} from "../../core/kernel/index.js";
import {
  alienChild,
  childNotFound,
  isChildOf,
  notItsChild,
  type RunName,
} from "../journals/child-journal.js";
import { loadRun } from "../journals/load.js";
import type { LoadedRun, LoadOptions } from "../journals/loaded-run.js";
import { appendLines, childPort, closeWriter, openWriter } from "../journals/port-calls.js";
import { findHeader } from "../journals/read-journal.js";
import type { JournalPort, JournalWriter } from "../ports.js";
import type { ResumeOptions } from "../running/options.js";
import { childrenNamed, inputDigest } from "./named-children.js";

/** A run whose journal is open, and its children. */
export interface OpenRun {
  readonly reasoner: AnyReasoner;
  readonly port: JournalPort;
  readonly writer: JournalWriter;
  /** Changed where the run is upgraded: its line stands in the journal then. */
  loaded: LoadedRun<unknown>;
  /** Children that had begun and are owed, by directive; whoever goes on with one takes it out. */
  readonly children: Map<string, OpenRun>;
  /** Children that were cancelled and have not ended, since the process died in between. */
  readonly orphans: Map<string, OpenRun>;
}

type Opening = Pick<ResumeOptions, "redact" | "acceptLoss"> &
  Pick<LoadOptions, "upgradeAt" | "own">;

/**
 * Opens a run and its children.
 * @param reasoners of which one goes on with it; with `upgradeAt` the first
 * @throws ReckonerError `journal.child` where a child that has begun is not there or is another
 * run's, and what opening, reading and verifying any of the journals throws
 */
export async function openRun(
  reasoners: readonly AnyReasoner[],
  port: JournalPort,
  options: Opening,
): Promise<OpenRun> {
  const writer = await openWriter(port, "append");
  const children = new Map<string, OpenRun>();
  const orphans = new Map<string, OpenRun>();
  try {
    const { upgradeAt, own = false, acceptLoss } = options;
    const loss = acceptLoss === true ? ("accept" as const) : ("refuse" as const);
    const how = { own, loss, ...(upgradeAt === undefined ? {} : { upgradeAt }) };
    const loaded: LoadedRun<unknown> = await loadRun(reasoners as never, port, how);
    const reasoner = loaded.reasoner as AnyReasoner;
    const opened: OpenRun = { reasoner, port, writer, loaded, children, orphans };
    // A child is of the reasoner that goes on, and may have been of any that went before.
    const family = [reasoner, ...(upgradeAt === undefined ? [] : reasoners)];
    const owed = loaded.state?.outstanding;
    for (const each of owed === undefined ? [] : tableValues(owed)) {
      if (each.type !== "run") continue;
      const child = await openOwed(opened, family, each, options);
      if (child !== undefined) children.set(each.id, child);
    }
    for (const id of loaded.begunChildren) {
      if (owed !== undefined && tableGet(owed, id) !== undefined) continue;
      const orphan = await openOrphan(opened, family, id, options);
      if (orphan !== undefined) orphans.set(id, orphan);
    }
    return opened;
  } catch (thrown) {
    for (const each of [...children.values(), ...orphans.values()]) await closeRun(each);
    await closeWriter(port, writer);
    throw thrown;
  }
}

/**
 * Writes the upgrade lines of a run and its children, the children's first, so that a run with an
 * upgrade line is completely upgraded, and an interrupted upgrade is completed by the next resume.
 * All were migrated before the first is written.
 * @throws ReckonerError `upgrade.refused`, `journal.write`, `journal.conflict`
 */
export async function writeUpgrades(opened: OpenRun): Promise<void> {
  for (const { run, lines } of upgradesOf(opened)) {
    const { loaded, port, writer } = run;
    const { position } = loaded;
    await appendLines(port, writer, lines, position);
    const bytes = lines.reduce((sum, text) => sum + utf8Length(text) + 1, position.bytes);
    const end = { lines: position.lines + lines.length, bytes };
    run.loaded = { ...loaded, upgrade: undefined, atUpgrade: true, position: end };
  }
}

/** The lines of all upgrades, children's first: none is written before each is known to be one. */
function upgradesOf(run: OpenRun): { readonly run: OpenRun; readonly lines: readonly string[] }[] {
  const below = [...run.children.values(), ...run.orphans.values()].flatMap(upgradesOf);
  const { upgrade, recorder, state } = run.loaded;
  if (upgrade === undefined) return below;
  const { at, from, to } = upgrade;
  const lines = recordUpgrade(recorder, { at, from, to }, state).map(({ text }) => text);
  return [...below, { run, lines }];
}

/**
 * Closes a run's journal and those of the children that nobody took.
 * @returns what went wrong, with codes
 */
export async function closeRun(run: OpenRun): Promise<readonly ReckonerError[]> {
  const { port, writer, children, orphans } = run;
  const failures: ReckonerError[] = [];
  for (const each of [...children.values(), ...orphans.values()]) {
    failures.push(...(await closeRun(each)));
  }
  const unclosed = await closeWriter(port, writer);
  return unclosed === undefined ? failures : [...failures, unclosed];
}

/** A child that is owed, or `undefined` where it has not begun. */
async function openOwed(
  { port, loaded }: OpenRun,
  family: readonly AnyReasoner[],
  directive: RunDirective,
  options: Opening,
): Promise<OpenRun | undefined> {
  const { id } = directive;
  const journal = childPort(port, id);
  const header = journal === undefined ? undefined : await findHeader(journal);
  if (journal === undefined || header === undefined) {
    // A child whose answer is set was not forked with its parent.
    const isSet = loaded.header.set?.some((each) => each.id === id) ?? false;
    if (isSet || !loaded.begunChildren.has(id)) return undefined;
    throw childNotFound(id, journal, port);
  }
  checkChild(journal, header, nameOf(loaded), directive, options, true);
  const named = childrenNamed(family, directive.reasoner);
  return named.length === 0 ? undefined : openRun(named, journal, { ...options, own: true });
}

async function openOrphan(
  { port, loaded }: OpenRun,
  family: readonly AnyReasoner[],
  id: string,
  options: Opening,
): Promise<OpenRun | undefined> {
  const journal = childPort(port, id);
  const header = journal === undefined ? undefined : await findHeader(journal);
  // It was cancelled: where nothing of it is left, there is nothing to bring to an end.
  if (journal === undefined || header === undefined) return undefined;
  if (!isChildOf(header, nameOf(loaded), id)) return undefined;
  const named = childrenNamed(family, header.parent?.path.at(-1) ?? "");
  return named.length === 0 ? undefined : openRun(named, journal, { ...options, own: true });
}

function nameOf({ header, headerHash }: LoadedRun<unknown>): RunName {
  return { runId: header.runId, hash: headerHash };
}

/**
 * Checks whose journal it is.
 * @param mayBe whether the directive can have a child yet
 * @throws ReckonerError `journal.child` where it is not that of the directive's child
 */
export function checkChild(
  journal: JournalPort,
  header: HeaderLine,
  parent: RunName,
  directive: RunDirective,
  options: Opening,
  mayBe: boolean,
): void {
  const { id } = directive;
  const alien = alienChild(journal, header, parent, id);
  if (alien !== undefined) throw alien;
  if (!mayBe) throw notItsChild(journal, parent, id, "belongs to another run with that id");
  if (header.parent?.input !== inputDigest(directive, options)) {
    throw notItsChild(journal, parent, id, "began with another input");
  }
}
