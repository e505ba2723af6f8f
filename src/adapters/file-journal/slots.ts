/**
 * `Slots`: a number of slots that are taken and given back; who waits for one is served in order.
 * `fileJournal` limits the number of open files by it.
 */

/** Who waits: linked, so that the first and whoever gives up are taken out at the same cost. */
interface Waiting {
  readonly take: () => void;
  before: Waiting | undefined;
  after: Waiting | undefined;
}

/** A number of slots. */
export class Slots {
  #free: number;
  #first: Waiting | undefined;
  #last: Waiting | undefined;
  #count = 0;

  constructor(count: number) {
    this.#free = Math.max(1, Math.floor(count) || 1);
  }

  /** Takes a slot, where one is free: then nobody waits for it. */
  take(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** How many slots are free, and how many wait for one. */
  get left(): { readonly free: number; readonly waiting: number } {
    return { free: this.#free, waiting: this.#count };
  }

  /**
   * @param take is called when a slot is free, which is its own then
   * @returns a function that gives up waiting
   */
  wait(take: () => void): () => void {
    const waiting: Waiting = { take, before: this.#last, after: undefined };
    if (this.#last === undefined) this.#first = waiting;
    else this.#last.after = waiting;
    this.#last = waiting;
    this.#count += 1;
    this.#hand();
    return () => this.#leave(waiting);
  }

  /** Takes somebody out who may be out already. */
  #leave(waiting: Waiting): void {
    const { before, after } = waiting;
    if (before === undefined && this.#first !== waiting) return;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    waiting.before = undefined;
    waiting.after = undefined;
    this.#count -= 1;
  }

  release(): void {
    this.#free += 1;
    this.#hand();
  }

  #hand(): void {
    while (this.#free > 0) {
      const next = this.#first;
      if (next === undefined) return;
      this.#leave(next);
      this.#free -= 1;
      next.take();
    }
  }
}
