/**
 * Model calls that begin before the line that issues them is durable: what they report is withheld
 * until it is.
 */
import type { Directive } from "../../core/kernel/index.js";

/** The model calls of one run whose lines are not durable yet. */
export class EarlyModelCalls {
  readonly #ids = new Set<string>();
  #withheld: { readonly id: string; tell(): void }[] = [];

  begin(id: string): void {
    this.#ids.add(id);
  }

  /** Whether a call has begun before its line is durable. */
  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Publishes an observation of an effect: at once, or when its line is durable. */
  show(id: string | undefined, tell: () => void): void {
    if (id !== undefined && this.#ids.has(id)) this.#withheld.push({ id, tell });
    else tell();
  }

  /**
   * The line that issues some directives is durable: their withheld observations are published, in
   * order.
   */
  durable(directives: readonly Directive[]): void {
    if (this.#ids.size === 0) return;
    for (const each of directives) if (each.type === "llm") this.#ids.delete(each.id);
    const withheld = this.#withheld;
    this.#withheld = withheld.filter(({ id }) => this.#ids.has(id));
    for (const { id, tell } of withheld) if (!this.#ids.has(id)) tell();
  }
}
