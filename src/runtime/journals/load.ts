/**
 * Loading a run from its journal: every byte verified, by hashing alone as far as the newest snapshot
 * that proves itself, by a replay from there.
 */
import {
  checkReasoner,
  type DecodedLine,
  type Difference,
  describeDifference,
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

/** A run as its journal left it. */
export interface LoadedRun<Context> {
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
  /** What differs from what was recorded is not refused: the code has changed since. */
  readonly lenient?: boolean;
  /** The runs whose links led here. */
  readonly trail?: Trail;
}

/**
 * Loads a run. Whatever the reasoner does otherwise than recorded is refused: going on from there
 * would make a journal that no code replays.
 * @throws ReckonerError `journal.diverged` with both values, and what reading a journal throws
 */
export async function loadRun<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  options: LoadOptions = {},
): Promise<LoadedRun<Context>> {
  const snapshots = await snapshotsOf(port);
  const notices: Notice[] = [];
  for (const { seq } of [...snapshots].sort((a, b) => b.seq - a.seq)) {
    if (seq > (options.until ?? Number.POSITIVE_INFINITY)) continue;
    const read = await readSnapshot(port, seq);
    if (read === undefined) continue;
    const loaded =
      typeof read === "string" ? read : await load(reasoner, port, options, snapshots, read);
    if (typeof loaded !== "string") return { ...loaded, notices: [...notices, ...loaded.notices] };
    notices.push({
      code: "snapshot.unused",
      message: `The snapshot of event ${seq} was not used: ${loaded}.`,
    });
  }
  const loaded = await load(reasoner, port, options, snapshots, undefined);
  if (typeof loaded === "string") throw new Error(loaded);
  return { ...loaded, notices: [...notices, ...loaded.notices] };
}

/** @returns in words why the snapshot does not fit */
async function load<Input, Output, Context>(
  root: Reasoner<Input, Output, Context>,
  port: JournalPort,
  { until = Number.POSITIVE_INFINITY, lenient = false, trail = new Set() }: LoadOptions,
  snapshots: readonly StoredSnapshot[],
  snapshot: Snapshot | undefined,
): Promise<LoadedRun<Context> | string> {
  const stream = new LineStream(port);
  const decoder = new LineDecoder();
  let header: HeaderLine | undefined;
  let from: unknown;
  let replay: Replay<Input, Output, Context> | undefined;
  let reasoner = root;
  let place = snapshot?.place;
  let listed = snapshot?.place.listed ?? { lines: 0, bytes: 0 };
  let written = new WrittenValues();
  // What was remembered at the snapshot is taken in where the lines behind its last List begin.
  let resumed = false;
  let previous = "";
  let over = snapshot !== undefined && snapshot.state.seq >= until;
  for await (const batch of stream.batches()) {
    for (const raw of batch) {
      previous = raw.hash;
      const passed = snapshot === undefined || raw.start >= snapshot.place.bytes;
      const anchor = snapshot !== undefined && raw.end === snapshot.place.bytes;
      const known = snapshot !== undefined && !passed && !anchor;
      if (known && raw.number > 1 && raw.start < listed.bytes && !isStored(raw)) {
        if (raw.end > snapshot.place.bytes) return "it stands in the middle of a line";
        decoder.skip();
        continue;
      }
      const line = decoded(decoder, raw);
      if (isHeaderLine(line.line)) {
        header = line.line;
        reasoner = reasonerOf(root, header);
        checkReasoner(reasoner, header);
        if (snapshot === undefined) {
          const begin = await beginningOf(
            reasoner,
            port,
            { header, hash: raw.hash },
            { lenient, trail },
          );
          ({ from, written } = begin);
          replay = new Replay(reasoner, begin.origin);
        }
      }
      if (anchor) {
        const why = unfit(snapshot, line, header as HeaderLine);
        if (why !== undefined) return why;
        replay = new Replay(reasoner, snapshot as ReplayOrigin<Context>);
      }
      if (snapshot !== undefined && !resumed && raw.number > 1 && raw.start >= listed.bytes) {
        resumed = true;
        written.observeMemory(snapshot.memory);
      }
      if (passed && over) continue;
      written.observe(line.line);
      if (!passed) continue;
      const replayed = replay?.take(line);
      if (replayed === undefined) continue;
      if (!replayed.same && !lenient) {
        const linked = from ?? (await contextOfLink(reasoner, port, header as HeaderLine));
        throw diverged(await explainDifference(reasoner, port, replayed, linked));
      }
      over = replayed.line.seq >= until;
      if (referToList(replayed.step.directives)) listed = { lines: raw.number, bytes: raw.end };
      place = { lines: raw.number, bytes: raw.end, hash: raw.hash, listed };
    }
  }
  if (header === undefined) throw emptyJournal(port);
  if (replay === undefined) return "the journal ends before it";
  const { state, ledger } = replay;
  return {
    header,
    state,
    from,
    recorder: new Recorder(ledger, written, previous),
    position: stream.position,
    place,
    ...begunOf(state, ledger.memory.begun),
    snapshots,
    notices: noticesOf(reasoner, header, stream.torn),
  };
}

/** Whether a line holds what a later one may need: values, or the directives of the next event. */
function isStored(raw: RawLine): boolean {
  return raw.startsWith('{"values"') || raw.startsWith('{"do"');
}

/** In words why a snapshot is not the state at a line. */
export function unfit(
  { state, memory, place }: Snapshot,
  { line, hash, number }: DecodedLine,
  header: HeaderLine,
): string | undefined {
  if (!("event" in line) || "type" in line) return "it stands at no event";
  if (hash !== place.hash || number !== place.lines) return "it is of another journal";
  const { runId, reasoner } = header;
  const named =
    state.runId === runId &&
    state.reasoner === reasoner.id &&
    state.version === reasoner.version &&
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

function noticesOf(
  reasoner: { readonly fingerprint: string },
  header: HeaderLine,
  torn: number,
): readonly Notice[] {
  const notices: Notice[] = [];
  if (torn > 0) notices.push({ code: "journal.torn", message: tornNotice(torn) });
  if (header.fingerprint !== reasoner.fingerprint) {
    const message = "The reasoner's configuration is not the one that was recorded.";
    notices.push({ code: "journal.configuration", message });
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
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  { header, hash }: { readonly header: HeaderLine; readonly hash: string },
  options: Pick<LoadOptions, "lenient"> & { readonly trail: Trail },
): Promise<Beginning<Context>> {
  const { fork } = header;
  if (fork === undefined) {
    const from = await contextOfLink(reasoner, port, header, { hash, trail: options.trail });
    return { origin: { header, from }, from, written: new WrittenValues() };
  }
  const { loaded, state } = await loadCut(reasoner, port, { header, hash }, options);
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
  reasoner: Reasoner<Input, Output, Context>,
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
  const loaded = await loadRun(reasoner, other.port, {
    until: fork.seq,
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
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  { from }: Pick<HeaderLine, "from">,
  { hash = "", trail = new Set() }: { readonly hash?: string; readonly trail?: Trail } = {},
): Promise<unknown> {
  if (from === undefined) return undefined;
  const other = followLink(port, from, hash, trail);
  // It may have gone on since; what it was at the time has to be in it as it was.
  const options = { until: from.seq, lenient: true, trail: other.trail };
  const { state, place } = await loadRun(reasoner, other.port, options);
  if (state?.seq !== from.seq || place?.hash !== from.hash) throw cutNotFound(other.port, from);
  return state.context;
}
