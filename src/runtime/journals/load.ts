/**
 * Loading a run from its journal: every byte verified, by hashing alone as far as the newest snapshot
 * that proves itself, by a replay from there.
 */
import {
  type Configuration,
  checkReasoner,
  type DecodedLine,
  type Difference,
  describeDifference,
  firstConfiguration,
  type HeaderLine,
  isHeaderLine,
  LineDecoder,
  Recorder,
  Replay,
  type ReplayOrigin,
  type RunLink,
  reasonerOf,
  referToList,
  type Snapshot,
  type SnapshotPlace,
  snapshotDigest,
  UpgradeReader,
  WrittenValues,
} from "../../core/journal/index.js";
import {
  type Reasoner,
  ReckonerError,
  type RunState,
  tableHas,
  tablePlaces,
} from "../../core/kernel/index.js";
import type { JournalPort, JournalPosition, StoredSnapshot } from "../ports.js";
import type { NoticeCode } from "../running/observation.js";
import { explainDifference } from "./difference.js";
import { cutNotFound, followLink, type Trail } from "./history.js";
import { LineStream, type RawLine } from "./line-stream.js";
import { decoded, emptyJournal, tornNotice } from "./read-journal.js";
import { readSnapshot, snapshotsOf } from "./snapshots.js";
import {
  carryOver,
  codeOf,
  type PendingUpgrade,
  type ReasonerVersions,
  reasonersOf,
} from "./upgrade.js";

/** A run as its journal left it. */
export interface LoadedRun<Context> {
  /** The one that goes on with it. */
  readonly reasoner: Reasoner<never, unknown, Context>;
  readonly header: HeaderLine;
  /** Absent where the process ended before the start was recorded. */
  readonly state: RunState<Context> | undefined;
  /** The context of the run that this one goes on from, where it was read. */
  readonly from: unknown;
  readonly recorder: Recorder;
  /** Where the journal ends, a torn line left out. */
  readonly position: JournalPosition;
  /** Where the state's own line ends, and its hash. */
  readonly place: SnapshotPlace | undefined;
  /** An upgrade whose line is to be written: the state is the migrated one. */
  readonly upgrade: PendingUpgrade | undefined;
  /** That line is an upgrade's. No snapshot stands there: the line is one itself. */
  readonly atUpgrade: boolean;
  /** How many attempts of each outstanding effect that is marked have begun. */
  readonly attempts: ReadonlyMap<string, number>;
  /** Children that have begun, by directive: those that are owed, and those that were cancelled. */
  readonly begunChildren: ReadonlySet<string>;
  /** The snapshots that are kept. */
  readonly snapshots: readonly StoredSnapshot[];
  readonly notices: readonly Notice[];
}

/** Something that a person should know of. */
export interface Notice {
  readonly code: NoticeCode;
  readonly message: string;
}

/** How a run is loaded. */
export interface LoadOptions {
  /** Sequence number of the last event to take. Default: the last one. */
  readonly until?: number;
  /** Hash of the line behind which nothing is taken; where `until` alone may mean several. */
  readonly untilHash?: string;
  /** What differs from what was recorded is not refused: the code has changed since. */
  readonly lenient?: boolean;
  /** The reasoners are the run's own, and not those of a run that it is a child of. */
  readonly own?: boolean;
  /** The time, where a run of another configuration goes on under the first of the reasoners. */
  readonly upgradeAt?: number;
  /** The runs whose links led here. */
  readonly trail?: Trail;
}

type Reasoners<Input, Output, Context> = readonly Reasoner<Input, Output, Context>[];

/**
 * Loads a run. Whatever the reasoner does otherwise than recorded is refused: going on from there
 * would make a journal that no code replays.
 * @param reasoners each stretch of the journal is folded by the one whose configuration it has
 * @throws ReckonerError `journal.diverged` with both values, `journal.configuration`,
 * `upgrade.refused`, and what reading a journal throws
 */
