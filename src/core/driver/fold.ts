/**
 * Folds the lines of a journal, one by one, to a driver that goes on with its runs. Reads one journal by
 * itself: it follows no links, and verifies every byte and every step.
 */
import {
  type Configuration,
  chainLine,
  configurationOf,
  describeDifference,
  differenceOf,
  firstConfiguration,
  firstDifferenceOf,
  type HeaderLine,
  headerIn,
  isOf,
  LineDecoder,
  RecordedValues,
  Recorder,
  Replay,
  type SnapshotPlace,
  startOf,
  UpgradeReader,
} from "../journal/index.js";
import { type Reasoner, ReckonerError, type RunEvent, type RunState } from "../kernel/index.js";
import type { InFlight } from "./arrived.js";
import type { AnyReasoner } from "./child.js";
import { Driver } from "./driver.js";
import { type FoldedRoot, type FoldedStep, FoldedTree } from "./folded-tree.js";
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
   * journal
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
  readonly #decoder = new LineDecoder();
  readonly #upgrades = new UpgradeReader();
  readonly #tree: FoldedTree;
  #header: HeaderLine | undefined;
  #configuration: Configuration | undefined;
  #replay: Replay<Input, Output, Context> | undefined;
  #lines = 0;
  #bytes = 0;
  #previous = "";
  #place: SnapshotPlace | undefined;
  #proves = false;
  #listed: SnapshotPlace["listed"] = { lines: 0, bytes: 0 };

  constructor(reasoners: readonly Reasoner<Input, Output, Context>[], options: DriverOptions) {
    this.#reasoners = reasoners;
    this.#options = options;
    this.#tree = new FoldedTree(options);
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
    const upgraded = this.#upgrades.take(decoded.glance ?? decoded.line, number);
    if (upgraded !== undefined) {
      this.#configuration = upgraded.upgrade.to;
      const code = this.#code();
      this.#replay?.upgrade(code, upgraded.to, undefined);
      this.#tree.upgrade(upgraded, this.#header as HeaderLine, code as AnyReasoner | undefined);
      this.#proves = false;
      return;
    }
    const folded = this.#tree.take(decoded, bytes, this.#root());
    if (folded === undefined) return;
    if (!folded.replayed.same) throw divergedAt(folded);
    this.#proves = folded.path === ROOT;
    if (!this.#proves) return;
    if (this.#tree.written.isAtList) this.#listed = { lines: this.#lines, bytes: this.#bytes };
    this.#standAt(this.#tree.seq - 1);
  }

  #root(): FoldedRoot {
    return {
      header: this.#header as HeaderLine,
      reasoner: this.#code() as AnyReasoner | undefined,
      replay: this.#replay as unknown as FoldedRoot["replay"],
    };
  }

  driver(inFlight?: InFlight): RunDriver<Context> {
    const header = this.#header;
    const replay = this.#replay;
    const reasoner = this.#code();
    if (header === undefined || replay === undefined) throw noHeader();
    if (reasoner === undefined || replay.lost) throw this.#otherCode();
    const { ledger } = replay;
    const tree = this.#tree;
    const recorder = new Recorder(ledger, tree.written, this.#previous, tree.seq);
    const log = new LineLog({
      recorder,
      position: { lines: this.#lines, bytes: this.#bytes },
      place: this.#place,
      listed: this.#listed,
      proves: this.#proves,
    });
    const { seed } = header;
    if (replay.state !== undefined) {
      const source = {
        state: replay.state,
        log,
        seed,
        tree: { kin: tree.kin, children: tree.sources(recorder) },
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
    this.#replay = new Replay(code, { header, from: undefined });
  }

  /** The reasoner of the present configuration, where it is at hand. */
  #code(): Reasoner<Input, Output, Context> | undefined {
    const configuration = this.#configuration;
    if (configuration === undefined) return undefined;
    return this.#reasoners.find((each) => isOf(configuration, each));
  }

  #standAt(seq: number): void {
    this.#place = {
      seq,
      lines: this.#lines,
      bytes: this.#bytes,
      hash: this.#previous,
      listed: this.#listed,
    };
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
