/**
 * Keeps the moments at which a driver's timers, limits and repeated attempts are due, the earliest first (a
 * binary heap). An entry whose moment has changed since is skipped.
 */

/** Something that is due at a moment; where two are due at the same one, the lower order comes first. */
export interface Due {
  readonly order: number;
  /** When it is due now; `undefined` where it is not due any more. */
  readonly until: number | undefined;
}

interface Entry<T extends Due> {
  readonly at: number;
  readonly due: T;
}

/** The moments of many things. */
export class Deadlines<T extends Due> {
  readonly #heap: Entry<T>[] = [];

  /** Enters something with its present moment; call it again when that moves. */
  add(due: T): void {
    if (due.until === undefined) return;
    const entry = { at: due.until, due };
    let at = this.#heap.push(entry) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(entry, this.#heap[above] as Entry<T>)) break;
      this.#heap[at] = this.#heap[above] as Entry<T>;
      at = above;
    }
    this.#heap[at] = entry;
  }

  /** The earliest moment; `undefined` where nothing is due. */
  get first(): number | undefined {
    this.#skip();
    return this.#heap[0]?.at;
  }

  /** Takes out what is due first, if it is due by then. */
  take(now: number): T | undefined {
    this.#skip();
    const first = this.#heap[0];
    if (first === undefined || first.at > now) return undefined;
    this.#drop();
    return first.due;
  }

  /** Drops what is not due at the moment that was entered any more. */
  #skip(): void {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined || first.due.until === first.at) return;
      this.#drop();
    }
  }

  #drop(): void {
    const last = this.#heap.pop() as Entry<T>;
    const size = this.#heap.length;
    if (size === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= size) break;
      const right = this.#heap[below + 1];
      if (right !== undefined && isBefore(right, this.#heap[below] as Entry<T>)) below += 1;
      if (!isBefore(this.#heap[below] as Entry<T>, last)) break;
      this.#heap[at] = this.#heap[below] as Entry<T>;
      at = below;
    }
    this.#heap[at] = last;
  }
}

function isBefore(a: Entry<Due>, b: Entry<Due>): boolean {
  return a.at < b.at || (a.at === b.at && a.due.order < b.due.order);
}