export async function loadRun<Input, Output, Context>(
  given: ReasonerVersions<Input, Output, Context>,
  port: JournalPort,
  options: LoadOptions = {},
): Promise<LoadedRun<Context>> {
  const reasoners = reasonersOf(given);
  const snapshots = await snapshotsOf(port);
  const notices: Notice[] = [];
  for (const { seq } of [...snapshots].sort((a, b) => b.seq - a.seq)) {
    if (seq > (options.until ?? Number.POSITIVE_INFINITY)) continue;
    const read = await readSnapshot(port, seq);
    if (read === undefined) continue;
    const loaded =
      typeof read === "string" ? read : await load(reasoners, port, options, snapshots, read);
    if (typeof loaded !== "string") return { ...loaded, notices: [...notices, ...loaded.notices] };
    notices.push({
      code: "snapshot.unused",
      message: `The snapshot of event ${seq} was not used: ${loaded}.`,
    });
  }
  const loaded = await load(reasoners, port, options, snapshots, undefined);
  if (typeof loaded === "string") throw new Error(loaded);
  return { ...loaded, notices: [...notices, ...loaded.notices] };
}

/** @returns in words why the snapshot does not fit */
async function load<Input, Output, Context>(
  roots: Reasoners<Input, Output, Context>,
  port: JournalPort,
  options: LoadOptions,
  snapshots: readonly StoredSnapshot[],
  snapshot: Snapshot | undefined,
): Promise<LoadedRun<Context> | string> {
  const { until = Number.POSITIVE_INFINITY, untilHash, lenient = false } = options;
  const { trail = new Set() } = options;
  const stream = new LineStream(port);
  const upgrades = new UpgradeReader();
  const decoder = new LineDecoder();
  let header: HeaderLine | undefined;
  let from: unknown;
  let replay: Replay<Input, Output, Context> | undefined;
  let reasoners = roots;
  let configuration: Configuration | undefined;
  /** The newest upgrade before the snapshot; only its configuration matters. */
  let upgradedBefore: RawLine | undefined;
  let place = snapshot?.place;
  let atUpgrade = false;
  let listed = snapshot?.place.listed ?? { lines: 0, bytes: 0 };
  let written = new WrittenValues();
  // What was remembered at the snapshot is taken in where the lines behind its last List begin.
  let resumed = false;
  let previous = "";
  /** Whether an event is the last that is wanted; an upgrade behind it may be wanted as well. */
  const isLast = (seq: number, hash: string) =>
    untilHash === undefined ? seq >= until : hash === untilHash;
  let over = snapshot !== undefined && isLast(snapshot.state.seq, snapshot.place.hash);
  const code = () => codeOf(reasoners, configuration as Configuration, lenient);
  for await (const batch of stream.batches()) {
    for (const raw of batch) {
      previous = raw.hash;
      const passed = snapshot === undefined || raw.start >= snapshot.place.bytes;
      const anchor = snapshot !== undefined && raw.end === snapshot.place.bytes;
      const known = snapshot !== undefined && !passed && !anchor;
      if (known && raw.startsWith('{"upgrade"')) upgradedBefore = raw;
      if (known && raw.number > 1 && raw.start < listed.bytes && !isStored(raw)) {
        if (raw.end > snapshot.place.bytes) return "it stands in the middle of a line";
        decoder.skip();
        continue;
      }
      const line = decoded(decoder, raw);
      if (isHeaderLine(line.line)) {
        header = line.line;
        const { line: head } = line as { readonly line: HeaderLine };
        if (options.own !== true) reasoners = reasoners.map((each) => reasonerOf(each, head));
        checkReasoner(reasoners, header);
        configuration = firstConfiguration(header);
        if (snapshot === undefined) {
          const own = code();
          const begin = await beginningOf(
            own,
            reasoners,
            port,
            { header, hash: raw.hash },
            { lenient, trail },
          );
          ({ from, written } = begin);
          replay = new Replay(own, begin.origin);
        }
      }
      if (anchor) {
        if (upgradedBefore !== undefined) configuration = upgradeIn(upgradedBefore);
        const why = unfit(snapshot, line, header as HeaderLine, configuration as Configuration);
        if (why !== undefined) return why;
        replay = new Replay(code(), snapshot as ReplayOrigin<Context>);
      }
      if (snapshot !== undefined && !resumed && raw.number > 1 && raw.start >= listed.bytes) {
        resumed = true;
        written.observeMemory(snapshot.memory);
      }
      if (passed && over) continue;
      written.observe(line.line);
      if (!passed) continue;
      if ("event" in line.line && line.line.seq > until) {
        over = true;
        continue;
      }
      const upgrade = upgrades.take(line.line, raw.number);
      if (upgrade !== undefined) {
        configuration = upgrade.upgrade.to;
        const own = code();
        if (upgrade.to === undefined && own !== undefined) {
          from = await contextOfLink(reasoners, port, header as HeaderLine);
        }
        replay?.upgrade(own, upgrade.to, from);
        if (upgrade.to !== undefined) {
          place = { lines: raw.number, bytes: raw.end, hash: raw.hash, listed };
          atUpgrade = true;
        }
      }
      const replayed = upgrade === undefined ? replay?.take(line) : undefined;
      if (replayed !== undefined) {
        if (!replayed.same && !lenient) {
          const own = code() as Reasoner<Input, Output, Context>;
          const linked = from ?? (await contextOfLink(reasoners, port, header as HeaderLine));
          throw diverged(await explainDifference(own, port, replayed, linked));
        }
        if (referToList(replayed.step.directives)) listed = { lines: raw.number, bytes: raw.end };
        place = { lines: raw.number, bytes: raw.end, hash: raw.hash, listed };
        atUpgrade = false;
      }
      if (replayed !== undefined || upgrade !== undefined) {
        over = isLast(replay?.state?.seq ?? -1, raw.hash);
      }
    }
  }
  if (header === undefined) throw emptyJournal(port);
  if (replay === undefined) return "the journal ends before it";
  const { ledger, lost, state: last } = replay;
  const carried = carryOver(
    reasoners,
    { header, configuration: configuration as Configuration, state: last, lost },
    options,
    port,
  );
  const { reasoner, state, upgrade } = carried;
  if (state === undefined) from ??= await contextOfLink([reasoner], port, header);
  return {
    reasoner: reasoner as unknown as Reasoner<never, unknown, Context>,
    header,
    state,
    from,
    recorder: new Recorder(ledger, written, previous),
    position: stream.position,
    place,
    upgrade,
    atUpgrade,
    ...begunOf(state, ledger.memory.begun),
    snapshots,
    notices: noticesOf(upgrade, stream.torn),
  };
}

