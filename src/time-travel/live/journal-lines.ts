/**
 * Reads single lines of a journal by their numbers, for `Timeline`: one pass hashes all bytes and notes at
 * which byte each line begins and which lines are upgrades. It runs no reasoner.
 */
import {
  type DecodedLine,
  decodeLine,
  type HeaderLine,
  isEventLine,
  isHeaderLine,
  type RecordedLists,
  type Remembered,
  type RunLink,
  UpgradeReader,
} from "../../core/journal/index.js";
import {
  emptyJournal,
  type JournalPort,
  type RawLine,
  takeKnowing,
  viewOf,
} from "../../runtime/index.js";

/** The lines of one journal; a number counts from 0 on. */
export class JournalLines {
  readonly port: JournalPort;
  readonly header: HeaderLine;
  /** Hash of the header's line. */
  readonly hash: string;
  /** Bytes of a last line that was cut off and is left out. */
  readonly torn: number;
  /** The line behind which another run was forked from this one, where there is one. */
  readonly cut: number | undefined;
  /** The byte at which each line begins. */
  readonly #starts: readonly number[];
  /** The numbers of the lines that are upgrades. */
  readonly #upgrades: readonly number[];

  private constructor(
    port: JournalPort,
    first: DecodedLine | undefined,
    found: {
      readonly starts: readonly number[];
      readonly upgrades: readonly number[];
      readonly cut: number | undefined;
      readonly torn: number;
    },
  ) {
    if (first === undefined || !isHeaderLine(first.line)) throw emptyJournal(port);
    this.port = port;
    this.header = first.line;
    this.hash = first.hash;
    this.torn = found.torn;
    this.cut = found.cut;
    this.#starts = found.starts;
    this.#upgrades = found.upgrades;
  }

  /**
   * Reads a journal through.
   * @param until the link that leads here
   * @throws ReckonerError `journal.*` where it cannot be read
   */
  static async read(port: JournalPort, until?: RunLink): Promise<JournalLines> {
    const starts: number[] = [];
    const upgrades: number[] = [];
    let cut: number | undefined;
    const stream = viewOf(port).rawLines(undefined, { isEnough: () => cut !== undefined });
    let first: DecodedLine | undefined;
    for await (const batch of stream.batches()) {
      for (const raw of batch) {
        first ??= lineOf(raw);
        if (raw.hash === until?.hash) cut = starts.length;
        if (raw.startsWith('{"upgrade"')) upgrades.push(starts.length);
        starts.push(raw.start);
      }
    }
    return new JournalLines(port, first, { starts, upgrades, cut, torn: stream.torn });
  }

  /** A line by itself; `undefined` where there is none. */
  async at(index: number): Promise<DecodedLine | undefined> {
    const bytes = this.#starts[index];
    if (bytes === undefined) return undefined;
    const stream = viewOf(this.port).rawLines({ lines: index, bytes });
    for await (const [raw] of stream.batches()) if (raw !== undefined) return lineOf(raw);
    return undefined;
  }

  /** The byte at which a line begins; `undefined` where there is none. */
  startOf(index: number): number | undefined {
    return this.#starts[index];
  }

  /** The sequence number of the last event of its own. */
  async lastEvent(): Promise<number | undefined> {
    for (let index = this.#starts.length - 1; index > 0; index--) {
      const found = await this.at(index);
      if (found !== undefined && isEventLine(found.line)) return found.line.seq;
    }
    return undefined;
  }

  /** Returns true if the run was upgraded. */
  get upgraded(): boolean {
    return this.#upgrades.length > 0;
  }

  /** Returns true if a line is an upgrade. */
  isUpgrade(index: number): boolean {
    return this.#upgrades.includes(index);
  }

  /** The state of a run from an upgrade on: its state stands in the line, and in those right before it. */
  async upgradedAt(index: number): Promise<Remembered | undefined> {
    let first = index;
    for (;;) {
      const before = await this.at(first - 1);
      if (before === undefined || !("more" in before.line)) break;
      first -= 1;
    }
    let recorded: RecordedLists | undefined;
    const reader = new UpgradeReader((run, list) => recorded?.of(run, list));
    let to: Remembered | undefined;
    for (let at = first; at <= index; at++) {
      const line = await this.at(at);
      if (line === undefined) continue;
      const take = () => reader.take(line.line, line.number)?.to;
      to = await takeKnowing(this.port, line, take, (lists) => {
        recorded = lists;
      });
    }
    return to;
  }
}

/** A line by itself: directives that stand in lines before it are not in it. */
function lineOf(raw: RawLine): DecodedLine {
  return decodeLine({ text: raw.text(), number: raw.number, hash: raw.hash });
}
