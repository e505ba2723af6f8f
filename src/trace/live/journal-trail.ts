/**
 * Derives the traces of all runs in one journal, and updates them as it grows: each line is read once. A
 * journal that was replaced is read again. `JournalTraces` keeps one for each journal.
 */

import { LineDecoder, type RunLink } from "../../core/journal/index.js";
import { isReckonerError, type ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../../runtime/for-adapters.js";
import { decoded, type ReadPosition, readAround, viewOf } from "../../runtime/journals/index.js";
import { type RunTraceOptions, type TracedRun, TreeTrace } from "../pure/index.js";

/** Follows one journal. */
export class JournalTrail {
  readonly #port: JournalPort;
  readonly #options: RunTraceOptions;
  #trace: TreeTrace;
  #decoder = new LineDecoder();
  #position: ReadPosition | undefined;
  #alien: ReckonerError | undefined;

  constructor(port: JournalPort, options: RunTraceOptions) {
    this.#port = port;
    this.#options = options;
    this.#trace = new TreeTrace(options);
  }

  /** The fault of the journal from which this one was forked, where another run's stands there. */
  get alien(): ReckonerError | undefined {
    return this.#alien;
  }

  /** The runs as far as they are known, the root first; none before the journal's own header was read. */
  get runs(): readonly TracedRun[] {
    return this.#position === undefined ? [] : this.#trace.runs;
  }

  /**
   * Reads what has come since the last time.
   * @throws ReckonerError what reading a journal throws; what was read before stays known
   */
  async update(): Promise<void> {
    try {
      await this.#read();
    } catch (thrown) {
      const wasReplaced = this.#position !== undefined && isChainBroken(thrown, this.#position);
      if (!wasReplaced) throw thrown;
      this.#trace = new TreeTrace(this.#options);
      this.#position = undefined;
      this.#alien = undefined;
      this.#decoder = new LineDecoder();
      await this.#read();
    }
  }

  async #read(): Promise<void> {
    if (this.#position === undefined) await this.#inherit(this.#port, new Set());
    const stream = viewOf(this.#port).rawLines(this.#position);
    for await (const batch of stream.batches()) {
      for (const raw of batch) {
        this.#trace.take(decoded(this.#decoder, raw));
        this.#position = { lines: raw.number, bytes: raw.end, hash: raw.hash };
      }
    }
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
        for (const [line, behind] of piece) {
          if (behind) return;
          this.#trace.take(line);
        }
      }
    } catch (thrown) {
      // Another run with that id: nothing of it is this one's.
      if (isReckonerError(thrown) && thrown.code === "journal.link") {
        this.#alien = thrown;
        this.#trace = new TreeTrace(this.#options);
      }
      throw thrown;
    }
  }
}

/** Returns true when a journal is another one than it was: what stood at a place is not there any more. */
function isChainBroken(thrown: unknown, { lines }: ReadPosition): boolean {
  if (!isReckonerError(thrown)) return false;
  return thrown.code === "journal.chain" && thrown.place === `line ${lines}`;
}
