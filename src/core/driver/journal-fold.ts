/**
 * `JournalFold` reads the lines of a journal one by one, verifies every byte and every step, and then opens
 * a driver that continues its runs. It reads one journal by itself and follows no links to others.
 */
import {
  type Configuration,
  chainLine,
  configurationOf,
  type DecodedLine,
  decodeLine,
  describeDifference,
  differenceOf,
  type EventPlace,
  firstDifferenceOf,
  type HeaderLine,
  hashIn,
  headerIn,
  isOf,
  LineDecoder,
  openSnapshot,
  RecordedLists,
  RecordedValues,
  Recorder,
  type Replay,
  type RunUpgrade,
  readSnapshotText,
  snapshotMarkIn,
} from "../journal/index.js";
import { type Reasoner, type RunState, upgradeRefused } from "../kernel/machine/index.js";
import * as shapes from "../kernel/shapes.js";
import { ReckonerError } from "../kernel/values/index.js";
import { checkArgument, checkArguments } from "../kernel/vocabulary/index.js";
import type { InFlight } from "./arrived.js";
import { carriedOver, differs } from "./carry-over.js";
import type { AnyReasoner } from "./child.js";
import { checkDriverOptions, checkInFlight, checkNow } from "./door-shapes.js";
import { Driver } from "./driver.js";
import { type FoldedStep, FoldedTree } from "./folded-tree.js";
import { continuedFrom } from "./going-on.js";
import { utf8Length } from "./line-log.js";
import type { RunDriver } from "./open.js";
import type { DriverOptions } from "./options.js";
import { ROOT } from "./parents-and-children.js";
import type { MarkedPlace } from "./snapshot-due.js";

/** The lines of one journal so far, as their reader sees them. */
export interface JournalFold<Context = unknown> {
  /** The state after the newest line; absent before the start's. */
  readonly state: RunState<Context> | undefined;
  /** The number of lines so far. */
  readonly lines: number;
  /**
   * Takes the next line, without its newline.
   * @throws ReckonerError `journal.format`, `journal.chain`, `journal.hostile`, `journal.diverged`,
   * `journal.configuration` where a child began under another one, `journal.link` where it begins in another
   * journal
   */
  take(line: string): void;
  /**
   * Goes on behind the mark of a snapshot, in place of the lines between the header, which was taken, and it. What
   * stands there is not read: the snapshot and the line have to be the caller's own.
   * @param stored its text, as `Owed.snapshot` had it
   * @param rows the texts of those that it names
   * @param mark the line of its mark
   * @throws ReckonerError `option.invalid`, `journal.format` where the line is not its mark, or the snapshot is
   * none
   */
  skipTo(stored: string, rows: ReadonlyMap<string, string>, mark: string): void;
  /**
   * Goes on under the configuration of the first reasoner, the children too. The lines that say so are the first
   * that the driver owes. Nothing happens where the run is under it, or has ended.
   * @param now the host's clock, in milliseconds since 1970
   * @throws ReckonerError `journal.empty`; `upgrade.refused` where a state cannot be carried over, or the code that
   * wrote what stands behind the last known one is missing; then nothing has changed
   */
  upgrade(now: number): void;
  /**
   * Opens the driver that goes on behind the last line. It goes on with all that was folded, so that a fold opens
   * one and takes no line after.
   * @param inFlight the attempts that go on, from the driver that wrote the lines; without it an attempt that
   * had begun is one that a crash has cut off
   * @throws ReckonerError `option.invalid`, `journal.empty`, `journal.configuration`, `driver.opened` where it
   * has opened one
   */
  driver(inFlight?: InFlight): RunDriver<Context>;
}

const ROWS: shapes.Shape = [(value) => value instanceof Map, "a Map of texts by their names"];
const SKIPPED = { stored: shapes.TEXT, rows: ROWS, mark: shapes.TEXT };

