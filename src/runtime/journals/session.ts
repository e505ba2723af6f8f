/**
 * A journal that is being written: lines are appended in the order in which they were encoded, and
 * snapshots are saved beside it.
 */
import {
  type EncodedLine,
  type HeaderLine,
  type JournalMemory,
  type Mark,
  Recorder,
  type SnapshotPlace,
} from "../../core/journal/live.js";
import {
  isList,
  isThenable,
  type List,
  type Reasoner,
  type ReckonerError,
  type RunEvent,
  type RunState,
  type Step,
  type Usage,
} from "../../core/kernel/index.js";
import type { JournalPort, JournalPosition, JournalWriter } from "../ports.js";
import { portFailure } from "./port-calls.js";
import { SnapshotKeeper } from "./snapshot-keeper.js";

/** Where a session goes on from. */
export interface SessionOrigin {
  readonly recorder: Recorder;
  readonly position: JournalPosition;
  /** Where the newest event's line ends; absent where there is none yet. */
  readonly place: SnapshotPlace | undefined;
  /** The state is that of an upgrade: no snapshot stands there before the next event. */
  readonly atUpgrade: boolean;
  readonly snapshots: ConstructorParameters<typeof SnapshotKeeper>[1];
  /** Snapshots that are none, by their events. */
  readonly unfit: readonly number[];
}

/** A journal's writing end. */
export class JournalSession {
  readonly #port: JournalPort;
  readonly #writer: JournalWriter;
  readonly #recorder: Recorder;
  readonly #keeper: SnapshotKeeper;
  #position: JournalPosition;
  /** Lines encoded and not yet handed to the writer. */
  #lines: string[] = [];
  #linesBytes = 0;
  /** The newest event line: where it ends, and what was remembered at it. */
  #place: SnapshotPlace | undefined;
  #memory: JournalMemory;
  /** Where the line ends in which the last List was recorded. */
  #listed: SnapshotPlace["listed"];
  #failure: ReckonerError | undefined;
  /** The newest write, where it is waited for. */
  #writing: Promise<void> | undefined;

  constructor(port: JournalPort, writer: JournalWriter, origin?: SessionOrigin) {
    this.#port = port;
    this.#writer = writer;
    this.#recorder = origin?.recorder ?? new Recorder();
    this.#position = origin?.position ?? { lines: 0, bytes: 0 };
    this.#listed = origin?.place?.listed ?? { lines: 0, bytes: 0 };
    this.#place = origin?.atUpgrade === true ? undefined : origin?.place;
    this.#memory = this.#recorder.memory;
    this.#keeper = new SnapshotKeeper(port.snapshots, origin?.snapshots ?? [], origin?.unfit ?? []);
  }

  /** @returns the hash of the header's line */
  header(header: Omit<HeaderLine, "type" | "format">): string {
    const line = this.#recorder.header(header);
    this.#add(line);
    return line.hash;
  }

  /** What model calls and child runs have cost so far. */
  get usage(): Usage {
    return this.#recorder.memory.usage;
  }

  /** Lists of a context that the run goes on from are in the journal that its header links to. */
  inherit(context: unknown): void {
    for (const value of Object.values((context ?? {}) as object)) {
      if (isList(value)) this.#recorder.inherit(value as List<never>);
    }
  }

  /** @param starts places of tools that start at once: their first start marks ride in the line */
  event<Input, Output, Context>(
    reasoner: Reasoner<Input, Output, Context>,
    event: RunEvent,
    step: Step<Context>,
    starts: readonly number[],
  ): void {
    const lines = this.#recorder.event(reasoner, event, step, starts);
    for (const line of lines) this.#add(line);
    const { hash } = lines[lines.length - 1] as EncodedLine;
    const at = this.#position;
    if (this.#recorder.written.isAtList) this.#listed = at;
    this.#place = { lines: at.lines, bytes: at.bytes, hash, listed: this.#listed };
    this.#memory = this.#recorder.memory;
  }

  mark(mark: Mark): void {
    this.#add(this.#recorder.mark(mark));
  }

  #add(line: EncodedLine): void {
    const { lines, bytes } = this.#position;
    const more = utf8Length(line.text) + 1;
    this.#position = { lines: lines + 1, bytes: bytes + more };
    this.#lines.push(line.text);
    this.#linesBytes += more;
  }

  /** Resolves when all lines so far are durable; `undefined` where they are so at once. */
  flush(): Promise<void> | undefined {
    const lines = this.#lines;
    if (lines.length === 0) {
      // Another flush has written them already.
      if (this.#failure !== undefined) throw this.#failure;
      return this.#writing;
    }
    this.#lines = [];
    const expected = {
      lines: this.#position.lines - lines.length,
      bytes: this.#position.bytes - this.#linesBytes,
    };
    this.#linesBytes = 0;
    const before = this.#writing;
    try {
      const appended: unknown = this.#writer.append(lines, expected);
      // Whatever can be waited for is: some libraries' answers are no promises by class.
      this.#writing = isThenable(appended)
        ? Promise.resolve(appended as Promise<void>).catch((thrown) => this.#fail(thrown, before))
        : undefined;
    } catch (thrown) {
      this.#writing = this.#fail(thrown, before);
    }
    return this.#writing;
  }

  /**
   * What was to follow fails too, for lack of what came before: the first failure says why.
   * @param before the write before this one, which may be under way still
   */
  async #fail(thrown: unknown, before: Promise<void> | undefined): Promise<never> {
    await before?.catch(() => {});
    this.#failure ??= portFailure("journal.write", this.#port, "could not be written", thrown);
    throw this.#failure;
  }

  /** Leaves a snapshot where it is time for one. Call it when the state's lines are durable. */
  offerSnapshot(state: RunState): void {
    if (this.#place === undefined) return;
    this.#keeper.offer({ state, place: this.#place, memory: this.#memory });
  }

  /** Leaves a snapshot of a run that rests or has ended. Call it when the state's lines are durable. */
  leaveSnapshot(state: RunState): void {
    if (this.#place === undefined) return;
    this.#keeper.leave({ state, place: this.#place, memory: this.#memory });
  }

  /** Resolves when no snapshot is being written any more. */
  settled(): Promise<void> {
    return this.#keeper.settled();
  }
}

const encoder = new TextEncoder();
const { Buffer } = globalThis as { Buffer?: { byteLength(text: string): number } };
const beyondAscii = /[^\0-\x7f]/;

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  if (Buffer !== undefined) return Buffer.byteLength(text);
  return beyondAscii.test(text) ? encoder.encode(text).length : text.length;
}
