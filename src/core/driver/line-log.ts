/**
 * Encodes steps and marks as lines of the journal, and keeps the place in the journal at which the next lines
 * are to stand.
 */
import {
  type BeginRecord,
  type EncodedLine,
  type EventPlace,
  encodeSnapshot,
  type HeaderLine,
  type JournalMemory,
  Recorder,
  type RunMark,
  type RunSnapshot,
  type Snapshot,
  storedSnapshot,
} from "../journal/for-live-runs.js";
import type { Reasoner, Step } from "../kernel/machine/index.js";
import type { Description, RunEvent, Usage } from "../kernel/vocabulary/index.js";
import type { Path } from "./arrived.js";
import type { DueSnapshot, LinesPlace } from "./owed-by-host.js";
import { ROOT } from "./parents-and-children.js";
import { isSnapshotDue, type MarkedPlace } from "./snapshot-due.js";

/** The place and the recorder that a log goes on from. */
export interface LogOrigin {
  readonly recorder: Recorder;
  readonly position: LinesPlace;
  /** The line of the newest event or upgrade; absent where there is none yet. */
  readonly place: EventPlace | undefined;
  readonly marked: MarkedPlace;
}

/** A run as a snapshot of the tree holds it, but for what its recorder knows. */
export type SnapshotSource = Omit<RunSnapshot, "memory" | "written">;

/** Lines on their way to a journal. */
export interface NewLines {
  readonly lines: readonly string[];
  /** The position that the append expects. */
  readonly at: LinesPlace;
}

/** The lines of one run. */
export class LineLog {
  readonly #recorder: Recorder;
  #position: LinesPlace;
  #lines: string[] = [];
  #bytes = 0;
  #place: EventPlace | undefined;
  #marked: MarkedPlace;

  constructor(origin?: LogOrigin) {
    this.#recorder = origin?.recorder ?? new Recorder();
    this.#position = origin?.position ?? { lines: 0, bytes: 0 };
    this.#place = origin?.place;
    this.#marked = origin?.marked ?? { bytes: 0, size: 0 };
  }

  /** Returns the hash of the header's line. */
  header(header: Omit<HeaderLine, "type" | "format">): string {
    const line = this.#recorder.header(header);
    this.#add(line);
    return line.hash;
  }

  /** Lists of a context that the run goes on from are in the journal that its header links to. */
  inherit(context: unknown): void {
    this.#recorder.inherit(context);
  }

  /** The journal's memory of a run. */
  memoryOf(run: Path): JournalMemory {
    return this.#recorder.memoryOf(run);
  }

  /** The description of the root in words, where anything is said of it. */
  get says(): Description | undefined {
    return this.#recorder.memory.says;
  }

  /** A child run that was cancelled is over: its usage is its parent's. */
  lose(run: Path, usage: Usage): void {
    this.#recorder.lose(run, usage);
  }

  /** A child run begins. */
  begin(run: Path): void {
    this.#recorder.add(run);
  }

  /** A child run is over. */
  drop(run: Path): void {
    this.#recorder.drop(run);
  }

  /**
   * @param starts places of directives that begin with the line: their start marks ride in it
   * @param begin of a child that starts
   * @returns the place among the events of the tree
   */
  event<Input, Output, Context>(
    reasoner: Reasoner<Input, Output, Context>,
    event: RunEvent,
    step: Step<Context>,
    starts: readonly number[],
    run: Path = ROOT,
    begin?: BeginRecord,
  ): number {
    const of = { run, ...(begin === undefined ? {} : { begin }) };
    const lines = this.#recorder.event(reasoner, event, step, starts, of);
    for (const line of lines) this.#add(line);
    const seq = this.#recorder.seq - 1;
    this.#standAt(seq, lines);
    return seq;
  }

  /** Lines of an upgrade: the state is what they say. */
  upgrade(lines: readonly EncodedLine[]): void {
    for (const line of lines) this.#add(line);
    this.#standAt(this.#recorder.seq - 1, lines);
  }

  #standAt(seq: number, lines: readonly EncodedLine[]): void {
    const { hash } = lines[lines.length - 1] as EncodedLine;
    this.#place = { seq, ...this.#position, hash };
  }

  mark(mark: RunMark, run: Path = ROOT): void {
    this.#add(this.#recorder.mark(mark, run));
  }

  /** Returns true if a snapshot is due. @param isRunning false where the tree waits, has ended or was drained */
  isDue(isRunning: boolean): boolean {
    // A fork that has done nothing yet is what it was cut from.
    return (
      this.#place !== undefined && isSnapshotDue(this.#position.bytes, this.#marked, isRunning)
    );
  }

  /**
   * Marks a snapshot of the tree.
   * @param issued the outstanding effects in their order, and their runs
   * @returns nothing where it is longer than a text can be: then its mark is of none that anybody stores
   */
  snapshot(runs: readonly SnapshotSource[], issued: Snapshot["issued"]): DueSnapshot | undefined {
    const place = this.#place as EventPlace;
    const encoded = encodeSnapshot({ place, issued, ...this.#recorder.settle(runs) });
    this.#add(this.#recorder.mark(encoded.mark));
    this.#marked = { bytes: this.#position.bytes, size: encoded.mark.size };
    if (encoded.text === undefined) return undefined;
    const { text, rows } = encoded;
    const [root] = runs as [SnapshotSource];
    const { bytes: behind } = this.#position;
    return { seq: place.seq, text: storedSnapshot(text, this.#position, root.state), behind, rows };
  }

  /** Takes out the lines that were encoded since the last time. */
  take(): NewLines {
    const { lines, bytes } = this.#position;
    const taken = {
      lines: this.#lines,
      at: { lines: lines - this.#lines.length, bytes: bytes - this.#bytes },
    };
    this.#lines = [];
    this.#bytes = 0;
    return taken;
  }

  #add(line: EncodedLine): void {
    const { lines, bytes } = this.#position;
    const more = utf8Length(line.text) + 1;
    this.#position = { lines: lines + 1, bytes: bytes + more };
    this.#lines.push(line.text);
    this.#bytes += more;
  }
}

const beyondAscii = /[^\0-\x7f]/;

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  if (!beyondAscii.test(text)) return text.length;
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    // Two units of a pair are four bytes together; one that stands alone is written as three.
    bytes += code < 0x800 ? 1 : 2;
    if (code >= 0xd800 && code < 0xdc00 && isLow(text.charCodeAt(i + 1))) i += 1;
  }
  return bytes;
}

const isLow = (code: number) => code >= 0xdc00 && code < 0xe000;
