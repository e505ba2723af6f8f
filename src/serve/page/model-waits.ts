/**
 * Tracks the calls of a run that wait for a model which is down, from marks in its lines, so that a page shows
 * that it waits and that the wait is over.
 */
import type { DownError } from "../../core/journal/index.js";
import type { PageEvent } from "./page-event.js";

type Wait = Extract<PageEvent, { readonly type: "waiting" }>;

/** See the banner: each by the id of its call, as the root's host knows it. */
export class ModelWaits {
  readonly #waits = new Map<string, Wait>();

  /** An attempt failed, and the model is down. */
  begin(id: string, { code, message, since }: DownError): Wait {
    const wait = { type: "waiting", id, code, message, since, isOver: false } as const;
    this.#waits.set(id, wait);
    return wait;
  }

  /** The model answers, or nobody waits for it any more. */
  end(id: string): readonly PageEvent[] {
    const wait = this.#waits.get(id);
    this.#waits.delete(id);
    return wait === undefined ? [] : [{ ...wait, isOver: true }];
  }

  /** Nobody waits for any model any more. */
  endAll(): readonly PageEvent[] {
    return [...this.#waits.keys()].flatMap((id) => this.end(id));
  }
}
