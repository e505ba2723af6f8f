/**
 * Folds the lines of a journal, one by one, to a driver that goes on with its runs. Reads one journal by
 * itself: it follows no links, and verifies every byte and every step.
 */
import {
  type Configuration,
  chainLine,
  configurationOf,
  type DecodedLine,
  describeDifference,
  differenceOf,
  firstConfiguration,
  firstDifferenceOf,
  type HeaderLine,
  headerIn,
  isOf,
  type Line,
  LineDecoder,
  RecordedValues,
  Recorder,
  Replay,
  type ReplayedStep,
  type SnapshotPlace,
  startOf,
  UpgradeReader,
  WrittenValues,
} from "../journal/index.js";
import { type Reasoner, ReckonerError, type RunEvent, type RunState } from "../kernel/index.js";
import type { InFlight, Path } from "./arrived.js";
import type { AnyReasoner } from "./child.js";
import { Driver } from "./driver.js";
import {
  type FoldedChild,
  FoldedChildren,
  type FoldedRoot,
  type SeenBegin,
  type SeenEvent,
} from "./folded-children.js";
import { ROOT } from "./kin.js";
import { LineLog, utf8Length } from "./line-log.js";
import { outstandingOf, type RunDriver } from "./open.js";
import type { DriverOptions } from "./options.js";

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
   * journal, or its children have journals of their own
   */
  take(line: string): void;
  /**
   * Opens a driver that goes on behind the last line.
   * @param inFlight the attempts that go on, from the driver that wrote the lines; without it an attempt that
   * had begun is one that a crash has cut off
   * @throws ReckonerError `journal.empty`, `journal.configuration`
   */
  driver(inFlight?: InFlight): RunDriver<Context>;
}

/** The lines of one journal so far. */
class Fold<Input, Output, Context> implements JournalFold<Context> {
  readonly #reasoners: readonly Reasoner<Input, Output, Context>[];
  readonly #options: DriverOptions;
  readonly #decoder = new LineDecoder(true);
  readonly #upgrades = new UpgradeReader();
  readonly #written = new WrittenValues();
  readonly #children: FoldedChildren;
  /** The place of the next event among those of the tree. */
  #seq = 0;
  #header: HeaderLine | undefined;
  #configuration: Configuration | undefined;
  #replay: Replay<Input, Output, Context> | undefined;
  #lines = 0;
  #bytes = 0;
  #previous = "";
  #place: SnapshotPlace | undefined;
  #atUpgrade = false;
  #listed: SnapshotPlace["listed"] = { lines: 0, bytes: 0 };

  constructor(reasoners: readonly Reasoner<Input, Output, Context>[], options: DriverOptions) {
    this.#reasoners = reasoners;
    this.#options = options;
    this.#children = new FoldedChildren(options, this.#written);
  }

  get state(): RunState<Context> | undefined {
    return this.#replay?.state;
  }

  get lines(): number {
    return this.#lines;
  }

