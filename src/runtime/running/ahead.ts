/**
 * Model calls that have begun ahead of the line that issues them: until that line is durable nobody
 * hears of them.
 */

/** The calls of one run that are ahead. */
export class Ahead {
  readonly #ids = new Set<string>();
  #withheld: (() => void)[] = [];

  begin(id: string): void {
    this.#ids.add(id);
  }

  /** Whether a call has begun ahead of the line that is being written. */
  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Shows something of an effect: at once, or when its line is durable. */
  show(id: string | undefined, tell: () => void): void {
    if (id !== undefined && this.#ids.has(id)) this.#withheld.push(tell);
    else tell();
  }

  /** The lines are durable: what was withheld is shown, in its order. */
  durable(): void {
    if (this.#ids.size === 0) return;
    this.#ids.clear();
    const withheld = this.#withheld;
    this.#withheld = [];
    for (const tell of withheld) tell();
  }
}
