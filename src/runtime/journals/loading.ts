/**
 * Reads through a journal once to load its run (`load.ts`): lines up to the snapshot that is tried are hashed
 * and not parsed, later ones are replayed.
 */
import {
  type AnyReasoner,
  differs,
  type FoldedStep,
  FoldedTree,
  type MarkedPlace,
  ROOT,
} from "../../core/driver/index.js";
import {
  type Configuration,
  checkReasoner,
  type DecodedLine,
  type EventPlace,
  firstConfiguration,
  type HeaderLine,
  isHeaderLine,
  LineDecoder,
  type RecordedLists,
  Recorder,
  type StoredText,
  type TreeUpgrade,
} from "../../core/journal/index.js";
import { type Reasoner, type RunState, upgradeRefused } from "../../core/kernel/machine/index.js";
import { isReckonerError, type ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../ports/ports.js";
import { diverged, explainDifference } from "./explain-difference.js";
import { LineStream, type RawLine } from "./line-stream.js";
import type { LinkedRuns } from "./linked-runs.js";
import { type LoadedRun, type LoadOptions, noticesOf } from "./loaded-run.js";
import { decoded, emptyJournal, takeKnowing } from "./read-journal.js";
import { type KeptRows, provenSnapshot } from "./snapshots.js";
import { carryOver, codeOf, PASS_BOTH } from "./upgrade.js";

/** What a run is loaded from. */
export interface LoadingParts<Input, Output, Context> {
  readonly reasoners: readonly Reasoner<Input, Output, Context>[];
  readonly port: JournalPort;
  readonly options: LoadOptions;
  readonly linked: LinkedRuns;
}

/** The place of a line: before the mark of the snapshot, at it, or where it is replayed. */
type Where = "before" | "at" | "behind";

/** Loads one run, from one snapshot or from the header. It is run once. */
export class Loading<Input, Output, Context> {
  readonly #parts: LoadingParts<Input, Output, Context>;
  readonly #stored: StoredText | undefined;
  readonly #stream: LineStream;
  readonly #decoder = new LineDecoder();
  readonly #reasoners: readonly Reasoner<Input, Output, Context>[];
  #header: HeaderLine | undefined;
  #headerHash = "";
  /** The context of the run that this one goes on from, where it was read. */
  #from: unknown;
  /** Why the first state of a fork is unknown. */
  #unknown: unknown;
  /** The end of the line of the newest event or upgrade. */
  #place: EventPlace | undefined;
  /** The mark of the snapshot: what others are of is not kept, or is none, and is to be made anew. */
  #marked: MarkedPlace = { bytes: 0, size: 0 };
  #rows: KeptRows | undefined;
  /** The runs of the tree; of a fork those that it shares. */
  #tree: FoldedTree;
  /** Hash of the newest line. */
  #previous = "";
  /** The last event that is wanted was taken. */
  #over = false;
  /** A step was not what its line says, and did not have to be. */
  #differed = false;
  /** The first one that had to be, since the run's state was last known. */
  #diverged: FoldedStep | undefined;

  constructor(parts: LoadingParts<Input, Output, Context>, stored?: StoredText) {
    this.#parts = parts;
    this.#stored = stored;
    this.#stream = new LineStream(parts.port, undefined, {
      acceptLoss: parts.options.loss === "accept",
      isEnough: () => this.#over,
    });
    this.#reasoners = parts.reasoners;
    const { lenient = false, redact } = parts.options;
    const code = (configuration: Configuration) =>
      codeOf(this.#reasoners, configuration, lenient !== false) as AnyReasoner | undefined;
    this.#tree = new FoldedTree({ strict: lenient === false, redact, code });
  }

  /** Returns true if the journal, now read, ends before the line of a snapshot of its own run: it was longer. */
  get isShort(): boolean {
    if (this.#stream.isShort) return true;
    if (this.#stored === undefined || this.#header === undefined) return false;
    const { bytes, runId, at } = this.#stored.claim;
    // A snapshot that an earlier run of that id left in this place is older than the header.
    const isOwn = runId === this.#header.runId && at >= this.#header.at;
    return isOwn && bytes > this.#stream.position.bytes;
  }

  /** @returns the run, or in words why the snapshot does not fit */
  async run(): Promise<LoadedRun<Context> | string> {
    for await (const batch of this.#stream.batches()) {
      for (const raw of batch) {
        this.#previous = raw.hash;
        const where = this.#whereIs(raw);
        if (where === "before" && raw.number > 1) {
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
    const bytes = this.#stored?.claim.bytes;
    if (bytes === undefined || start >= bytes) return "behind";
    return end === bytes ? "at" : "before";
  }

  /** @returns in words why the snapshot does not fit */
  async #take(raw: RawLine, where: Where): Promise<string | undefined> {
    const line = decoded(this.#decoder, raw);
    if (isHeaderLine(line.line)) await this.#takeHeader(line.line, raw.hash);
    else if (where === "at") return this.#takeSnapshot(this.#stored as StoredText, line, raw);
    else if (!this.#over) await this.#follow(line, raw);
    return undefined;
  }

  /** The header says whose run it is; without a snapshot the replay begins here. */
  async #takeHeader(header: HeaderLine, hash: string): Promise<void> {
    const { port, options, linked } = this.#parts;
    checkReasoner(this.#reasoners, header);
    this.#header = header;
    this.#headerHash = hash;
    if (this.#stored !== undefined) return;
    const { lenient = false, trail = new Set(), redact } = options;
    const { until = Number.POSITIVE_INFINITY } = options;
    const how = { lenient, trail, until, redact };
    const own = codeOf(this.#reasoners, firstConfiguration(header), lenient !== false);
    try {
      const begin = await linked.beginningOf(own, this.#reasoners, port, { header, hash }, how);
      this.#from = begin.from;
      if (begin.tree === undefined) this.#tree.begin(header, begin.from);
      else this.#tree = begin.tree;
    } catch (thrown) {
      if (own !== undefined || !isOtherConfiguration(thrown)) throw thrown;
      this.#unknown = thrown;
      this.#tree.forkUnknown(header);
    }
    if (header.fork === undefined) return;
    this.#over = this.#isLast(this.#tree.seq - 1, header.fork.hash);
  }

  /**
   * At its mark the fold begins with what a snapshot holds.
   * @returns in words why the line does not prove it
   */
  async #takeSnapshot(
    stored: StoredText,
    line: DecodedLine,
    { end }: RawLine,
  ): Promise<string | undefined> {
    const snapshot = await provenSnapshot(this.#parts.port, stored, line);
    if (typeof snapshot === "string") return snapshot;
    const { until, untilHash } = this.#parts.options;
    const { place } = snapshot;
    const isOver = this.#isLast(place.seq, place.hash);
    const isBehind = untilHash !== undefined && place.seq === until && place.hash !== untilHash;
    // Marks behind the last event that is wanted are not.
    if (isBehind || (isOver && stored.claim.lines !== place.lines + 1)) {
      return "it stands behind what is wanted";
    }
    this.#tree.goOn(this.#header as HeaderLine, snapshot);
    this.#place = place;
    this.#rows = snapshot.rows;
    this.#marked = { bytes: end, size: stored.text.length };
    this.#over = isOver;
    return undefined;
  }

  /** Follows a line: of the runs as far as it is wanted. */
  async #follow(line: DecodedLine, raw: RawLine): Promise<void> {
    // Without the snapshot's line nobody knows what the runs were.
    const { root } = this.#tree;
    if (root === undefined) return;
    const seen = line.glance ?? line.line;
    const { until = Number.POSITIVE_INFINITY } = this.#parts.options;
    if ("event" in seen && !("type" in seen)) {
      if (seen.seq > until) this.#over = true;
      // Code that came to its end sooner takes nothing of what came then.
      if (this.#over || (this.#differed && root.state?.status !== "active")) return;
    }
    const tree = this.#tree;
    const know = (lists: RecordedLists) => tree.know(lists);
    const taken = await takeKnowing(this.#parts.port, line, () => tree.take(line), know);
    if (taken === undefined) {
      if (raw.hash !== this.#parts.options.untilHash) return;
    } else if ("upgrade" in taken) await this.#takeUpgrade(taken, raw);
    else await this.#takeStep(taken, raw);
    this.#over = this.#isLast(this.#tree.seq - 1, raw.hash);
  }

  /** From an upgrade's line on, another reasoner folds. */
  async #takeUpgrade(read: TreeUpgrade, raw: RawLine): Promise<void> {
    const { lenient = false } = this.#parts.options;
    const own = codeOf(this.#reasoners, read.upgrade.to, lenient !== false);
    if (read.to === undefined && own !== undefined) this.#from = await this.#contextOfLink();
    this.#tree.upgrade(read, this.#from);
    if (read.to === undefined) return;
    this.#diverged = undefined;
    this.#standAt(raw);
  }

  /** An event's step says what its line says, or is refused. */
  async #takeStep(folded: FoldedStep, raw: RawLine): Promise<void> {
    if (!this.#fits(folded)) {
      // An upgrade may say later what nobody knows from here on.
      this.#diverged ??= folded;
      if (this.#parts.options.lenient !== "requests") await this.#refuseDivergence();
    }
    this.#differed ||= folded.path === ROOT && !folded.replayed.same;
    this.#standAt(raw);
  }

  /** @throws ReckonerError `journal.diverged`, where a step was not what it had to be */
  async #refuseDivergence(): Promise<void> {
    if (this.#diverged === undefined) return;
    const { reasoner, replayed, path } = this.#diverged;
    const linked = this.#from ?? (await this.#contextOfLink());
    throw diverged(await explainDifference(reasoner, this.#parts.port, replayed, linked, path));
  }

  /** Returns true if a step is what its line says, as far as it has to be. */
  #fits({ path, replayed }: FoldedStep): boolean {
    const { lenient } = this.#parts.options;
    if (replayed.same || lenient === true) return true;
    return lenient === "requests" && (path !== ROOT || replayed.sameState);
  }

  /** The newest event or upgrade is that of this line. */
  #standAt({ number, end, hash }: RawLine): void {
    this.#place = { seq: this.#tree.seq - 1, lines: number, bytes: end, hash };
  }

  /** Whether an event is the last that is wanted; an upgrade behind it may be wanted as well. */
  #isLast(seq: number, hash: string): boolean {
    const { until = Number.POSITIVE_INFINITY, untilHash } = this.#parts.options;
    return untilHash === undefined ? seq >= until : hash === untilHash;
  }

  #contextOfLink(): Promise<unknown> {
    const { port, linked } = this.#parts;
    return linked.contextOf(this.#reasoners, port, this.#header as HeaderLine);
  }

  /** The run at the end of its journal, carried over to who goes on with it. */
  async #loaded(): Promise<LoadedRun<Context> | string> {
    const { port, options, linked } = this.#parts;
    const header = this.#header;
    const tree = this.#tree;
    const { root: replay, configuration, lost } = tree;
    if (header === undefined) throw emptyJournal(port);
    if (replay === undefined) return "the journal ends before it";
    await this.#refuseDivergence();
    const { ledger } = replay;
    const last = replay.state as RunState<Context> | undefined;
    if (last === undefined && this.#unknown !== undefined) {
      throw options.upgradeAt === undefined ? this.#unknown : lostBeforeCut(header, this.#unknown);
    }
    const atEnd = { header, configuration, state: last, lost };
    const { reasoner, state, upgrade } = carryOver(this.#reasoners, atEnd, options, port);
    if (state === undefined) this.#from ??= await linked.contextOf([reasoner], port, header);
    const to = state && { state: state as RunState, memory: ledger.memory };
    const code = reasoner as AnyReasoner;
    return {
      reasoner: reasoner as Reasoner<never, unknown, Context>,
      header,
      headerHash: this.#headerHash,
      state,
      from: this.#from,
      recorder: new Recorder(ledger, tree.written, this.#previous, tree.seq),
      tree,
      position: this.#stream.position,
      place: this.#place,
      marked: this.#marked,
      isShort: false,
      upgrades: upgrade === undefined ? [] : tree.carryOver(code, to, upgrade, differs),
      snapshots: [],
      unfit: [],
      rows: this.#rows,
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