  take(text: string): void {
    const number = this.#lines + 1;
    const decoded = this.#decoder.decode(chainLine(text, number, this.#previous));
    const header = headerIn(decoded);
    if (header !== undefined) this.#begin(header);
    const bytes = utf8Length(text) + 1;
    this.#lines = number;
    this.#bytes += bytes;
    this.#previous = decoded.hash;
    const seen = decoded.glance ?? decoded.line;
    const path = ("run" in seen ? seen.run : undefined) ?? ROOT;
    // Without the code of its root nobody knows what a child's line follows from.
    if (path !== ROOT && this.#code() === undefined) throw this.#otherCode();
    if ("begin" in seen && seen.begin !== undefined) {
      this.#children.begin(path, seen as SeenBegin, number, this.#root());
    }
    const child = path === ROOT ? undefined : this.#children.at(path, number);
    (child?.written ?? this.#written).observe(steppedLine(decoded), bytes);
    const upgraded = this.#upgrades.take(decoded.line, number);
    if (upgraded !== undefined) {
      this.#configuration = upgraded.upgrade.to;
      this.#replay?.upgrade(this.#code(), upgraded.to, undefined);
      if (upgraded.to !== undefined) this.#children.kin.goOn(upgraded.to.state);
      this.#standAt(upgraded.to !== undefined);
      return;
    }
    if ("mark" in seen && "child" in seen.mark && this.#options.children !== "host") {
      throw new ReckonerError(
        "journal.link",
        "The run's children have journals of their own, which a fold of its lines does not read; go on with it by resume().",
        { place: `line ${number}` },
      );
    }
    if ("event" in seen && !("type" in seen)) this.#takeEvent(decoded, seen, path, child);
    else (child?.replay ?? this.#replay)?.take(decoded);
  }

  #takeEvent(
    decoded: DecodedLine,
    seen: SeenEvent,
    path: Path,
    child: FoldedChild | undefined,
  ): void {
    const { seq } = seen;
    if (seq !== this.#seq) {
      throw new ReckonerError(
        "journal.format",
        `The journal has event ${seq} where ${this.#seq} should be.`,
        { place: `event ${seq}` },
      );
    }
    this.#seq += 1;
    this.#children.check(seen.event, path, decoded.number, this.#root());
    const replayed = (child?.replay ?? this.#replay)?.take(decoded);
    if (replayed === undefined) return;
    const code = (child?.reasoner ?? this.#code()) as Reasoner<never, unknown, never>;
    if (!replayed.same) throw this.#diverged(replayed as ReplayedStep<never>, code);
    this.#children.took(path, replayed.event, replayed.step);
    if (this.#written.isAtList) this.#listed = { lines: this.#lines, bytes: this.#bytes };
    this.#standAt(false);
  }

  #root(): FoldedRoot {
    return {
      header: this.#header as HeaderLine,
      reasoner: this.#code() as unknown as AnyReasoner,
      state: this.#replay?.state as RunState | undefined,
    };
  }

  driver(inFlight?: InFlight): RunDriver<Context> {
    const header = this.#header;
    const replay = this.#replay;
    const reasoner = this.#code();
    if (header === undefined || replay === undefined) throw noHeader();
    if (reasoner === undefined || replay.lost) throw this.#otherCode();
    const { ledger } = replay;
    const recorder = new Recorder(ledger, this.#written, this.#previous, this.#seq);
    const log = new LineLog({
      recorder,
      position: { lines: this.#lines, bytes: this.#bytes },
      place: this.#place,
      atUpgrade: this.#atUpgrade,
    });
    const { seed } = header;
    if (replay.state !== undefined) {
      const source = {
        state: replay.state,
        log,
        seed,
        lost: this.#children.lost,
        tree: { kin: this.#children.kin, children: this.#children.sources(recorder) },
        ...outstandingOf(replay.state, ledger.memory),
        ...(inFlight === undefined ? {} : { inFlight }),
      };
      return new Driver(reasoner, source, this.#options);
    }
    const step = startOf(reasoner, header, undefined);
    const event = { type: "start", at: header.at } as RunEvent;
    const source = { state: step.state, log, seed, start: { event, step } };
    return new Driver(reasoner, source, this.#options);
  }

  #begin(header: HeaderLine): void {
    if (header.fork !== undefined || header.from !== undefined) {
      throw new ReckonerError(
        "journal.link",
        "The journal begins in another one, which a fold of its lines does not read; go on with it by resume().",
        { place: "line 1" },
      );
    }
    this.#header = header;
    this.#configuration = firstConfiguration(header);
    const code = this.#code();
    this.#replay = new Replay(code, { header, from: undefined }, code, false);
  }

  /** The reasoner of the present configuration, where it is at hand. */
  #code(): Reasoner<Input, Output, Context> | undefined {
    const configuration = this.#configuration;
    if (configuration === undefined) return undefined;
    return this.#reasoners.find((each) => isOf(configuration, each));
  }

  #standAt(atUpgrade: boolean): void {
    this.#place = {
      lines: this.#lines,
      bytes: this.#bytes,
      hash: this.#previous,
      listed: this.#listed,
    };
    this.#atUpgrade = atUpgrade;
  }

  #diverged(
    { line, step, proof, before }: ReplayedStep<never>,
    reasoner: Reasoner<never, unknown, never>,
  ): ReckonerError {
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
    return new ReckonerError(
      "journal.diverged",
      `The given reasoner does not do what the journal recorded; go on with the code that wrote it. ${describeDifference(difference)}`,
      { place: `event ${difference.seq}, ${difference.path}` },
    );
  }

  #otherCode(): ReckonerError {
    const [first] = this.#reasoners;
    const configuration = this.#configuration as Configuration;
    const why =
      first === undefined
        ? "no reasoner was given"
        : differenceOf(configuration, configurationOf(first));
    return new ReckonerError(
      "journal.configuration",
      `The journal was written under another configuration: ${why}. Pass the code that wrote it, or upgrade the run with resume().`,
    );
  }
}

/**
 * Returns a line with the very event that its step takes: values of the state that stand in an event are known
 * by their identity.
 */
function steppedLine({ line, glance }: DecodedLine): Line {
  return glance === undefined || !("event" in line) ? line : { ...line, event: glance.event };
}

/**
 * Begins to fold a journal.
 * @param reasoners the code of each configuration that the journal may be of
 */
export function openFold<Input, Output, Context>(
  reasoners: readonly Reasoner<Input, Output, Context>[],
  options: DriverOptions,
): JournalFold<Context> {
  return new Fold(reasoners, options);
}

function noHeader(): ReckonerError {
  return new ReckonerError(
    "journal.empty",
    "The journal has no header, so there is no run to go on with; begin one with openDriver().",
  );
}