/** The configuration from an upgrade's line on. */
function upgradeIn(raw: RawLine): Configuration {
  const { line } = decoded(new LineDecoder(), raw);
  if ("upgrade" in line) return line.upgrade.to;
  throw new Error(`Line ${raw.number} is no upgrade`);
}

/** Whether a line holds what a later one may need: values, or the directives of the next event. */
function isStored(raw: RawLine): boolean {
  return raw.startsWith('{"values"') || raw.startsWith('{"do"');
}

/** In words why a snapshot is not the state at a line. */
export function unfit(
  { state, memory, place }: Snapshot,
  { line, hash, number }: DecodedLine,
  { runId, reasoner }: HeaderLine,
  { version }: Configuration,
): string | undefined {
  if (!("event" in line) || "type" in line) return "it stands at no event";
  if (hash !== place.hash || number !== place.lines) return "it is of another journal";
  const named =
    state.runId === runId &&
    state.reasoner === reasoner.id &&
    state.version === version &&
    state.seq === line.seq &&
    state.at === line.event.at;
  if (!named) return "its state is of another run or event";
  return snapshotDigest({ state, memory }) === line.state
    ? undefined
    : "its state is not the one that its line proves";
}

function begunOf(
  state: RunState | undefined,
  begun: Recorder["memory"]["begun"],
): Pick<LoadedRun<unknown>, "attempts" | "begunChildren"> {
  const attempts = new Map<string, number>();
  const begunChildren = new Set<string>();
  for (const place of tablePlaces(begun)) {
    if (place === null) continue;
    const [id, count] = place;
    if (count === "run") begunChildren.add(id);
    else if (state !== undefined && tableHas(state.outstanding, id)) attempts.set(id, count);
  }
  return { attempts, begunChildren };
}

