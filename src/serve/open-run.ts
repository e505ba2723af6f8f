/**
 * Opens the driver of a hosted run: from its journal, under the newest code, or anew for a run that begins.
 */
import {
  beginRun,
  continuedFrom,
  Driver,
  type DriverOptions,
  type InFlight,
} from "../core/driver/index.js";
import { faultMessage, type Reasoner } from "../core/kernel/machine/index.js";
import * as shapes from "../core/kernel/shapes.js";
import {
  digestOf,
  isReckonerError,
  type Json,
  ReckonerError,
} from "../core/kernel/values/index.js";
import { pairKey } from "../core/kernel/vocabulary/index.js";
import {
  dueAt,
  headerOf,
  headOf,
  inheritedAnswers,
  type JournalPort,
  LiveRow,
  labelsOf,
  loadRun,
  type RunRow,
  rowStart,
  SnapshotKeeper,
  summaryOf,
  viewOf,
} from "../runtime/for-hosts.js";
import type { NewHostedRun } from "./run-host.js";
import type { RunPlace } from "./store.js";

/** A reasoner, as a host sees it. */
export type AnyReasoner = Reasoner<never, unknown, unknown>;
/** A driver, as a host sees it. */
export type AnyDriver = Driver<never, unknown, unknown>;

/** A run that goes on in this process. */
export interface OpenRun {
  readonly reasoner: AnyReasoner;
  readonly driver: AnyDriver;
  /** Where its lines stand. */
  readonly journal: JournalPort;
  readonly row: LiveRow;
  readonly snapshots: SnapshotKeeper;
  /** The time and the input of its start, as its header has them. */
  readonly begun: { readonly at: number; readonly input: Json };
}

/** The code at hand and how runs are driven. */
export interface Opening {
  /** Of one id the newest first. */
  readonly reasoners: readonly AnyReasoner[];
  readonly options: DriverOptions;
  readonly now: number;
}

/** A run that other code than this one has gone on with: another process's. */
export class LaterCode extends Error {}

/**
 * Opens a run that has lines, and goes on under the newest code.
 * @param inFlight the attempts that go on; absent where a crash has cut them off
 * @throws LaterCode; ReckonerError what reading and verifying a journal throws, `run.reasoner`, `upgrade.refused`
 */
export async function openHosted(
  first: JournalPort,
  row: RunRow | undefined,
  { reasoners, options, now }: Opening,
  inFlight?: InFlight,
): Promise<OpenRun> {
  const journal = await headOf(first);
  const before = row ?? (await summaryOf(journal));
  const versions = reasoners.filter(({ id }) => id === before.reasoner);
  if (versions.length === 0) throw noReasoner(before.reasoner);
  const loaded = await loadForward(versions, journal, options, now);
  const reasoner = loaded.reasoner as AnyReasoner;
  const source = continuedFrom(reasoner, loaded);
  const inherited = await inheritedAnswers(journal, loaded);
  const driven = {
    ...source,
    inherited: dueAt(Math.max(now, source.state.at), inherited, []),
    ...(inFlight === undefined ? {} : { inFlight }),
  };
  return {
    reasoner,
    journal,
    driver: new Driver(reasoner, driven, options),
    row: new LiveRow(before),
    snapshots: new SnapshotKeeper(journal.snapshots, loaded),
    begun: await begunAs(first, journal, loaded.header),
  };
}

/** The start of a run as it was first: what it began with may have been edited since. */
async function begunAs(
  first: JournalPort,
  journal: JournalPort,
  own: { readonly at: number; readonly input: Json },
): Promise<OpenRun["begun"]> {
  const { at, input } = first === journal ? own : await headerOf(first);
  return { at, input };
}

/** Loads a run under the newest code. @throws LaterCode where it has left that code for a later one */
async function loadForward(
  versions: readonly AnyReasoner[],
  journal: JournalPort,
  { redact }: DriverOptions,
  now: number,
) {
  try {
    return await loadRun(versions, journal, {
      loss: "refuse",
      upgradeAt: now,
      ...(redact === undefined ? {} : { redact }),
    });
  } catch (thrown) {
    if (!isReckonerError(thrown) || !OTHER_CODE.test(thrown.code)) throw thrown;
    if (await isOfLaterCode(versions[0], journal)) throw new LaterCode(thrown.message);
    throw thrown;
  }
}

