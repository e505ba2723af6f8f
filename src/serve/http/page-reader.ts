/**
 * Reads a run for one request of a page (chat or AG-UI), as fast as the page reads: its lines, as events of a
 * page, and the text that streams in meanwhile.
 */
import { isReckonerError } from "../../core/kernel/values/index.js";
import type { Clock } from "../../runtime/for-hosts.js";
import { parkedFor } from "../mail-content.js";
import type { LiveDelta, PageEvent, PageFold } from "../page/index.js";
import type { RunHost } from "../run-host.js";
import { ReadRun } from "./read-runs.js";
import type { ServedRuns } from "./served.js";

/** Characters of the pieces that wait for a slow reader; what comes behind them is asked for again, or comes with the line. */
const MAX_PIECES = 64 * 1024;
const LOOK_MS = 50;
const MAX_LOOK_MS = 1_000;
/** A run of which nothing comes may be parked, which no line says: its row is looked at, ever more rarely. */
const ROW_MS = 1_000;
const MAX_ROW_MS = 30_000;

/** See the banner. */
export class PageReader {
  readonly #runs: ServedRuns;
  readonly #run: RunHost;
  readonly #id: string;
  readonly #clock: Clock;
  readonly #leave: () => void;
  #read = new ReadRun();
  /** True until it has looked for a run that an earlier request has read. */
  #mayAdopt: boolean;
  #pieces: LiveDelta[] = [];
  #piecesLength = 0;
  #isNews = false;
  #wake: () => void = () => {};
  #wait = LOOK_MS;
  #rowWait = ROW_MS;
  #rowAt = 0;

  /** @param isWhole it reads the run from its beginning, whatever was read before */
  constructor(runs: ServedRuns, id: string, clock: Clock, isWhole = false) {
    this.#mayAdopt = !isWhole;
    this.#runs = runs;
    this.#run = runs.run(id);
    this.#id = id;
    this.#clock = clock;
    // Before the first line is read: nothing is missed between.
    this.#leave = runs.hear?.(id, (delta) => this.#hear(delta)) ?? (() => {});
  }