function diverged(difference: Difference): ReckonerError {
  return new ReckonerError(
    "journal.diverged",
    `The reasoner at hand does not do what the journal recorded; resume with the code that wrote it. ${describeDifference(difference)}`,
    { place: `event ${difference.seq}, ${difference.path}` },
  );
}

function noticesOf(upgrade: PendingUpgrade | undefined, torn: number): readonly Notice[] {
  const notices: Notice[] = [];
  if (torn > 0) notices.push({ code: "journal.torn", message: tornNotice(torn) });
  if (upgrade !== undefined) {
    const message = `The run goes on under another configuration: ${upgrade.difference}.`;
    notices.push({ code: "journal.upgraded", message });
  }
  return notices;
}

/** What a run begins with. */
interface Beginning<Context> {
  readonly origin: ReplayOrigin<Context>;
  /** The context of the run that it goes on from. */
  readonly from: unknown;
  /** What of its values stands in the journal that it shares its beginning with. */
  readonly written: WrittenValues;
}

async function beginningOf<Input, Output, Context>(
  own: Reasoner<Input, Output, Context> | undefined,
  reasoners: Reasoners<Input, Output, Context>,
  port: JournalPort,
  { header, hash }: { readonly header: HeaderLine; readonly hash: string },
  options: Pick<LoadOptions, "lenient"> & { readonly trail: Trail },
): Promise<Beginning<Context>> {
  const { fork } = header;
  if (fork === undefined) {
    const { trail } = options;
    const known = own === undefined ? {} : { hash, trail };
    const from =
      own === undefined ? undefined : await contextOfLink(reasoners, port, header, known);
    return { origin: { header, from }, from, written: new WrittenValues() };
  }
  const { loaded, state } = await loadCut(reasoners, port, { header, hash }, options);
  const { memory, written } = loaded.recorder;
  return {
    origin: { state: forkedState(state, header.runId), memory },
    from: undefined,
    written,
  };
}

/** A header, and the hash of its line. */
export interface ReadHeader {
  readonly header: HeaderLine;
  readonly hash: string;
}

/**
 * The run that a fork was cut from, as it was at the cut.
 * @throws ReckonerError `journal.link`, and what loading it throws
 */
export async function loadCut<Input, Output, Context>(
  reasoners: ReasonerVersions<Input, Output, Context>,
  port: JournalPort,
  { header, hash }: ReadHeader,
  { lenient = false, trail = new Set() }: LoadOptions = {},
): Promise<{
  readonly parent: JournalPort;
  readonly trail: Trail;
  readonly loaded: LoadedRun<Context>;
  readonly state: RunState<Context>;
}> {
  const fork = header.fork as RunLink;
  const other = followLink(port, fork, hash, trail);
  const loaded = await loadRun(reasoners, other.port, {
    until: fork.seq,
    untilHash: fork.hash,
    lenient,
    trail: other.trail,
  });
  const { state, place } = loaded;
  if (loaded.header.runId !== fork.runId || state?.seq !== fork.seq || place?.hash !== fork.hash) {
    throw cutNotFound(other.port, fork);
  }
  return { parent: other.port, trail: other.trail, loaded, state };
}

/** A state as a fork has it: its own run's, all else as it was. */
export function forkedState<Context>(state: RunState<Context>, runId: string): RunState<Context> {
  return Object.freeze({ ...state, runId });
}

/**
 * The context that a header's link leads to, or `undefined` where it has none.
 * @throws ReckonerError `journal.link`
 */
export async function contextOfLink<Input, Output, Context>(
  reasoners: ReasonerVersions<Input, Output, Context>,
  port: JournalPort,
  { from }: Pick<HeaderLine, "from">,
  { hash = "", trail = new Set() }: { readonly hash?: string; readonly trail?: Trail } = {},
): Promise<unknown> {
  if (from === undefined) return undefined;
  const other = followLink(port, from, hash, trail);
  // It may have gone on since; what it was at the time has to be in it as it was.
  const options = { until: from.seq, untilHash: from.hash, lenient: true, trail: other.trail };
  const { state, place } = await loadRun(reasoners, other.port, options);
  if (state?.seq !== from.seq || place?.hash !== from.hash) throw cutNotFound(other.port, from);
  return state.context;
}