const OTHER_CODE = /^(?:upgrade\.refused|journal\.configuration)$/;

/** Returns true for a run that has left this code for another, or that never was of it: a later one began it. */
async function isOfLaterCode(
  code: AnyReasoner | undefined,
  journal: JournalPort,
): Promise<boolean> {
  if (code === undefined) return false;
  const view = viewOf(journal);
  let reached = (await view.findHeader())?.reasoner.version ?? 0;
  for await (const { line } of view.lines()) {
    if (!("upgrade" in line)) continue;
    const { from, to } = line.upgrade;
    if (from.fingerprint === code.fingerprint) return true;
    reached = Math.max(reached, to.version);
  }
  return reached > code.version;
}

/**
 * Begins a run.
 * @throws ReckonerError `run.reasoner`, and why the reasoner does not begin with its input: `agent.invalid`, say
 */
export function beginHosted(
  place: RunPlace,
  newRun: NewHostedRun,
  journal: JournalPort,
  opening: Opening,
): OpenRun {
  const { options, now } = opening;
  const reasoner = reasonerOf(newRun, opening.reasoners);
  const { input, seed, budget, person, tags } = newRun;
  const labels = labelsOf({ tenant: place.tenant, person, tags });
  const runId = runIdOf(place);
  const begun = { input: input as never, at: now, runId, seed, budget, labels };
  const source = beginRun(reasoner, begun, options);
  // Nothing would be left of such a run but that it failed.
  const { fault } = source.state;
  if (fault !== undefined) {
    const thrown = source.start?.step.thrown;
    throw isReckonerError(thrown) ? thrown : new ReckonerError(fault.code, faultMessage(fault));
  }
  const own = source.start?.begin?.input ?? null;
  const header = { runId, reasoner, at: now, labels, input: own };
  return {
    reasoner,
    journal,
    driver: new Driver(reasoner, source, options),
    row: new LiveRow(rowStart(shapes.defined(header))),
    snapshots: new SnapshotKeeper(journal.snapshots),
    begun: { at: now, input: own },
  };
}

/** Returns the input that a start would write. @param at the time of the start */
export function inputOf(
  newRun: NewHostedRun,
  place: RunPlace,
  { reasoners, options }: Pick<Opening, "reasoners" | "options">,
  at: number,
): { readonly reasoner: string; readonly input: Json | undefined } {
  const reasoner = reasonerOf(newRun, reasoners);
  const begun = { input: newRun.input as never, at, runId: runIdOf(place), seed: newRun.seed };
  return { reasoner: reasoner.id, input: beginRun(reasoner, begun, options).start?.begin?.input };
}

/** Returns the id of a run, of which idempotency keys are made: two tenants may have runs of one name. */
function runIdOf({ tenant, id }: RunPlace): string {
  return tenant === "" ? id : `${id}@${digestOf(pairKey(tenant, id))}`;
}

/** A start that names the only reasoner says no more than one that names none: under one key they are one word. */
export function withReasoner(run: NewHostedRun, all: readonly AnyReasoner[]): NewHostedRun {
  const reasoner = onlyOf(all);
  // Anything that is no object is refused as it is.
  const isOpen = shapes.OBJECT[0](run) && run.reasoner === undefined;
  return isOpen && reasoner !== undefined ? { ...run, reasoner } : run;
}

/** The id of the only reasoner that there is. */
function onlyOf(all: readonly AnyReasoner[]): string | undefined {
  const [only, ...others] = new Set(all.map(({ id }) => id));
  return others.length === 0 ? only : undefined;
}

/** Returns the newest code of a reasoner. @throws ReckonerError `run.reasoner` */
export function reasonerOf(
  { reasoner }: Pick<NewHostedRun, "reasoner">,
  all: readonly AnyReasoner[],
): AnyReasoner {
  const wanted = reasoner ?? onlyOf(all);
  const found = all.find(({ id }) => id === wanted);
  if (found === undefined) throw noReasoner(wanted ?? "(none was named)");
  return found;
}

function noReasoner(id: string): ReckonerError {
  const message = `No reasoner ${id} is at hand; pass it in reasoners of host().`;
  return new ReckonerError("run.reasoner", message, { place: id });
}
