/**
 * Syncs files. A lone writer whose syncs take less than a millisecond syncs synchronously: a round
 * trip through the thread pool takes as long. With several writers, or a slow disk, the pool does
 * it, so that the process can continue meanwhile.
 */
import type { FileCalls } from "./file-calls.js";

/** Milliseconds that a process may stand still for one sync. */
const MAX_BLOCKING = 1;
/** After so many syncs in the pool a lone writer tries again how long it takes. */
const TRY_AGAIN = 64;

/** The syncs of all journals of this process. */
export class Syncs {
  readonly #now: () => number;
  /** Writers with something to write at this moment. */
  #writers = 0;
  /** Syncs in the pool before the next try; none where the disk is quick. */
  #pooled = 0;
  /** True where the last sync that was waited for took too long. A quick disk has a slow one now and then. */
  #slow = false;

  /** @param now milliseconds of a clock that never turns back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A writer has something to write; it is told so again by `leave`. */
  enter(): void {
    this.#writers += 1;
  }

  leave(): void {
    this.#writers -= 1;
  }

  /** Syncs a file. @returns a promise, where it has not happened yet */
  sync(fd: number, calls: FileCalls): Promise<void> | undefined {
    if (this.#writers > 1 || calls.fdatasyncSync === undefined) return calls.fdatasync(fd);
    if (this.#pooled > 0) {
      this.#pooled -= 1;
      return calls.fdatasync(fd);
    }
    const began = this.#now();
    calls.fdatasyncSync(fd);
    const slow = this.#now() - began > MAX_BLOCKING;
    if (slow && this.#slow) this.#pooled = TRY_AGAIN;
    this.#slow = slow;
    return undefined;
  }
}
