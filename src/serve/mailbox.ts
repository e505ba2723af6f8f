/**
 * `Mailbox`: holds the mail (such as messages and decisions) that a host's store has for a run, until the run
 * takes it, each piece once. It does not look into the mail.
 */
import type { Mail } from "./store.js";

/** See the banner. Each is handed out once, however often the store tells of it. */
export class Mailbox {
  readonly #waiting: Mail[] = [];
  /** The keys of mail that the store told of; it does so again until the mail is answered. */
  readonly #seen = new Set<string>();
  /** The keys that were answered since the store was last asked. */
  readonly #answered = new Set<string>();

  get size(): number {
    return this.#waiting.length;
  }

  /** Takes what the store tells of; what is known already is passed over. @returns whether anything is new */
  put(mail: readonly Mail[]): boolean {
    const before = this.#seen.size;
    for (const each of mail) {
      if (this.#seen.has(each.key)) continue;
      this.#seen.add(each.key);
      this.#waiting.push(each);
    }
    return this.#seen.size > before;
  }

  /** Hands out the next one. */
  next(): Mail | undefined {
    return this.#waiting.shift();
  }

  /** Puts one before all others. */
  putFirst(mail: Mail): void {
    this.#waiting.unshift(mail);
  }

  /** These are answered, and durably so. */
  answered(keys: readonly string[]): void {
    for (const key of keys) this.#answered.add(key);
  }

  /**
   * The store is about to be asked: what is answered by now waits there no more, and its keys may come anew, once
   * their answers are forgotten.
   */
  forgetAnswered(): void {
    for (const key of this.#answered) this.#seen.delete(key);
    this.#answered.clear();
  }
}
