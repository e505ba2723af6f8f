/**
 * A run's timeline: its state at any record, from the nearest state that is known. Opening one hashes
 * every byte once; after that a record costs the events since the last snapshot, or since a state that
 * was passed on the way, so that stepping to and fro costs next to nothing.
 */
import {
  type Configuration,
  checkReasoner,
  type DecodedLine,
  decodeLine,
  firstConfiguration,
  type HeaderLine,
  isEventLine,
  isHeaderLine,
  isUpgradeLine,
  type JournalMemory,
  LineDecoder,
  Replay,
  type ReplayedStep,
  reasonerOf,
} from "../../core/journal/index.js";
import {
  type Directive,
  type Ignored,
  type Reasoner,
  ReckonerError,
  type RunEvent,
  type RunState,
} from "../../core/kernel/index.js";
import { cutNotFound, followLink, readLinked, type Trail } from "../journals/history.js";
import { journalAt } from "../journals/journal-place.js";
import { LineStream, type RawLine } from "../journals/line-stream.js";
import { forkedState } from "../journals/linked-runs.js";
import { linkedRuns } from "../journals/load.js";
import { decoded, emptyJournal } from "../journals/read-journal.js";
import { readSnapshot, snapshotsOf, unfit } from "../journals/snapshots.js";
import type { JournalPort } from "../ports.js";

/** One record of a run. */
export interface Moment<Context> {
  readonly seq: number;
  readonly event: RunEvent;
  /** The state after it. */
  readonly state: RunState<Context>;
  /** The state before it; absent at the start. */
  readonly before: RunState<Context> | undefined;
  readonly directives: readonly Directive[];
  readonly ignored?: Ignored;
  /** Whether the code at hand does what was recorded. */
  readonly same: boolean;
}

/** A state that is known, and where its line ends. */
interface Known<Context> {
  readonly seq: number;
  readonly state: RunState<Context>;
  readonly memory: JournalMemory;
  readonly lines: number;
  readonly bytes: number;
}

/** A state is kept each so many events, and so many moments that were passed last. */
const STRIDE = 64;
const WINDOW = 256;

/** The records of a run, to be stepped through in either direction. */
export class Timeline<Input, Output, Context> {
  readonly header: HeaderLine;
  /** How many events the run has taken; those of a fork's past are among them. */
  readonly events: number;
  /** Bytes of a last line that was cut off and is left out. */
  readonly torn: number;
  readonly #reasoner: Reasoner<Input, Output, Context>;
  readonly #port: JournalPort;
  /** The byte at which each line begins. */
  readonly #starts: readonly number[];
  /** Which of the lines are upgrades. */
  readonly #upgrades: readonly number[];
  readonly #past: Timeline<Input, Output, Context> | undefined;
  readonly #linked: unknown;
  /** Known states in the order of their events. */
  readonly #known: Known<Context>[] = [];
  #untried: number[];
  readonly #window = new Map<number, Moment<Context>>();
  #position = -1;

  private constructor(parts: Opened<Input, Output, Context>) {
    this.#reasoner = parts.reasoner;
    this.#port = parts.port;
    this.header = parts.header;
    this.events = parts.events;
    this.torn = parts.torn;
    this.#starts = parts.starts;
    this.#upgrades = parts.upgrades;
    this.#past = parts.past;
    this.#linked = parts.linked;
    this.#untried = [...parts.snapshots].sort((a, b) => a - b);
  }

  /**
   * Opens a journal: every byte of it is verified.
   * @throws ReckonerError `journal.*` where it cannot be read or is another reasoner's
   */
  static async open<Input, Output, Context>(
    reasoner: Reasoner<Input, Output, Context>,
    journal: string | JournalPort,
  ): Promise<Timeline<Input, Output, Context>> {
    return Timeline.#open(reasoner, await journalAt(journal), new Set());
  }

