/**
 * A cache of two generations, the present and the previous one: everything used since the last
 * turnover is found, and the size is bounded however much is put in.
 */
export class Generations<Held> {
  readonly #make: () => Held;
  readonly #most: number;
  #young: Held;
  #old: Held | undefined;
  #size = 0;
  #oldSize = 0;
  #turns = 0;

  /** @param most how large a generation may grow before the next one begins */
  constructor(make: () => Held, most: number) {
    this.#make = make;
    this.#most = most;
    this.#young = make();
  }

  /** The present one. */
  get young(): Held {
    return this.#young;
  }

  /** The size of both. */
  get length(): number {
    return this.#size + this.#oldSize;
  }

  /** The number of those that have begun behind the first. */
  get turns(): number {
    return this.#turns;
  }

  /** The present one, which something of a size goes into. */
  grow(size: number): Held {
    if (this.#size > 0 && this.#size + size > this.#most) this.turn();
    this.#size += size;
    return this.#young;
  }

  /** The next one begins, and the last but one is forgotten. */
  turn(): void {
    this.#old = this.#young;
    this.#young = this.#make();
    this.#oldSize = this.#size;
    this.#size = 0;
    this.#turns += 1;
  }

  /** The youngest first. */
  get all(): readonly Held[] {
    return this.#old === undefined ? [this.#young] : [this.#young, this.#old];
  }
}
