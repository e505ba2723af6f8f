/**
 * A journal being written: lines go out in the order in which they were encoded, and a snapshot is
 * left beside it when the lines since the last one have outgrown it.
 */
import {
  type EncodedLine,
  type HeaderLine,
  Recorder,
  type RecorderState,
  type StartMark,
} from "../core/journal/index.js";
import {
  isReckonerError,
  messageOf,
  type Reasoner,
  ReckonerError,
  type RunEvent,
  type RunState,
  type Step,
  sha256,
} from "../core/kernel/index.js";
import type { JournalPort, JournalPosition, JournalWriter } from "./ports.js";

/** Below this many bytes of lines no snapshot is worth its write. */
const SNAPSHOT_FLOOR = 64 * 1024;
const SNAPSHOT_FORMAT = "reckoner-snapshot/1";

/** What of a run's header the headers of its children are made of. */
export type RunOrigin = Pick<HeaderLine, "config" | "seed" | "parent">;

/** What a snapshot holds beside the state: enough to read on and to write on from it. */
export interface Snapshot {
  readonly format: string;
  readonly fingerprint: string;
  /** Where the line begins whose event led to the state, and the hash of the line before it. */
  readonly anchor: JournalPosition;
  readonly anchorPrevious: string;
  readonly recorder: RecorderState;
  /** What of the header children's headers are made of. */
  readonly origin: RunOrigin;
  /** How many attempts of each outstanding tool have begun. */
  readonly attempts: { readonly [id: string]: number };
  readonly state: RunState;
}

/** How long ago the last snapshot was: bytes of lines since, and its own size. */
export interface SnapshotAge {
  readonly since: number;
  readonly size: number;
}

/** A journal's writing end. */
export class JournalSession {
  readonly #port: JournalPort;
  readonly #writer: JournalWriter;
  readonly #recorder: Recorder;
  readonly #origin: RunOrigin;
  #position: JournalPosition;
  /** Lines encoded and not yet handed to the writer. */
  #lines: string[] = [];
  #linesBytes = 0;
  /** Where the newest event line begins, and the hash of the line before it. */
  #anchor: { readonly position: JournalPosition; readonly previous: string };
  #sinceSnapshot: number;
  #snapshotSize: number;
  #pending: Promise<unknown> = Promise.resolve();
  #failure: ReckonerError | undefined;

  constructor(
    port: JournalPort,
    writer: JournalWriter,
    recorder: Recorder = new Recorder(),
    position: JournalPosition = { lines: 0, bytes: 0 },
    origin: RunOrigin = {},
    age: SnapshotAge = { since: 0, size: 0 },
  ) {
    this.#origin = origin;
    this.#port = port;
    this.#writer = writer;
    this.#recorder = recorder;
    this.#position = position;
    this.#anchor = { position, previous: "" };
    this.#sinceSnapshot = age.since;
    this.#snapshotSize = Math.max(SNAPSHOT_FLOOR, age.size);
  }

  header(header: Omit<HeaderLine, "type" | "format">): void {
    this.#add(this.#recorder.header(header));
  }

  event<Input, Output, Context>(
    reasoner: Reasoner<Input, Output, Context>,
    event: RunEvent,
    step: Step<Context>,
    starts: readonly StartMark[],
  ): void {
    this.#anchor = { position: this.#position, previous: this.#recorder.state.previous };
    this.#add(this.#recorder.event(reasoner, event, step, starts));
  }

  mark(mark: StartMark): void {
    this.#add(this.#recorder.mark(mark));
  }

  #add(line: EncodedLine): void {
    const { lines, bytes } = this.#position;
    const more = utf8Length(line.text) + 1;
    this.#position = { lines: lines + 1, bytes: bytes + more };
    this.#sinceSnapshot += more;
    this.#lines.push(line.text);
    this.#linesBytes += more;
  }

  /** Resolves when all lines so far are durable. */
  async flush(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    const expected = {
      lines: this.#position.lines - lines.length,
      bytes: this.#position.bytes - this.#linesBytes,
    };
    this.#linesBytes = 0;
    try {
      await this.#writer.append(lines, expected);
    } catch (thrown) {
      // What was to follow fails too, for lack of what came before: the first failure says why.
      this.#failure ??= isReckonerError(thrown)
        ? thrown
        : new ReckonerError(
            "journal.write",
            `The journal ${this.#port.name} could not be written: ${messageOf(thrown)}.`,
            { cause: thrown },
          );
      throw this.#failure;
    }
  }

  /** Leaves a snapshot where it is time for one. Call it when the state's lines are durable. */
  offerSnapshot(state: RunState, fingerprint: string, attempts: ReadonlyMap<string, number>): void {
    const store = this.#port.snapshot;
    if (store === undefined || this.#sinceSnapshot <= this.#snapshotSize) return;
    const snapshot: Snapshot = {
      format: SNAPSHOT_FORMAT,
      fingerprint,
      anchor: this.#anchor.position,
      anchorPrevious: this.#anchor.previous,
      recorder: this.#recorder.state,
      origin: this.#origin,
      attempts: Object.fromEntries(attempts),
      state,
    };
    const body = JSON.stringify(snapshot);
    this.#snapshotSize = Math.max(SNAPSHOT_FLOOR, body.length);
    this.#sinceSnapshot = 0;
    // A snapshot that cannot be written costs time at the next resume, and nothing else.
    this.#pending = this.#pending
      .then(() => store.write(`${sha256(body)}\n${body}`))
      .catch(() => {});
  }

  async close(): Promise<void> {
    await this.#pending;
    await this.#writer.close();
  }
}

/** The snapshot in a side file, or `undefined` where it is missing, changed or of another format. */
export function decodeSnapshot(text: string | undefined): Snapshot | undefined {
  if (text === undefined) return undefined;
  const at = text.indexOf("\n");
  const body = text.slice(at + 1);
  if (at < 0 || sha256(body) !== text.slice(0, at)) return undefined;
  try {
    const snapshot = JSON.parse(body) as Snapshot | null;
    return snapshot?.format === SNAPSHOT_FORMAT ? snapshot : undefined;
  } catch {
    return undefined;
  }
}

const encoder = new TextEncoder();
const beyondAscii = /[^\0-\x7f]/;

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return beyondAscii.test(text) ? encoder.encode(text).length : text.length;
}
