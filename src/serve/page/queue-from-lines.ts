/**
 * Tracks, from the lines of a run alone, the messages of users that no turn has taken yet, so that a page shows
 * each when it is taken. The agent's own queue is in `core/agent/turn/queue.ts`, the one of a list in
 * `serve/host-row.ts`.
 */
import type { EventLine } from "../../core/journal/index.js";
import type { QueueEvent, UserPart } from "../../core/kernel/vocabulary/index.js";

/** A message of a user. */
export interface WaitingMessage {
  readonly id: string;
  readonly content: string | readonly UserPart[];
}

/** See the banner. */
export class WaitingMessages {
  #messages: readonly WaitingMessage[] = [];
  /** The number that the run's state has. */
  #waits = 0;

  get size(): number {
    return this.#messages.length;
  }

  say(message: WaitingMessage): void {
    this.#messages = [...this.#messages, message];
  }

  change(event: QueueEvent): void {
    const at = this.#messages.findIndex(({ id }) => id === event.id);
    const message = this.#messages[at];
    if (message === undefined) return;
    const rest = this.#messages.toSpliced(at, 1);
    if (event.type === "message.removed") this.#messages = rest;
    else if (event.type === "message.moved") this.#messages = rest.toSpliced(event.to, 0, message);
    else this.#messages = this.#messages.with(at, { id: event.id, content: event.content });
  }

  /**
   * Returns the messages that a step has taken.
   * @param set the changes of the step; where they do not say, a request takes all
   */
  taken(set: EventLine["set"], asks: boolean): readonly WaitingMessage[] {
    const queue = typeof set === "object" ? set.queue : undefined;
    const size = typeof queue === "string" ? Number(/^@(\d+)#/.exec(queue)?.[1]) : undefined;
    if (size !== undefined && Number.isFinite(size)) this.#waits = size;
    else if (set === "*") this.#waits = asks ? 0 : this.#messages.length;
    const taken = this.#messages.slice(0, Math.max(0, this.#messages.length - this.#waits));
    this.#messages = this.#messages.slice(taken.length);
    return taken;
  }
}