/** The lines of one journal so far. */
class Fold<Input, Output, Context> implements JournalFold<Context> {
  readonly #reasoners: readonly Reasoner<Input, Output, Context>[];
  readonly #options: DriverOptions;
  readonly #decoder = new LineDecoder();
  readonly #tree: FoldedTree;
  #lines = 0;
  #bytes = 0;
  #previous = "";
  #place: EventPlace | undefined;
  #marked: MarkedPlace = { bytes: 0, size: 0 };
  #isOpened = false;
  /** The Lists that the lines hold, where there is no code that takes these. */
  #recorded: RecordedLists | undefined;
  /** The upgrades that no line says yet. */
  #upgrades: readonly RunUpgrade[] = [];

  constructor(reasoners: readonly Reasoner<Input, Output, Context>[], options: DriverOptions) {
    this.#reasoners = reasoners;
    this.#options = options;
    const code = (configuration: Configuration) =>
      reasoners.find((each) => isOf(configuration, each)) as AnyReasoner | undefined;
    this.#tree = new FoldedTree({ redact: options.redact, code });
  }

  get state(): RunState<Context> | undefined {
    return this.#tree.root?.state;
  }

  get lines(): number {
    return this.#lines;
  }

  take(text: string): void {
    checkArgument("fold.take", "line", text, shapes.TEXT);
    if (this.#isOpened) throw opened();
    const number = this.#lines + 1;
    const decoded = this.#decoder.decode(chainLine(text, number, this.#previous));
    const header = headerIn(decoded);
    const bytes = utf8Length(text) + 1;
    const taken = header === undefined ? this.#tree.take(decoded) : this.#begin(header);
    this.#lines = number;
    this.#bytes += bytes;
    this.#previous = decoded.hash;
    const mark = snapshotMarkIn(decoded.glance ?? decoded.line);
    if (mark !== undefined) this.#marked = { bytes: this.#bytes, size: mark.size };
    if (taken !== undefined && "upgrade" in taken) this.#tree.upgrade(taken);
    this.#record(decoded);
    if (taken === undefined) return;
    if ("replayed" in taken && !taken.replayed.same) throw divergedAt(taken);
    const { hash } = decoded;
    this.#place = { seq: this.#tree.seq - 1, lines: this.#lines, bytes: this.#bytes, hash };
  }

  /** Where no code takes the lines, an upgrade refers to Lists that stand in them. */
  #record(decoded: DecodedLine): void {
    if (this.#tree.code !== undefined) this.#recorded = undefined;
    else {
      this.#recorded ??= new RecordedLists();
      this.#tree.know(this.#recorded);
    }
    this.#recorded?.take(decoded);
  }

  skipTo(stored: string, rows: ReadonlyMap<string, string>, mark: string): void {
    checkArguments("fold.skipTo", { stored, rows, mark }, SKIPPED);
    const opened = openSnapshot(stored);
    if (typeof opened === "string") throw noSnapshot(opened);
    const { claim, digest, text } = opened;
    const { line, hash } = decodeLine({ text: mark, number: claim.lines, hash: hashIn(mark, 2) });
    const own = snapshotMarkIn(line);
    if (own?.snapshot !== digest) throw noSnapshot("the line is not its mark");
    const snapshot = readSnapshotText(text, rows);
    if (typeof snapshot === "string") throw noSnapshot(snapshot);
    this.#decoder.skip();
    this.#tree.goOn(this.#tree.header, snapshot);
    this.#place = snapshot.place;
    this.#lines = claim.lines;
    this.#bytes = claim.bytes;
    this.#marked = { bytes: claim.bytes, size: own.size };
    this.#previous = hash;
  }

  upgrade(now: number): void {
    checkNow(now);
    const tree = this.#tree;
    const { configuration, header, root: replay } = tree;
    const [first] = this.#reasoners;
    if (replay === undefined) throw noHeader();
    if (this.#isOpened) throw opened();
    if (first === undefined || isOf(configuration, first)) return;
    if (tree.lost) throw upgradeRefused(LOST);
    const state = replay.state as RunState<Context> | undefined;
    if (state !== undefined && state.status !== "active") return;
    const carried = carriedOver(first, { header, configuration, state }, now);
    const { memory } = replay.ledger;
    const to = carried.state && { state: carried.state as RunState, memory };
    this.#upgrades = tree.carryOver(first as never, to, carried.upgrade, differs);
  }

  driver(inFlight?: InFlight): RunDriver<Context> {
    if (inFlight !== undefined) checkInFlight(inFlight);
    const tree = this.#tree;
    const replay = tree.root as Replay<Input, Output, Context> | undefined;
    const reasoner = tree.code as Reasoner<Input, Output, Context> | undefined;
    if (replay === undefined) throw noHeader();
    if (reasoner === undefined || tree.lost) throw this.#otherCode();
    if (this.#isOpened) throw opened();
    this.#isOpened = true;
    const { header } = tree;
    const { ledger } = replay;
    const recorder = new Recorder(ledger, tree.written, this.#previous, tree.seq);
    const source = continuedFrom(reasoner, {
      header,
      state: replay.state,
      recorder,
      tree,
      upgrades: this.#upgrades,
      position: { lines: this.#lines, bytes: this.#bytes },
      place: this.#place,
      marked: this.#marked,
    });
    const own = inFlight === undefined ? source : { ...source, inFlight };
    return new Driver(reasoner, own, this.#options);
  }

  #begin(header: HeaderLine): undefined {
    if (header.fork !== undefined || header.from !== undefined) {
      throw new ReckonerError(
        "journal.link",
        "The journal begins in another one, which a fold of its lines does not read; go on with it by resume().",
        { place: "line 1" },
      );
    }
    this.#tree.begin(header);
  }

  #otherCode(): ReckonerError {
    const [first] = this.#reasoners;
    const { configuration } = this.#tree;
    const why =
      first === undefined
        ? "no reasoner was given"
        : differenceOf(configuration, configurationOf(first));
    return new ReckonerError(
      "journal.configuration",
      `The journal was written under another configuration: ${why}. Pass the code that wrote it, or upgrade the run: fold.upgrade(now), resume() with upgrade.`,
    );
  }
}

/** Returns the error of a step that is not what its line says. */
function divergedAt({ reasoner, path, replayed }: FoldedStep): ReckonerError {
  const { line, step, proof, before } = replayed;
  const values = RecordedValues.recent();
  const difference = firstDifferenceOf({
    reasoner,
    line,
    step,
    proof,
    before,
    values,
    recorded: values.take(line),
    later: undefined,
  });
  const of = path === ROOT ? "" : ` of ${path}`;
  return new ReckonerError(
    "journal.diverged",
    `The given reasoner does not do what the journal recorded; go on with the code that wrote it. ${describeDifference(difference)}`,
    { place: `event ${difference.seq}${of}, ${difference.path}` },
  );
}

/**
 * Begins to fold a journal.
 * @param reasoners the code of each configuration that the journal may be of
 * @throws ReckonerError `option.invalid`
 */
export function openFold<Input, Output, Context>(
  reasoners: readonly Reasoner<Input, Output, Context>[],
  options: DriverOptions,
): JournalFold<Context> {
  checkArgument("openFold", "reasoners", reasoners, shapes.LIST);
  checkDriverOptions("openFold", options);
  return new Fold(reasoners, options);
}

const LOST =
  "events behind the last known state were taken by code that was not given; pass that code as well, openFold([now, before])";

function opened(): ReckonerError {
  return new ReckonerError(
    "driver.opened",
    "The fold has opened a driver, which goes on with all that was folded; fold the lines anew for another one.",
  );
}

function noSnapshot(why: string): ReckonerError {
  return new ReckonerError("journal.format", `The fold cannot go on at the snapshot: ${why}.`);
}

function noHeader(): ReckonerError {
  return new ReckonerError(
    "journal.empty",
    "The journal has no header, so there is no run to go on with; begin one with openDriver().",
  );
}
