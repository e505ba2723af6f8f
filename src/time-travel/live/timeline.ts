/**
 * `Timeline`: opens a journal and computes the state of its run after any event, from the nearest snapshot or
 * remembered state. Opening it hashes all bytes once; after that a state costs the events since there.
 */
import {
  checkReasoner,
  type EventPlace,
  forked,
  forkedState,
  type HeaderLine,
  isEventLine,
  isUpgradeLine,
  type JournalMemory,
  LineDecoder,
  listAmong,
  listsIn,
  type RecordedLists,
  Replay,
  ROOT_RUN,
  type RunLink,
  type RunSnapshot,
  replayFrom,
  runOf,
  UpgradeReader,
} from "../../core/journal/index.js";
import type { Reasoner, RunState } from "../../core/kernel/machine/index.js";
import { isReckonerError, ReckonerError } from "../../core/kernel/values/index.js";
import {
  beforeFault,
  checkIsReasoner,
  cutNotFound,
  decoded,
  emptyJournal,
  followLink,
  type JournalPort,
  linkedRuns,
  provenSnapshot,
  readableAt,
  readLinked,
  readSnapshot,
  snapshotsOf,
  type Trail,
  takeKnowing,
  viewOf,
} from "../../runtime/index.js";
import { JournalLines } from "./journal-lines.js";
import { momentOf, passedOf, type TimelineEntry } from "./timeline-entry.js";

/** A state that is known, and where its line ends. */
interface StateAt<Context> extends Omit<EventPlace, "hash"> {
  readonly state: RunState<Context>;
  readonly memory: JournalMemory;
}

/** A state is kept each so many events, and so many moments that were passed last. */
const STRIDE = 64;
const WINDOW = 256;

/** The records of a run, to be stepped through in either direction. */
export class Timeline<Input, Output, Context> {
  readonly header: HeaderLine;
  /** The number of events that the run has taken; those of a fork's past are among them. */
  readonly events: number;
  /** Bytes of a last line that was cut off and is left out. */
  readonly torn: number;
  /** The fault before which the journal's events end, where it has one. */
  readonly fault: ReckonerError | undefined;
  readonly #reasoner: Reasoner<Input, Output, Context>;
  readonly #port: JournalPort;
  readonly #lines: JournalLines;
  readonly #past: Timeline<Input, Output, Context> | undefined;
  readonly #linked: unknown;
  /** Known states in the order of their events. */
  readonly #states: StateAt<Context>[] = [];
  #untried: number[];
  readonly #window = new Map<number, TimelineEntry<Context>>();
  #position = -1;

  private constructor(parts: Opened<Input, Output, Context>) {
    this.#reasoner = parts.reasoner;
    this.#lines = parts.lines;
    this.#port = parts.lines.port;
    this.header = parts.lines.header;
    this.torn = parts.lines.torn;
    this.events = parts.events;
    this.fault = parts.fault;
    this.#past = parts.past;
    this.#linked = parts.linked;
    this.#untried = [...parts.snapshots].sort((a, b) => a - b);
  }

  /**
   * Opens a journal: every byte of it is verified. Of one that has a fault (`fault`) the events before that are there.
   * @throws ReckonerError `journal.*` where it cannot be read or is another reasoner's,
   * `option.invalid`
   */
  static async open<Input, Output, Context>(
    reasoner: Reasoner<Input, Output, Context>,
    journal: string | JournalPort,
  ): Promise<Timeline<Input, Output, Context>> {
    checkIsReasoner(reasoner);
    const port = await readableAt(journal);
    return beforeFault(port, async (part, fault) =>
      Timeline.#open(reasoner, part, new Set(), undefined, fault),
    );
  }

