/** Publishes the observations of one run. */
import { type Json, messageOf, type RunEvent, type Step } from "../../core/kernel/index.js";
import type { Delta } from "../ports.js";
import type { NoticeCode, Observation } from "./observation.js";

/** Where observations go, and whether anybody sees them. */
export interface Audience<Context> {
  observe(observation: Observation<Context>): void;
  observed(): boolean;
}

/** Shows one run's observations. */
export class ObservationPublisher<Context> {
  readonly #audience: Audience<Context>;

  constructor(audience: Audience<Context>) {
    this.#audience = audience;
  }

  /** Where it is only worth making when somebody sees it. */
  ifObserved(observation: Observation<Context>): void {
    if (this.#audience.observed()) this.#audience.observe(observation);
  }

  /** A step whose line is durable. */
  step(event: RunEvent, { state, directives, ignored, thrown }: Step<Context>): void {
    if (this.#audience.observed()) {
      this.#audience.observe({
        type: "step",
        seq: state.seq,
        event,
        directives,
        state,
        ...(ignored === undefined ? {} : { ignored }),
      });
    }
    if (thrown !== undefined) {
      this.notice("machine.threw", `${state.fault?.place}: ${messageOf(thrown)}`);
    }
  }

  delta(id: string, attempt: number, delta: Delta): void {
    this.#audience.observe({ type: "delta", id, attempt, delta });
  }

  notify(topic: string, data: Json | undefined): void {
    this.#audience.observe({ type: "notify", topic, ...(data === undefined ? {} : { data }) });
  }

  notice(code: NoticeCode, message: string): void {
    this.#audience.observe({ type: "notice", code, message });
  }
}