  #hear(delta: LiveDelta | undefined): void {
    if (delta === undefined) this.#isNews = true;
    else if (this.#piecesLength < MAX_PIECES) {
      this.#pieces.push(delta);
      this.#piecesLength += lengthOf(delta);
    }
    this.#wake();
  }

  /** The number of characters that it holds: of its run, which it has read, and of pieces. */
  get length(): number {
    return this.#read.length + this.#piecesLength;
  }

  get fold(): PageFold {
    return this.#read.fold;
  }

  /** Of the turns before the last it has no events: it is not to read all, or went on behind what a request before has read. */
  isPartial = false;

  /** Stops to read, and leaves what was read to the next request. Nothing of it is read any more. */
  leave(): void {
    this.close();
    if (!this.isRewound) this.#runs.kept?.keep(this.#id, this.#read);
  }

  /** Stops to read. */
  close(): void {
    this.#leave();
    this.#wake();
  }

  /** True where the run went on in another journal since this reader began: what it has is no more so. */
  isRewound = false;

  /** All lines that are there and were not read yet; at first those of the last turn. @throws ReckonerError `run.missing` */
  async read(): Promise<readonly PageEvent[]> {
    if (!this.#mayAdopt) return this.#readOn();
    this.#mayAdopt = false;
    await this.#adopt();
    // Those before are nobody's, and may be many.
    await this.#readOn(() => {});
    this.isPartial = true;
    return this.#read.turn;
  }

  /** @param take of events; default: all are returned */
  async #readOn(take?: (events: readonly PageEvent[]) => void): Promise<readonly PageEvent[]> {
    const events: PageEvent[] = [];
    const own = take ?? ((some: readonly PageEvent[]) => void events.push(...some));
    for (;;) {
      this.#isNews = false;
      const { journal, lines } = await this.#run.lines(this.#read.lines);
      if (this.#read.journal === undefined) {
        this.#read.journal = journal;
        const before = lines[0] === undefined ? [] : await this.#shared(lines[0]);
        own(this.#read.took(before.flatMap((line) => this.fold.take(line))));
      }
      this.isRewound = this.#read.journal !== journal;
      if (this.isRewound || lines.length === 0) return events;
      this.#wait = LOOK_MS;
      this.#rowWait = ROW_MS;
      own(this.#read.take(lines));
    }
  }

  /** Goes on with what an earlier request has read, where the run is still that one. */
  async #adopt(): Promise<void> {
    const kept = this.#runs.kept?.take(this.#id);
    if (kept === undefined) return;
    const { journal, lines } = await this.#run.lines(kept.lines - 1);
    if (journal !== kept.journal || lines[0] !== kept.last) return;
    this.#read = kept;
    kept.take(lines.slice(1));
  }

  async #shared(header: string): Promise<readonly string[]> {
    if (!("fork" in (JSON.parse(header) as object))) return [];
    return (await this.#run.shared?.()) ?? [];
  }

  /** The same, and nothing where the run is not there. */
  async readIfThere(): Promise<readonly PageEvent[]> {
    try {
      return await this.read();
    } catch (thrown) {
      if (isReckonerError(thrown) && thrown.code === "run.missing") return [];
      throw thrown;
    }
  }

  /** The events of what has streamed in. The lines that are there are read: a piece is of what stands in them. */
  live(): readonly PageEvent[] {
    const events = this.#read.took(
      this.#pieces.splice(0).flatMap((delta) => this.fold.live(delta)),
    );
    this.#piecesLength = 0;
    if (this.fold.isLost) this.want();
    return events;
  }

  /** Asks for what streamed in before. */
  want(): void {
    this.#runs.want?.(this.#id);
  }

  /** The reason for which nothing more comes, where the run is parked; to be asked when nothing has come. */
  async parked(): Promise<readonly PageEvent[]> {
    const now = this.#clock.now();
    if (now < this.#rowAt) return [];
    this.#rowAt = now + this.#rowWait;
    this.#rowWait = Math.min(2 * this.#rowWait, MAX_ROW_MS);
    const { parked } = await this.#run.row();
    return parked === undefined ? [] : [{ type: "failed", ...parkedFor(this.#id, parked) }];
  }

  /** Resolves when there may be more, or after a time. */
  news(): Promise<void> {
    if (this.#isNews || this.#pieces.length > 0) return Promise.resolve();
    const ms = this.#runs.hear === undefined ? this.#wait : MAX_LOOK_MS;
    this.#wait = Math.min(2 * this.#wait, MAX_LOOK_MS);
    return new Promise((resolve) => {
      const cancel = this.#clock.setTimer(ms, () => this.#wake());
      this.#wake = () => {
        cancel();
        this.#wake = () => {};
        resolve();
      };
    });
  }
}

function lengthOf(delta: LiveDelta): number {
  return JSON.stringify(delta).length;
}

/** The message of a run that a page wants. */
export type Wanted =
  /** The newest one, from its beginning. @param follows it also waits for what other people decide */
  | { readonly type: "newest"; readonly follows?: boolean }
  /** The one that answers a message of the user. */
  | { readonly type: "answer"; readonly to: string }
  /** One that the page has already. */
  | { readonly type: "message"; readonly id: string };

/**
 * The events of one message, until it is over or waits for people. An empty list says that nothing comes for now.
 * @param read what the reader has read already
 */
export async function* messageEvents(
  reader: PageReader,
  wanted: Wanted,
  read: readonly PageEvent[],
  signal: AbortSignal,
): AsyncGenerator<readonly PageEvent[]> {
  const selected = new Selected(wanted);
  const follows = wanted.type === "newest" && wanted.follows === true;
  let events = selected.take(read);
  reader.want();
  try {
    for (;;) {
      if (events.length > 0) yield events;
      if (selected.isOver || signal.aborted || reader.isRewound) return;
      const waits = follows && reader.fold.message !== undefined;
      if (selected.isFound && !reader.fold.isRunning && !waits) return;
      await reader.news();
      const lines = await reader.read();
      events = selected.take([...lines, ...reader.live()]);
      const parked = events.length > 0 ? [] : await reader.parked();
      if (parked.length > 0) {
        yield parked;
        return;
      }
    }
  } finally {
    reader.leave();
  }
}

/** Takes the events of a run, and lets those of one message through. */
class Selected {
  readonly #wanted: Wanted;
  #isSaid: boolean;
  /** Of what is there at first the newest message is wanted; of what comes, that one to its end, and no newer one. */
  #isFirst = true;
  #isIn = false;
  isOver = false;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
    this.#isSaid = wanted.type !== "answer";
  }

  /** True where the message is under way, or is not there: a run that waits will not begin it. */
  get isFound(): boolean {
    return this.#isSaid;
  }

  take(events: readonly PageEvent[]): readonly PageEvent[] {
    let selected: PageEvent[] = [];
    for (const event of events) {
      const isNewer = event.type === "user" || event.type === "begin";
      if (isNewer && this.#isFirst && this.#wanted.type === "newest") {
        selected = [];
        this.isOver = false;
      }
      if (event.type === "user") {
        this.#isIn = false;
        if (this.#wanted.type === "answer" && event.id === this.#wanted.to) this.#isSaid = true;
      }
      if (event.type === "begin") this.#isIn = this.#begins(event.id);
      if (!this.#isIn || this.isOver) continue;
      selected.push(event);
      this.isOver = event.type === "end";
    }
    this.#isFirst = false;
    return selected;
  }

  #begins(id: string): boolean {
    if (this.isOver) return false;
    return this.#wanted.type === "message" ? id === this.#wanted.id : this.#isSaid;
  }
}
