/**
 * One pass through a journal while a run is loaded: lines before the snapshot are hashed and not
 * parsed, later ones are replayed.
 */
import {
  type AnyReasoner,
  type FoldedRoot,
  type FoldedStep,
  FoldedTree,
  type Path,
  ROOT,
  type TreeFolding,
} from "../../core/driver/index.js";
import {
  type Configuration,
  checkReasoner,
  type DecodedLine,
  firstConfiguration,
  type HeaderLine,
  isHeaderLine,
  isUpgradeLine,
  LineDecoder,
  Recorder,
  Replay,
  type ReplayedStep,
  type ReplayOrigin,
  type Snapshot,
  type SnapshotPlace,
  type TreeUpgrade,
  UpgradeReader,
} from "../../core/journal/index.js";
import {
  isReckonerError,
  type Reasoner,
  type ReckonerError,
  type RunState,
  upgradeRefused,
} from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import { diverged, explainDifference } from "./difference.js";
import { LineStream, type RawLine } from "./line-stream.js";
import type { LinkedRuns } from "./linked-runs.js";
import { begunOf, type LoadedRun, type LoadOptions, noticesOf } from "./loaded-run.js";
import { decoded, emptyJournal } from "./read-journal.js";
import { unfit } from "./snapshots.js";
import { carryOver, codeOf, differs, PASS_BOTH } from "./upgrade.js";

/** What a run is loaded from. */
export interface LoadingParts<Input, Output, Context> {
  readonly reasoners: readonly Reasoner<Input, Output, Context>[];
  readonly port: JournalPort;
  readonly options: LoadOptions;
  readonly linked: LinkedRuns;
}

/** So many bytes before a snapshot are read at most for what they hold, and not hashed alone. */
const MAX_READ = 8 * 1024 * 1024;
const NO_LIST = "no List was recorded where it says";

/** Where a line stands: before the line of the snapshot, at it, or where it is replayed. */
type Where = "before" | "at" | "behind";

/** Loads one run, from one snapshot or from the header. It is run once. */
export class Loading<Input, Output, Context> {
  readonly #parts: LoadingParts<Input, Output, Context>;
  readonly #snapshot: Snapshot | undefined;
  readonly #stream: LineStream;
  readonly #upgrades = new UpgradeReader();
  readonly #decoder = new LineDecoder();
  /** The run's own, from its header on. */
  #reasoners: readonly Reasoner<Input, Output, Context>[];
  #header: HeaderLine | undefined;
  #headerHash = "";
  /** The configuration of the present segment; known from the header on. */
  #configuration: Configuration | undefined;
  /** The newest upgrade before the snapshot; only its configuration matters. */
  #upgradedBefore: RawLine | undefined;
  /** The context of the run that this one goes on from, where it was read. */
  #from: unknown;
  /** Why the first state of a fork is unknown. */
  #unknown: unknown;
  #replay: Replay<Input, Output, Context> | undefined;
  /** The end of the line of the newest event or upgrade, and whether it proves the state of the root. */
  #place: SnapshotPlace | undefined;
  #proves = true;
  /** Where the line ends in which the last List was recorded. */
  #listed: SnapshotPlace["listed"];
  /** Where the lines end that are hashed alone. */
  readonly #readFrom: number;
  /** The runs of the tree; of a fork those that it shares. */
  #tree: FoldedTree;
  /** What was remembered at the snapshot is taken in. */
  #recalled = false;
  /** Hash of the newest line. */
  #previous = "";
  /** The last event that is wanted was taken. */
  #over: boolean;
  /** A step was not what its line says, and did not have to be. */
  #differed = false;
  /** The first one that had to be, since the run's state was last known, and its code. */
  #diverged:
    | {
        readonly code: AnyReasoner;
        readonly replayed: ReplayedStep<never>;
        readonly path: Path;
      }
    | undefined;

  constructor(parts: LoadingParts<Input, Output, Context>, snapshot?: Snapshot) {
    this.#parts = parts;
    this.#snapshot = snapshot;
    this.#stream = new LineStream(parts.port);
    this.#reasoners = parts.reasoners;
    this.#place = snapshot?.place;
    this.#listed = snapshot?.place.listed ?? { lines: 0, bytes: 0 };
    const bytes = snapshot?.place.bytes ?? 0;
    this.#readFrom = bytes - this.#listed.bytes > MAX_READ ? bytes : this.#listed.bytes;
    this.#over = snapshot !== undefined && this.#isLast(snapshot.place.seq, snapshot.place.hash);
    const from =
      snapshot === undefined ? {} : { seq: snapshot.place.seq + 1, from: snapshot.state };
    this.#tree = new FoldedTree({ ...this.#folding, ...from });
  }

