/**
 * Withholds the deltas of model calls that begin before the line that issues them is durable.
 */

/** The model calls of one run whose lines are not durable yet. */
export class Withheld {
  readonly #shown = new Map<string, (() => void)[]>();

  begin(id: string): void {
    this.#shown.set(id, []);
  }

  /** Shows something of an effect: at once, or when its line is durable. */
  show(id: string, work: () => void): void {
    const waiting = this.#shown.get(id);
    if (waiting === undefined) work();
    else waiting.push(work);
  }

  /** The line is durable. */
  release(id: string): void {
    const waiting = this.#shown.get(id) ?? [];
    this.#shown.delete(id);
    for (const work of waiting) work();
  }
}
