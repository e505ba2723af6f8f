/**
 * The trace of one journal, updated as it grows: each line is read once. A journal that was
 * replaced is read again.
 */
import { LineDecoder, type RunLink } from "../../core/journal/index.js";
import { isReckonerError, type ReckonerError } from "../../core/kernel/index.js";
import { RunTrace, type RunTraceOptions } from "../../core/trace/index.js";
import { readAround } from "../journals/history.js";
import type { ReadPosition } from "../journals/line-stream.js";
import { decoded } from "../journals/read-journal.js";
import { viewOf } from "../journals/view.js";
import type { JournalPort } from "../ports.js";
import type { IndexedRun } from "./index-file.js";

/** Follows one journal. */
export class JournalTrail {
  readonly port: JournalPort;
  readonly #options: RunTraceOptions;
  #trace: RunTrace;
  #decoder = new LineDecoder();
  #position: ReadPosition | undefined;
  #alien: ReckonerError | undefined;
  /** Hash of the header's line; known as soon as the header is. */
  #hash: string | undefined;

  constructor(port: JournalPort, options: RunTraceOptions = {}) {
    this.port = port;
    this.#options = options;
    this.#trace = new RunTrace(options);
  }

  /** What is wrong with the journal from which this one was forked, where another run's stands there. */
  get alien(): ReckonerError | undefined {
    return this.#alien;
  }

  /** The run as it is known, and up to where; `undefined` before its header is. */
  get known(): IndexedRun | undefined {
    const { header, ended, begun } = this.#trace;
    const [hash, position] = [this.#hash, this.#position];
    if (header === undefined || hash === undefined || position === undefined) return undefined;
    return { run: { header, events: this.#trace.events(), ended, begun }, hash, position };
  }

  /**
   * Reads what has come since the last time.
   * @returns whether anything has
   * @throws ReckonerError what reading a journal throws; what was read before stays known
   */
  async update(): Promise<boolean> {
    try {
      return await this.#read();
    } catch (thrown) {
      const wasReplaced = this.#position !== undefined && isChainBroken(thrown, this.#position);
      if (!wasReplaced) throw thrown;
      this.#trace = new RunTrace(this.#options);
      this.#position = undefined;
      this.#hash = undefined;
      this.#alien = undefined;
      this.#decoder = new LineDecoder();
      return await this.#read();
    }
  }

  async #read(): Promise<boolean> {
    const before = this.#position?.lines ?? 0;
    if (this.#position === undefined) await this.#inherit(this.port, new Set());
    const stream = viewOf(this.port).rawLines(this.#position);
    for await (const batch of stream.batches()) {
      for (const raw of batch) {
        this.#trace.take(decoded(this.#decoder, raw).line);
        this.#hash ??= raw.hash;
        this.#position = { lines: raw.number, bytes: raw.end, hash: raw.hash };
      }
    }
    return (this.#position?.lines ?? 0) > before;
  }

  /** Takes in the beginning that a fork shares with the run it was forked from. */
  async #inherit(port: JournalPort, seen: Set<string>): Promise<void> {
    const header = await viewOf(port).findHeader();
    if (header?.fork === undefined || seen.has(header.runId)) return;
    seen.add(header.runId);
    const shared = port.follow?.(header.fork.journal);
    if (shared === undefined) return;
    try {
      await this.#inherit(shared, seen);
      await this.#takeUpTo(shared, header.fork);
    } catch (thrown) {
      // Without it, what was under way there is not known here; the fork's own lines are.
      if (!isReckonerError(thrown)) throw thrown;
    }
  }

  async #takeUpTo(port: JournalPort, link: RunLink): Promise<void> {
    const header = await viewOf(port).findHeader();
    if (header?.runId !== link.runId) return;
    try {
      for await (const piece of readAround(port, header, link)) {
        for (const [{ line }, behind] of piece) {
          if (behind) return;
          this.#trace.take(line);
        }
      }
    } catch (thrown) {
      // Another run with that id: nothing of it is this one's.
      if (isReckonerError(thrown) && thrown.code === "journal.link") {
        this.#alien = thrown;
        this.#trace = new RunTrace(this.#options);
      }
      throw thrown;
    }
  }
}

/** Whether a journal is another one than it was: what stood at a place is not there any more. */
function isChainBroken(thrown: unknown, { lines }: ReadPosition): boolean {
  if (!isReckonerError(thrown)) return false;
  return thrown.code === "journal.chain" && thrown.place === `line ${lines}`;
}
