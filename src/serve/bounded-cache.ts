/**
 * `BoundedCache`: a cache with a bound of number and of length in all, whose values are handed out to one holder
 * at a time. It keeps runs that wait as they were open, and runs that pages have read.
 */

/** See the banner: each is one holder's at a time, and those that are unused for longest leave first. */
export class BoundedCache<Value> {
  readonly #most: number;
  readonly #length: number;
  readonly #kept = new Map<string, { readonly value: Value; readonly length: number }>();
  #sum = 0;

  /** @param most so many values @param length so much of what they hold in all, in whatever unit `keep` is told */
  constructor(most: number, length: number) {
    this.#most = most;
    this.#length = length;
  }

  /** Hands out a value: nobody else gets it until it is kept again. */
  take(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#sum -= kept.length;
    return kept.value;
  }

  keep(key: string, value: Value, length: number): void {
    this.take(key);
    this.#kept.set(key, { value, length });
    this.#sum += length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#most && this.#sum <= this.#length) return;
      this.take(oldest);
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#sum = 0;
  }
}