  /** @param until the link that led here */
  static async #open<Input, Output, Context>(
    reasoner: Reasoner<Input, Output, Context>,
    port: JournalPort,
    trail: Trail,
    until?: RunLink,
    fault?: ReckonerError,
  ): Promise<Timeline<Input, Output, Context>> {
    const snapshots = (await snapshotsOf(port)).map(({ seq }) => seq);
    const lines = await JournalLines.read(port, until);
    const { header, hash } = lines;
    checkReasoner([reasoner], header);
    let past: Timeline<Input, Output, Context> | undefined;
    if (header.fork !== undefined) {
      const { fork } = header;
      const other = followLink(port, fork, hash, trail);
      past = await readLinked(port, other.port, () =>
        Timeline.#open(reasoner, other.port, other.trail, fork),
      );
      await past.#checkCut(fork);
    }
    const linked = await linkedRuns.contextOrUndefined(reasoner, port, header, { hash, trail });
    const events = ((await lines.lastEvent()) ?? header.fork?.seq ?? -1) + 1;
    return new Timeline({ reasoner, lines, past, linked, snapshots, events, fault });
  }

  /** The record that was asked for last; -1 before the first. */
  get position(): number {
    return this.#position;
  }

  /** The next record, or `undefined` behind the last. */
  async next(): Promise<TimelineEntry<Context> | undefined> {
    return this.#position + 1 < this.events ? this.at(this.#position + 1) : undefined;
  }

  /** The record before, or `undefined` before the first. */
  async previous(): Promise<TimelineEntry<Context> | undefined> {
    return this.#position > 0 ? this.at(this.#position - 1) : undefined;
  }

  /** A record. @throws ReckonerError `fork.point` where there is none */
  async at(seq: number): Promise<TimelineEntry<Context>> {
    this.#check(seq);
    this.#position = seq;
    const cut = this.header.fork?.seq ?? -1;
    if (seq <= cut) return this.#asOwn(await (this.#past as this).at(seq));
    return this.#window.get(seq) ?? this.#fold(seq);
  }

  /** The state after a record; where a snapshot stands there, nothing is folded. */
  async stateAt(seq: number): Promise<RunState<Context>> {
    this.#check(seq);
    const { fork, runId } = this.header;
    const isCut = fork !== undefined && seq === fork.seq;
    const { state } = isCut ? await (this.#past as this).#atCut(seq) : await this.#stateAt(seq);
    return fork !== undefined && seq <= fork.seq ? forkedState(state, runId) : state;
  }

  #check(seq: number): void {
    if (Number.isSafeInteger(seq) && seq >= 0 && seq < this.events) return;
    // It may stand behind the fault.
    if (this.fault !== undefined && seq >= this.events) throw this.fault;
    const has = this.events === 0 ? "has no events" : `has events 0 to ${this.events - 1}`;
    const message = `The journal ${this.#port.name} ${has}, and no ${seq}.`;
    throw new ReckonerError("fork.point", message, { place: `event ${seq}` });
  }

  #asOwn(moment: TimelineEntry<Context>): TimelineEntry<Context> {
    const { runId } = this.header;
    const { before, state } = moment;
    return {
      ...moment,
      state: forkedState(state, runId),
      before: before === undefined ? undefined : forkedState(before, runId),
    };
  }

  /** @throws ReckonerError `journal.link` where this is not the run that was cut there */
  async #checkCut(link: RunLink): Promise<void> {
    const { seq, runId } = link;
    const { cut } = this.#lines;
    const line = cut === undefined ? undefined : (await this.#lines.at(cut))?.line;
    const isThere =
      line !== undefined && (isEventLine(line) ? line.seq === seq : isUpgradeLine(line));
    const isHere = this.header.runId === runId && seq < this.events && seq >= 0;
    if (!isThere || !isHere) throw cutNotFound(this.#port, link);
  }

  /** The run as it was where another one was forked from it. */
  async #atCut(seq: number): Promise<Pick<StateAt<Context>, "state" | "memory">> {
    const { cut } = this.#lines;
    const upgraded =
      cut === undefined || !this.#lines.isUpgrade(cut)
        ? undefined
        : await this.#lines.upgradedAt(cut);
    if (upgraded === undefined) return this.#stateAt(seq);
    return { state: upgraded.state as RunState<Context>, memory: upgraded.memory };
  }

  async #stateAt(seq: number): Promise<StateAt<Context>> {
    if (seq <= (this.header.fork?.seq ?? -1)) return (this.#past as this).#stateAt(seq);
    const near = await this.#nearest(seq);
    if (near?.seq === seq) return near;
    await this.#fold(seq, true);
    return (await this.#nearest(seq)) as StateAt<Context>;
  }

  /** The last known state at or before a record; absent where there is none. */
  async #nearest(seq: number): Promise<StateAt<Context> | undefined> {
    for (;;) {
      const nearest = this.#states.findLast((each) => each.seq <= seq);
      const snapshot = this.#untried.findLast((each) => each <= seq);
      if (snapshot === undefined || snapshot <= (nearest?.seq ?? -1)) return nearest;
      this.#untried = this.#untried.filter((each) => each !== snapshot);
      const verified = await this.#verified(snapshot);
      if (verified !== undefined) this.#keep(verified);
    }
  }

  /** The state of a snapshot that proves itself by the line at which it stands. */
  async #verified(seq: number): Promise<StateAt<Context> | undefined> {
    const stored = await readSnapshot(this.#port, seq);
    if (typeof stored !== "object") return undefined;
    const { lines, bytes } = stored.claim;
    const line = await this.#lines.at(lines - 1);
    const end = this.#lines.startOf(lines);
    if (line === undefined || (end !== undefined && end !== bytes)) return undefined;
    const snapshot = await provenSnapshot(this.#port, stored, line);
    if (typeof snapshot === "string" || snapshot.place.seq !== seq) return undefined;
    // Behind an upgrade the run is no longer what the event left.
    const event = await this.#lines.at(snapshot.place.lines - 1);
    if (event === undefined || !isEventLine(event.line)) return undefined;
    const [{ state, memory }] = snapshot.runs as readonly [RunSnapshot];
    return { seq, state: state as RunState<Context>, memory, lines, bytes };
  }

  #keep(stateAt: StateAt<Context>): void {
    const at = this.#states.findIndex((each) => each.seq >= stateAt.seq);
    if (at < 0) this.#states.push(stateAt);
    else if (this.#states[at]?.seq !== stateAt.seq) this.#states.splice(at, 0, stateAt);
  }

  #keepAt(
    { number: lines, end: bytes }: { readonly number: number; readonly end: number },
    { seq, state }: Pick<StateAt<Context>, "seq" | "state">,
    { ledger: { memory } }: Replay<Input, Output, Context>,
  ): void {
    this.#keep({ seq, state, memory, lines, bytes });
  }

  /** Folds from the nearest state before a record up to it. @param keep its state, whichever it is */
  async #fold(seq: number, keep = false): Promise<TimelineEntry<Context>> {
    const from = await this.#nearest(seq - 1);
    const replay = await this.#replayFrom(from);
    const stream = viewOf(this.#port).rawLines(from);
    const decoder = new LineDecoder();
    let recorded: RecordedLists | undefined;
    const upgrades = new UpgradeReader((run, list) => {
      const lists = run === ROOT_RUN && replay.state !== undefined ? listsIn(replay.state) : [];
      return listAmong(lists, list) ?? recorded?.of(run, list);
    });
    for await (const batch of stream.batches()) {
      for (const raw of batch) {
        const line = decoded(decoder, raw);
        const take = () => upgrades.take(line.glance ?? line.line, line.number);
        const know = (lists: RecordedLists) => {
          recorded = lists;
        };
        const upgraded = await takeKnowing(this.#port, line, take, know);
        if (upgraded !== undefined) {
          const isOwn = this.#reasoner.version === upgraded.upgrade.to.version;
          replay.upgrade(isOwn ? this.#reasoner : undefined, upgraded.to, undefined);
          continue;
        }
        const own = isEventLine(line.line) ? line.line.seq : -1;
        if (runOf(line) !== ROOT_RUN) {
          // The run itself stands where it stood.
          const passed = passedOf(line.line, replay.state);
          if (passed === undefined) continue;
          this.#pass(passed);
          if (passed.seq !== seq) continue;
          if (keep) this.#keepAt(raw, passed, replay);
          return passed;
        }
        // Code that came to its end sooner takes nothing of what came then.
        if (own >= 0 && hasEnded(replay.state)) {
          if (own >= seq) throw this.#unknown(seq, replay);
          continue;
        }
        // An entry that is not kept needs no comparing.
        const isFar = own >= 0 && own <= seq - WINDOW;
        const replayed = isFar ? undefined : replay.take(line);
        const state = isFar ? replay.pass(line) : replayed?.step.state;
        if (state === undefined) {
          if (own >= seq) throw this.#unknown(seq, replay);
          continue;
        }
        if (own % STRIDE === 0 || (keep && own === seq)) {
          this.#keepAt(raw, { seq: own, state }, replay);
        }
        if (replayed === undefined) continue;
        const moment = momentOf(replayed, own);
        this.#pass(moment);
        if (moment.seq === seq) return moment;
      }
    }
    throw emptyJournal(this.#port);
  }

  /** The error of a state that nobody knows. */
  #unknown(seq: number, { lost, state }: Replay<Input, Output, Context>): ReckonerError {
    const { id } = this.header.reasoner;
    const [code, why] = lost
      ? (["journal.configuration", `the code of ${id}, which took it, was not given`] as const)
      : (["journal.diverged", `the present code ended the run at event ${state?.seq}`] as const);
    const message = `What event ${seq} of the journal ${this.#port.name} led to is not known: ${why}; pass the code that wrote it.`;
    return new ReckonerError(code, message, { place: `event ${seq}` });
  }

  async #replayFrom(from: StateAt<Context> | undefined): Promise<Replay<Input, Output, Context>> {
    if (from !== undefined) return replayFrom(this.#reasoner, from);
    const { header } = this;
    if (header.fork === undefined) {
      return new Replay(this.#reasoner, { header, from: this.#linked });
    }
    try {
      const cut = await (this.#past as this).#atCut(header.fork.seq);
      return replayFrom(this.#reasoner, forked(cut, header.runId));
    } catch (thrown) {
      if (!isUnknown(thrown) || !this.#lines.upgraded) throw thrown;
      // A fork that was upgraded says itself what it is from there on.
      return new Replay<Input, Output, Context>(undefined, { header, from: undefined });
    }
  }

  #pass(moment: TimelineEntry<Context>): void {
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

/** Returns true if an error says that nobody knows what a record came to. */
function isUnknown(thrown: unknown): boolean {
  return isReckonerError(thrown) && /^journal\.(configuration|diverged)$/.test(thrown.code);
}

interface Opened<Input, Output, Context> {
  readonly reasoner: Reasoner<Input, Output, Context>;
  readonly lines: JournalLines;
  readonly events: number;
  readonly past: Timeline<Input, Output, Context> | undefined;
  readonly linked: unknown;
  readonly snapshots: readonly number[];
  readonly fault: ReckonerError | undefined;
}
