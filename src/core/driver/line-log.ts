/** Encodes steps and marks to lines, and keeps where in the journal they are to stand. */
import {
  type BeginRecord,
  type EncodedLine,
  type HeaderLine,
  type JournalMemory,
  type Mark,
  Recorder,
  type SnapshotPlace,
} from "../journal/live.js";
import {
  isList,
  type List,
  type Reasoner,
  type RunEvent,
  type RunState,
  type Step,
  type Usage,
} from "../kernel/index.js";
import type { Path } from "./arrived.js";
import { ROOT } from "./kin.js";
import type { LinesPlace, Newest } from "./owed.js";

/** The place and the recorder that a log goes on from. */
export interface LogOrigin {
  readonly recorder: Recorder;
  readonly position: LinesPlace;
  /** The end of the line of the newest event or upgrade; absent where there is none yet. */
  readonly place: SnapshotPlace | undefined;
  /** The end of the line in which the last List of the root was recorded. */
  readonly listed: SnapshotPlace["listed"];
  /** That line proves the state of the root: a snapshot may stand there. */
  readonly proves: boolean;
}

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
  /** The newest event line: where it ends, and what was remembered at it. */
  #place: SnapshotPlace | undefined;
  #memory: JournalMemory;
  /** The end of the line in which the last List was recorded. */
  #listed: SnapshotPlace["listed"];

  constructor(origin?: LogOrigin) {
    this.#recorder = origin?.recorder ?? new Recorder();
    this.#position = origin?.position ?? { lines: 0, bytes: 0 };
    this.#listed = origin?.listed ?? { lines: 0, bytes: 0 };
    this.#place = origin?.proves === true ? origin.place : undefined;
    this.#memory = this.#recorder.memory;
  }

  /** The usage of model calls and child runs so far. */
  get usage(): Usage {
    return this.#recorder.memory.usage;
  }

  /** Returns the hash of the header's line. */
  header(header: Omit<HeaderLine, "type" | "format">): string {
    const line = this.#recorder.header(header);
    this.#add(line);
    return line.hash;
  }

  /** Lists of a context that the run goes on from are in the journal that its header links to. */
  inherit(context: unknown): void {
    for (const value of Object.values((context ?? {}) as object)) {
      if (isList(value)) this.#recorder.inherit(value as List<never>);
    }
  }

  /** The usage of a run's model calls and of its child runs that are settled. */
  usageOf(run: Path): Usage {
    return this.#recorder.memoryOf(run).usage;
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
    // A snapshot is of the root alone, and stands at an event of its own.
    if (run !== ROOT) {
      this.#place = undefined;
      return seq;
    }
    const { hash } = lines[lines.length - 1] as EncodedLine;
    const { lines: count, bytes } = this.#position;
    if (this.#recorder.written.isAtList) this.#listed = this.#position;
    this.#place = { seq, lines: count, bytes, hash, listed: this.#listed };
    this.#memory = this.#recorder.memory;
    return seq;
  }

  /** Lines of an upgrade: the state is what they say. */
  upgrade(lines: readonly EncodedLine[]): void {
    for (const line of lines) this.#add(line);
    this.#place = undefined;
  }

  mark(mark: Mark, run: Path = ROOT): void {
    this.#add(this.#recorder.mark(mark, run));
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

  /** A state, where it has a place to snapshot it at: that of the newest event. */
  newest<Context>(state: RunState<Context>): Newest<Context> | undefined {
    if (this.#place === undefined) return undefined;
    return { state, place: this.#place, memory: this.#memory };
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
