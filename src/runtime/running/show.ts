/** What a run shows to whoever observes it, and what of it is redacted on the way. */
import { type Json, messageOf, type RunEvent, type Step } from "../../core/kernel/index.js";
import type { Delta } from "../ports.js";
import type { NoticeCode, Observation } from "./observation.js";
import type { HostOptions } from "./options.js";
import { redacted } from "./redact.js";

/** Where observations go, and whether anybody sees them. */
export interface Audience<Context> {
  observe(observation: Observation<Context>): void;
  observed(): boolean;
}

/** Shows one run's observations. */
export class Show<Context> {
  readonly #audience: Audience<Context>;
  readonly #options: Pick<HostOptions, "redact">;

  constructor(audience: Audience<Context>, options: Pick<HostOptions, "redact">) {
    this.#audience = audience;
    this.#options = options;
  }

  /** An observation of a run, or one that a child has redacted already. */
  observation(observation: Observation<Context>): void {
    const { type } = observation;
    // An event was redacted before the machine saw it; a child redacts its own.
    const raw = type === "retry" || type === "notice";
    this.#audience.observe(
      raw ? (redacted(this.#options, observation) as Observation<Context>) : observation,
    );
  }

  /** As {@link observation}, where it is only worth making when somebody sees it. */
  ifObserved(observation: Observation<Context>): void {
    if (this.#audience.observed()) this.observation(observation);
  }

  /** A step whose line is durable. */
  step(event: RunEvent, { state, directives, ignored, thrown }: Step<Context>): void {
    if (this.#audience.observed()) {
      this.observation({
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
    const seen = redacted(this.#options, { type: "delta", id, delta });
    this.observation({ ...(seen as object), attempt } as Observation<Context>);
  }

  notify(topic: string, data: Json | undefined): void {
    this.observation({ type: "notify", topic, ...(data === undefined ? {} : { data }) });
  }

  notice(code: NoticeCode, message: string): void {
    this.observation({ type: "notice", code, message });
  }
}
