/**
 * Withholds what a model call has streamed (its deltas) from observers, until the line that issues the call is
 * durable.
 */

/** The model calls of one run whose lines are not durable yet. */
export class Withheld {
  readonly #waiting = new Map<string, (() => void)[]>();

  begin(id: string): void {
    this.#waiting.set(id, []);
  }

  /** Shows something of an effect: at once, or when its line is durable. */
  show(id: string, work: () => void): void {
    const works = this.#waiting.get(id);
    if (works === undefined) work();
    else works.push(work);
  }

  /** The line is durable. */
  release(id: string): void {
    const works = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    for (const work of works) work();
  }
}
