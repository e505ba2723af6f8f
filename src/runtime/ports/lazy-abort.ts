/**
 * A lightweight abort signal, which creates a real AbortController only if somebody reads it: most
 * effects are never stopped, and the controllers would be a large part of the cost of a short turn.
 */

/** Whether something was stopped, and why. */
export class LazyAbort {
  aborted = false;
  reason: unknown = undefined;
  #controller: AbortController | undefined;
  #listeners: (() => void)[] = [];

  /** The platform's own signal, for code that is not ours. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#controller?.abort(reason);
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const each of listeners) each();
  }

  /** Calls once when it is stopped; the function that it returns takes that back. */
  onAbort(listener: () => void): () => void {
    if (this.aborted) {
      listener();
      return () => {};
    }
    this.#listeners.push(listener);
    return () => {
      const at = this.#listeners.indexOf(listener);
      if (at >= 0) this.#listeners.splice(at, 1);
    };
  }

  /** How many listen; for tests of the cleanup. */
  get listeners(): number {
    return this.#listeners.length;
  }
}
