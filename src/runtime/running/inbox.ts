/** What has arrived at a run and is not taken yet, and the state that it will lead to. */
import type { Reasoner, RunState } from "../../core/kernel/index.js";
import type { Incoming } from "../effects/effect-host.js";
import { stepAhead } from "./answers.js";

/** The events that one run has yet to take, in the order of their arrival. */
export class Inbox<Context> {
  readonly #reasoner: Pick<Reasoner<never, unknown, Context>, "step">;
  #events: Incoming[] = [];
  /** The state after so many of them; made when somebody asks for it. */
  #foreseen: RunState<Context> | undefined;
  #looked = 0;

  constructor(reasoner: Pick<Reasoner<never, unknown, Context>, "step">) {
    this.#reasoner = reasoner;
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

  /** The run takes nothing any more. Whoever asks is still told what they would have led to. */
  drop(): void {
    this.#events = [];
  }

  /** The state as it will be when all of them are taken. */
  ahead(state: RunState<Context>, now: number): RunState<Context> {
    for (; this.#looked < this.#events.length; this.#looked++) {
      const event = this.#events[this.#looked] as Incoming;
      this.#foreseen = stepAhead(this.#reasoner, this.#foreseen ?? state, event, now);
    }
    return this.#foreseen ?? state;
  }

  #set(events: Incoming[]): void {
    this.#events = events;
    this.#foreseen = undefined;
    this.#looked = 0;
  }
}