  /** Returns true if the journal, now read, ends before the line of a snapshot of its own run: it was longer. */
  get isShort(): boolean {
    if (this.#snapshot === undefined || this.#header === undefined) return false;
    const { place, state } = this.#snapshot;
    const { runId, at } = this.#header;
    // A snapshot that an earlier run of that id left in this place is older than the header.
    const isOwn = state.runId === runId && state.at >= at;
    return isOwn && place.bytes > this.#stream.position.bytes;
  }

  get #folding(): TreeFolding {
    const { lenient = false, redact } = this.#parts.options;
    return { strict: lenient === false, redact };
  }

  /** @returns the run, or in words why the snapshot does not fit */
  async run(): Promise<LoadedRun<Context> | string> {
    for await (const batch of this.#stream.batches()) {
      for (const raw of batch) {
        this.#previous = raw.hash;
        const where = this.#whereIs(raw);
        if (where === "before" && raw.startsWith('{"upgrade"')) this.#upgradedBefore = raw;
        if (where === "before" && this.#isHashedAlone(raw)) {
          this.#decoder.skip();
          continue;
        }
        const why = await this.#take(raw, where);
        if (why !== undefined) return why;
      }
    }
    return this.#loaded();
  }

  #whereIs({ start, end }: RawLine): Where {
    const bytes = this.#snapshot?.place.bytes;
    if (bytes === undefined || start >= bytes) return "behind";
    return end === bytes ? "at" : "before";
  }

  /** Whether nothing that a line before the snapshot holds is needed behind it. */
  #isHashedAlone(raw: RawLine): boolean {
    return raw.number > 1 && raw.end < this.#readFrom && !isStored(raw);
  }

  /** @returns in words why the snapshot does not fit */
  async #take(raw: RawLine, where: Where): Promise<string | undefined> {
    const line = decoded(this.#decoder, raw);
    if (isHeaderLine(line.line)) await this.#takeHeader(line.line, raw.hash);
    if (where === "at") {
      const why = this.#takeSnapshot(this.#snapshot as Snapshot, line);
      if (why !== undefined) return why;
    }
    if (where === "behind") {
      if (!this.#over) await this.#follow(line, raw);
      return undefined;
    }
    const isFirst = this.#recall(raw);
    this.#tree.observe(line.line, raw.end - raw.start);
    return isFirst ? this.#listFault(raw) : undefined;
  }

  /** The header says whose run it is; without a snapshot the replay begins here. */
  async #takeHeader(header: HeaderLine, hash: string): Promise<void> {
    const { port, options, linked } = this.#parts;
    checkReasoner(this.#reasoners, header);
    this.#header = header;
    this.#headerHash = hash;
    this.#configuration = firstConfiguration(header);
    this.#tree.begin(header);
    if (this.#snapshot !== undefined) return;
    const own = this.#code();
    const { lenient = false, trail = new Set(), redact } = options;
    const { until = Number.POSITIVE_INFINITY } = options;
    const how = { lenient, trail, until, redact };
    try {
      const begin = await linked.beginningOf(own, this.#reasoners, port, { header, hash }, how);
      this.#from = begin.from;
      if (begin.tree !== undefined) this.#tree = begin.tree;
      this.#replay = new Replay(own, begin.origin);
    } catch (thrown) {
      if (own !== undefined || !isOtherConfiguration(thrown)) throw thrown;
      // A fork that was upgraded says itself what it is from there on.
      this.#unknown = thrown;
      this.#tree = new FoldedTree({ ...this.#folding, seq: (header.fork?.seq ?? -1) + 1 });
      this.#tree.written.forget();
      this.#replay = new Replay(own, { header, from: undefined });
    }
    if (header.fork === undefined) return;
    this.#over = this.#isLast(this.#tree.seq - 1, header.fork.hash);
  }

  /**
   * At the snapshot's line the replay begins, where the line proves the snapshot.
   * @returns in words why it does not
   */
  #takeSnapshot(snapshot: Snapshot, line: DecodedLine): string | undefined {
    if (this.#upgradedBefore !== undefined) {
      this.#configuration = upgradeIn(this.#upgradedBefore);
    }
    const configuration = this.#configuration as Configuration;
    if (this.#listed.bytes > snapshot.place.bytes) return NO_LIST;
    const why = unfit(snapshot, line, this.#header as HeaderLine, configuration);
    if (why !== undefined) return why;
    this.#replay = new Replay(this.#code(), snapshot as ReplayOrigin<Context>);
    return undefined;
  }

  /**
   * Takes in what was remembered at the snapshot, before the first line that is not hashed alone.
   * @returns whether this is the one
   */
  #recall({ end }: RawLine): boolean {
    if (this.#snapshot === undefined || this.#recalled || end < this.#readFrom) return false;
    this.#recalled = true;
    const { written } = this.#tree;
    written.observeMemory(this.#snapshot.memory);
    // What happened behind the last List stands in lines that are not read, or in another journal.
    const isCut = this.#listed.bytes === 0 && this.#header?.fork !== undefined;
    if (isCut || this.#readFrom !== this.#listed.bytes) written.forget();
    return true;
  }

  /** In words why the line that is the first to be read is not that of the last List. */
  #listFault({ end }: RawLine): string | undefined {
    const { bytes } = this.#listed;
    const isListed = bytes === 0 || bytes !== this.#readFrom;
    if (isListed || (end === bytes && this.#tree.written.isAtList)) return undefined;
    return NO_LIST;
  }

  /** Follows a line behind the snapshot: of the runs as far as it is wanted. */
  async #follow(line: DecodedLine, raw: RawLine): Promise<void> {
    // Without the snapshot's line nobody knows what the runs were.
    if (this.#replay === undefined) return;
    const seen = line.glance ?? line.line;
    const { until = Number.POSITIVE_INFINITY } = this.#parts.options;
    if ("event" in seen && !("type" in seen)) {
      if (seen.seq > until) this.#over = true;
      // Code that came to its end sooner takes nothing of what came then.
      if (this.#over || (this.#differed && this.#replay?.state?.status !== "active")) return;
    }
    const upgrade = this.#upgrades.take(seen, raw.number);
    const folded =
      upgrade === undefined ? this.#tree.take(line, raw.end - raw.start, this.#root()) : undefined;
    if (upgrade !== undefined) await this.#takeUpgrade(upgrade, raw);
    else if (folded !== undefined) await this.#takeStep(folded, raw);
    else if (raw.hash !== this.#parts.options.untilHash) return;
    this.#over = this.#isLast(this.#tree.seq - 1, raw.hash);
  }

  #root(): FoldedRoot {
    return {
      header: this.#header as HeaderLine,
      reasoner: this.#code() as AnyReasoner | undefined,
      replay: this.#replay as unknown as FoldedRoot["replay"],
    };
  }

  /** From an upgrade's line on, another reasoner folds. */
  async #takeUpgrade(read: TreeUpgrade, raw: RawLine): Promise<void> {
    const { upgrade, to } = read;
    this.#configuration = upgrade.to;
    const own = this.#code();
    if (to === undefined && own !== undefined) this.#from = await this.#contextOfLink();
    this.#replay?.upgrade(own, to, this.#from);
    this.#tree.upgrade(read, this.#header as HeaderLine, own as AnyReasoner | undefined);
    if (to === undefined) return;
    this.#diverged = undefined;
    this.#standAt(raw, false);
  }

  /** An event's step says what its line says, or is refused. */
  async #takeStep(folded: FoldedStep, raw: RawLine): Promise<void> {
    const { path, reasoner: code, replayed } = folded;
    if (!this.#fits(folded)) {
      // An upgrade may say later what nobody knows from here on.
      this.#diverged ??= { code, replayed, path };
      if (this.#parts.options.lenient !== "requests") await this.#refuseDivergence();
    }
    const isRoot = path === ROOT;
    this.#differed ||= isRoot && !replayed.same;
    if (isRoot && this.#tree.written.isAtList) {
      this.#listed = { lines: raw.number, bytes: raw.end };
    }
    this.#standAt(raw, isRoot);
  }

  /** @throws ReckonerError `journal.diverged`, where a step was not what it had to be */
  async #refuseDivergence(): Promise<void> {
    if (this.#diverged === undefined) return;
    const { code, replayed, path } = this.#diverged;
    const linked = this.#from ?? (await this.#contextOfLink());
    throw diverged(await explainDifference(code, this.#parts.port, replayed, linked, path));
  }

  /** Returns true if a step is what its line says, as far as it has to be. */
  #fits({ path, replayed }: FoldedStep): boolean {
    const { lenient } = this.#parts.options;
    if (replayed.same || lenient === true) return true;
    return lenient === "requests" && (path !== ROOT || replayed.sameState);
  }

  /** The newest event or upgrade is that of this line. */
  #standAt({ number, end, hash }: RawLine, proves: boolean): void {
    const seq = this.#tree.seq - 1;
    this.#place = { seq, lines: number, bytes: end, hash, listed: this.#listed };
    this.#proves = proves;
  }

  /** Whether an event is the last that is wanted; an upgrade behind it may be wanted as well. */
  #isLast(seq: number, hash: string): boolean {
    const { until = Number.POSITIVE_INFINITY, untilHash } = this.#parts.options;
    return untilHash === undefined ? seq >= until : hash === untilHash;
  }

  /** The reasoner of the present segment, if it was given. */
  #code(): Reasoner<Input, Output, Context> | undefined {
    const { lenient = false } = this.#parts.options;
    return codeOf(this.#reasoners, this.#configuration as Configuration, lenient !== false);
  }

  #contextOfLink(): Promise<unknown> {
    const { port, linked } = this.#parts;
    return linked.contextOf(this.#reasoners, port, this.#header as HeaderLine);
  }

  /** The run at the end of its journal, carried over to who goes on with it. */
  async #loaded(): Promise<LoadedRun<Context> | string> {
    const { port, options, linked } = this.#parts;
    const header = this.#header;
    const replay = this.#replay;
    if (header === undefined) throw emptyJournal(port);
    if (replay === undefined) return "the journal ends before it";
    await this.#refuseDivergence();
    const { ledger, lost, state: last } = replay;
    if (last === undefined && this.#unknown !== undefined) {
      throw options.upgradeAt === undefined ? this.#unknown : lostBeforeCut(header, this.#unknown);
    }
    const configuration = this.#configuration as Configuration;
    const atEnd = { header, configuration, state: last, lost };
    const { reasoner, state, upgrade } = carryOver(this.#reasoners, atEnd, options, port);
    if (state === undefined) this.#from ??= await linked.contextOf([reasoner], port, header);
    const tree = this.#tree;
    const to = state && { state: state as RunState, memory: ledger.memory };
    const code = reasoner as unknown as AnyReasoner;
    const upgrades =
      upgrade === undefined ? [] : tree.carryOver(code, to, upgrade, header, differs);
    return {
      reasoner: reasoner as unknown as Reasoner<never, unknown, Context>,
      header,
      headerHash: this.#headerHash,
      state,
      from: this.#from,
      recorder: new Recorder(ledger, tree.written, this.#previous, tree.seq),
      tree,
      position: this.#stream.position,
      place: this.#place,
      listed: this.#listed,
      upgrades,
      proves: this.#proves,
      ...begunOf(state, ledger.memory),
      snapshots: [],
      unfit: [],
      notices: noticesOf(upgrade, this.#stream.torn),
    };
  }
}

/** Why a fork is not carried over: what it shares was taken by code that was not given. */
function lostBeforeCut({ fork }: HeaderLine, cause: unknown): ReckonerError {
  const what = `the events that it shares with ${fork?.journal} were taken by code that was not given, and no snapshot holds the state behind them; ${PASS_BOTH}`;
  return upgradeRefused(what, cause);
}

/** Whether something thrown says that a journal was written by code that was not given. */
function isOtherConfiguration(thrown: unknown): boolean {
  return isReckonerError(thrown) && thrown.code === "journal.configuration";
}

/** The configuration from an upgrade's line on. */
function upgradeIn(raw: RawLine): Configuration {
  const { line } = decoded(new LineDecoder(), raw);
  if (isUpgradeLine(line)) return line.upgrade.to;
  throw new Error(`Line ${raw.number} is not an upgrade`);
}

/** Whether a line holds what a later one may need: values, or the directives of the next event. */
function isStored(raw: RawLine): boolean {
  return raw.startsWith('{"values"') || raw.startsWith('{"do"');
}
