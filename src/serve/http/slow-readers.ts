/**
 * `SlowReaders`: bounds the memory of streams whose readers do not read. When all that is held for them is too
 * much, the stream that has waited longest is cut off; its page asks again and goes on where it was.
 */

/** Characters that are held in all. */
const MAX_LENGTH = 32 * 1024 * 1024;

interface Waiting {
  readonly length: number;
  readonly cut: () => void;
}

/** See the banner: those of one host. */
export class SlowReaders {
  readonly #most: number;
  /** The longest waiting first. */
  readonly #waiting = new Set<Waiting>();
  #length = 0;

  constructor(most: number = MAX_LENGTH) {
    this.#most = most;
  }

  /** The number of characters that are held now. */
  get length(): number {
    return this.#length;
  }

  /**
   * A reader is waited for, and so many characters are held until it reads on. It is not the one that is cut off now.
   * @returns ends the wait
   */
  wait(length: number, cut: () => void): () => void {
    const own = { length, cut };
    this.#waiting.add(own);
    this.#length += length;
    for (const longest of this.#waiting) {
      if (this.#length <= this.#most || longest === own) break;
      this.#end(longest);
      longest.cut();
    }
    return () => this.#end(own);
  }

  #end(waiting: Waiting): void {
    if (this.#waiting.delete(waiting)) this.#length -= waiting.length;
  }
}