  static async #open<Input, Output, Context>(
    root: Reasoner<Input, Output, Context>,
    port: JournalPort,
    trail: Trail,
  ): Promise<Timeline<Input, Output, Context>> {
    const snapshots = (await snapshotsOf(port)).map(({ seq }) => seq);
    const stream = new LineStream(port);
    const starts: number[] = [];
    const upgrades: number[] = [];
    let first: DecodedLine | undefined;
    for await (const batch of stream.batches()) {
      for (const raw of batch) {
        first ??= lineOf(raw);
        if (raw.startsWith('{"upgrade"')) upgrades.push(starts.length);
        starts.push(raw.start);
      }
    }
    if (first === undefined || !isHeaderLine(first.line)) throw emptyJournal(port);
    const header = first.line;
    const reasoner = reasonerOf(root, header);
    checkReasoner([reasoner], header);
    let past: Timeline<Input, Output, Context> | undefined;
    if (header.fork !== undefined) {
      const other = followLink(port, header.fork, first.hash, trail);
      past = await readLinked(port, other.port, () =>
        Timeline.#open(reasoner, other.port, other.trail),
      );
      await past.#checkCut(header.fork);
    }
    const linked = await linkedRuns.contextOf(reasoner, port, header, { hash: first.hash, trail });
    const events = (await lastEvent(port, starts)) ?? header.fork?.seq ?? -1;
    const { torn } = stream;
    return new Timeline({
      reasoner,
      port,
      header,
      starts,
      upgrades,
      past,
      linked,
      snapshots,
      torn,
      events: events + 1,
    });
  }

  /** The record that was asked for last; -1 before the first. */
  get position(): number {
    return this.#position;
  }

  /** The next record, or `undefined` behind the last. */
  async next(): Promise<Moment<Context> | undefined> {
    return this.#position + 1 < this.events ? this.at(this.#position + 1) : undefined;
  }

  /** The record before, or `undefined` before the first. */
  async previous(): Promise<Moment<Context> | undefined> {
    return this.#position > 0 ? this.at(this.#position - 1) : undefined;
  }

  /** A record. @throws ReckonerError `fork.point` where there is none */
  async at(seq: number): Promise<Moment<Context>> {
    this.#check(seq);
    this.#position = seq;
    const cut = this.header.fork?.seq ?? -1;
    if (seq <= cut) return this.#asOwn(await (this.#past as this).at(seq));
    return this.#window.get(seq) ?? this.#fold(seq);
  }

  /** The state after a record; where a snapshot stands there, nothing is folded. */
  async stateAt(seq: number): Promise<RunState<Context>> {
    this.#check(seq);
    const { state } = await this.#knownAt(seq);
    const { fork, runId } = this.header;
    return fork !== undefined && seq <= fork.seq ? forkedState(state, runId) : state;
  }

  #check(seq: number): void {
    if (Number.isSafeInteger(seq) && seq >= 0 && seq < this.events) return;
    const has = this.events === 0 ? "has no events" : `has events 0 to ${this.events - 1}`;
    const message = `The journal ${this.#port.name} ${has}, and no ${seq}.`;
    throw new ReckonerError("fork.point", message, { place: `event ${seq}` });
  }

  #asOwn(moment: Moment<Context>): Moment<Context> {
    const { runId } = this.header;
    const { before, state } = moment;
    return {
      ...moment,
      state: forkedState(state, runId),
      before: before === undefined ? undefined : forkedState(before, runId),
    };
  }

  async #checkCut({ seq, hash, runId }: NonNullable<HeaderLine["fork"]>): Promise<void> {
    const link = { seq, hash, runId, journal: this.#port.name };
    if (this.header.runId !== runId || seq >= this.events || seq < 0) {
      throw cutNotFound(this.#port, link);
    }
    const { lines } = await this.#knownAt(seq);
    const line = await lineAt(this.#port, this.#starts, lines - 1);
    if (line?.hash !== hash) throw cutNotFound(this.#port, link);
  }

  async #knownAt(seq: number): Promise<Known<Context>> {
    if (seq <= (this.header.fork?.seq ?? -1)) return (this.#past as this).#knownAt(seq);
    const near = await this.#nearest(seq);
    if (near?.seq === seq) return near;
    await this.#fold(seq, true);
    return (await this.#nearest(seq)) as Known<Context>;
  }

  /** The last known state at or before a record; absent where there is none. */
  async #nearest(seq: number): Promise<Known<Context> | undefined> {
    for (;;) {
      const known = this.#known.findLast((each) => each.seq <= seq);
      const snapshot = this.#untried.findLast((each) => each <= seq);
      if (snapshot === undefined || snapshot <= (known?.seq ?? -1)) return known;
      this.#untried = this.#untried.filter((each) => each !== snapshot);
      const verified = await this.#verified(snapshot);
      if (verified !== undefined) this.#keep(verified);
    }
  }

  /** The state of a snapshot that proves itself by the line at which it stands. */
  async #verified(seq: number): Promise<Known<Context> | undefined> {
    const snapshot = await readSnapshot(this.#port, seq);
    if (typeof snapshot !== "object") return undefined;
    const { place, memory, state } = snapshot;
    const line = await lineAt(this.#port, this.#starts, place.lines - 1);
    const end = this.#starts[place.lines];
    if (line === undefined || (end !== undefined && end !== place.bytes)) return undefined;
    const configuration = await this.#configurationAt(place.lines);
    if (unfit(snapshot, line, this.header, configuration) !== undefined) return undefined;
    const { lines, bytes } = place;
    return { seq, state: state as RunState<Context>, memory, lines, bytes };
  }

  /** The configuration behind so many lines. */
  async #configurationAt(lines: number): Promise<Configuration> {
    const index = this.#upgrades.findLast((each) => each < lines);
    const found = index === undefined ? undefined : await lineAt(this.#port, this.#starts, index);
    if (found === undefined || !isUpgradeLine(found.line)) return firstConfiguration(this.header);
    return found.line.upgrade.to;
  }

  #keep(known: Known<Context>): void {
    const at = this.#known.findIndex((each) => each.seq >= known.seq);
    if (at < 0) this.#known.push(known);
    else if (this.#known[at]?.seq !== known.seq) this.#known.splice(at, 0, known);
  }

  /** Folds from the nearest state before a record up to it. @param keep its state, whichever it is */
  async #fold(seq: number, keep = false): Promise<Moment<Context>> {
    const from = await this.#nearest(seq - 1);
    const replay = await this.#replayFrom(from);
    const stream = new LineStream(this.#port, from);
    const decoder = new LineDecoder();
    for await (const batch of stream.batches()) {
      for (const raw of batch) {
        const line = decoded(decoder, raw);
        const own = isEventLine(line.line) ? line.line.seq : -1;
        // Code that came to its end sooner takes nothing of what came then.
        if (own >= 0 && hasEnded(replay.state)) {
          if (own >= seq) throw this.#unknown(seq, replay);
          continue;
        }
        // What is not going to be kept as a moment needs no comparing.
        const isFar = own >= 0 && own <= seq - WINDOW;
        const replayed = isFar ? undefined : replay.take(line);
        const state = isFar ? replay.pass(line) : replayed?.step.state;
        if (state === undefined) {
          if (own >= seq) throw this.#unknown(seq, replay);
          continue;
        }
        if (state.seq % STRIDE === 0 || (keep && state.seq === seq)) {
          const { memory } = replay.ledger;
          this.#keep({ seq: state.seq, state, memory, lines: raw.number, bytes: raw.end });
        }
        if (replayed === undefined) continue;
        const moment = momentOf(replayed);
        this.#pass(moment);
        if (moment.seq === seq) return moment;
      }
    }
    throw emptyJournal(this.#port);
  }

  /** Why nobody knows what a record came to. */
  #unknown(seq: number, { lost, state }: Replay<Input, Output, Context>): ReckonerError {
    const { id } = this.header.reasoner;
    const [code, why] = lost
      ? (["journal.configuration", `code of ${id} took it that is not at hand`] as const)
      : (["journal.diverged", `the code at hand ended the run at event ${state?.seq}`] as const);
    const message = `What event ${seq} of the journal ${this.#port.name} came to is not known: ${why}; pass the code that wrote it.`;
    return new ReckonerError(code, message, { place: `event ${seq}` });
  }

  async #replayFrom(from: Known<Context> | undefined): Promise<Replay<Input, Output, Context>> {
    if (from !== undefined) {
      // Behind an upgrade code of another version takes nothing, wherever the way begins.
      const upgraded = this.#upgrades.some((each) => each < from.lines);
      const isOther = upgraded && from.state.version !== this.#reasoner.version;
      return new Replay(isOther ? undefined : this.#reasoner, from);
    }
    const { header } = this;
    if (header.fork === undefined) {
      return new Replay(this.#reasoner, { header, from: this.#linked });
    }
    const { state, memory } = await (this.#past as this).#knownAt(header.fork.seq);
    return new Replay(this.#reasoner, { state: forkedState(state, header.runId), memory });
  }

  #pass(moment: Moment<Context>): void {
    this.#window.delete(moment.seq);
    this.#window.set(moment.seq, moment);
    if (this.#window.size <= WINDOW) return;
    const [oldest] = this.#window.keys();
    this.#window.delete(oldest as number);
  }
}

function hasEnded(state: RunState | undefined): boolean {
  return state !== undefined && state.status !== "active";
}

interface Opened<Input, Output, Context> {
  readonly reasoner: Reasoner<Input, Output, Context>;
  readonly port: JournalPort;
  readonly header: HeaderLine;
  readonly events: number;
  readonly torn: number;
  readonly starts: readonly number[];
  readonly upgrades: readonly number[];
  readonly past: Timeline<Input, Output, Context> | undefined;
  readonly linked: unknown;
  readonly snapshots: readonly number[];
}

function momentOf<Context>(replayed: ReplayedStep<Context>): Moment<Context> {
  const { event, step, before, same } = replayed;
  const { state, directives, ignored } = step;
  return {
    seq: state.seq,
    event,
    state,
    before,
    directives,
    same,
    ...(ignored === undefined ? {} : { ignored }),
  };
}

/** A line by itself: directives that stand in lines before it are not in it. */
function lineOf(raw: RawLine): DecodedLine {
  return decodeLine({ text: raw.text(), number: raw.number, hash: raw.hash });
}

/** A line by its number from 0 on; `undefined` where there is none. */
async function lineAt(
  port: JournalPort,
  starts: readonly number[],
  index: number,
): Promise<DecodedLine | undefined> {
  const bytes = starts[index];
  if (bytes === undefined) return undefined;
  const stream = new LineStream(port, { lines: index, bytes });
  for await (const [raw] of stream.batches()) if (raw !== undefined) return lineOf(raw);
  return undefined;
}

/** The sequence number of the last event of a journal's own. */
async function lastEvent(
  port: JournalPort,
  starts: readonly number[],
): Promise<number | undefined> {
  for (let index = starts.length - 1; index > 0; index--) {
    const found = await lineAt(port, starts, index);
    if (found !== undefined && isEventLine(found.line)) return found.line.seq;
  }
  return undefined;
}
