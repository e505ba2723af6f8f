/**
 * Events that have arrived at a run and are not processed yet, and the state to which they will
 * lead.
 */
import type { Reasoner, RunEvent, RunState } from "../../core/kernel/index.js";
import type { Incoming } from "../effects/effect-host.js";

/** The events that one run has not processed yet, in the order of arrival. */
export class Inbox<Context> {
  readonly #reasoner: Pick<Reasoner<never, unknown, Context>, "step">;
  readonly #stamp: (event: Incoming, state: RunState<Context>) => RunEvent;
  #events: Incoming[] = [];
  /** The state after these events; computed on demand. */
  #foreseen: RunState<Context> | undefined;
  #looked = 0;

  /** @param stamp makes what has arrived an event as the machine may see it */
  constructor(
    reasoner: Pick<Reasoner<never, unknown, Context>, "step">,
    stamp: (event: Incoming, state: RunState<Context>) => RunEvent,
  ) {
    this.#reasoner = reasoner;
    this.#stamp = stamp;
  }

  get events(): readonly Incoming[] {
    return this.#events;
  }

  push(event: Incoming): void {
    this.#events.push(event);
  }

  /** Takes all of them out. */
  take(): Incoming[] {
    const events = this.#events;
    this.#set([]);
    return events;
  }

  /** Puts events back, before those that have arrived since. */
  putBack(events: readonly Incoming[]): void {
    this.#set([...events, ...this.#events]);
  }

  /**
   * The run processes no more events. The state to which they would have led can still be asked
   * for.
   */
  drop(): void {
    this.#events = [];
  }

  /** The state as it will be when all of them are taken. */
  ahead(state: RunState<Context>): RunState<Context> {
    let foreseen = this.#foreseen ?? state;
    for (; this.#looked < this.#events.length && foreseen.status === "active"; this.#looked++) {
      try {
        // What a redaction hook leaves of it is what it leads to, and the hook is asked once.
        const event = this.#stamp(this.#events[this.#looked] as Incoming, foreseen);
        this.#events[this.#looked] = event;
        foreseen = this.#reasoner.step(foreseen, event).state;
        this.#foreseen = foreseen;
      } catch {
        // What is wrong with it is told when it is taken.
        break;
      }
    }
    return foreseen;
  }

  #set(events: Incoming[]): void {
    this.#events = events;
    this.#foreseen = undefined;
    this.#looked = 0;
  }
}
